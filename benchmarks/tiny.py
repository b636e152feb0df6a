"""Tiny random models of any family, shrunk from its default configuration by the names of its sizes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
import transformers

VOCABULARY, HEADS = 100, 4
MOST_PARAMETERS = 30_000_000


@dataclass(frozen=True)
class Scale:
    """One way of shrinking; families differ in which of them their configurations allow.

    lists: shorten lists that have an entry per layer. fill: give sizes that are None a number too.
    """

    layers: int = 2
    key_value_heads: int = 2
    width: int = 64
    lists: bool = True
    fill: bool = False


SCALES = [
    Scale(), Scale(lists=False), Scale(key_value_heads=4), Scale(fill=True),
    Scale(layers=4, key_value_heads=4), Scale(layers=4, key_value_heads=4, lists=False, fill=True),
    Scale(layers=8, lists=False),
    # Some rotary embeddings are cut into sections that only heads of this width have.
    Scale(width=512), Scale(width=256), Scale(width=512, fill=True, lists=False),
]  # fmt: skip

_EXTRA = {"bbox": (4,), "lang_ids": None}
"""Inputs beside the pieces that some families want: their shape per piece, None for one number per text."""


def _table(scale: Scale, default: int) -> list[tuple[str, int]]:
    """Patterns of names with the size to use; the first that fits a whole name decides."""
    head = scale.width // HEADS
    return [
        (r"n_group|topk_group|mamba_n_groups|n_groups|mamba_ngroups", 1),
        (
            r".*(token_type|type_vocab|position|num_labels|image|patch|channel|kernel|version|groups?$).*",
            default,
        ),
        (r".*vocab.*size.*", VOCABULARY),
        (r".*(hidden_layers|num_layers|n_layers?|layers|depth)", scale.layers),
        (r".*(experts_per_tok|experts_per_token|top_?k|num_selected_experts|moe_k)", 2),
        (r".*mamba.*(d_head|headdim|head_dim)", 2 * head),
        (
            r".*(key_value_heads|kv_heads?|key_value_head.*|n_head_kv|multi_query_group_num)",
            scale.key_value_heads,
        ),
        (r".*(heads?|n_head)", HEADS),
        (r".*(rope|nope)_head_dim", head // 2),
        (r".*(head_dim|head_size|d_kv|kv_channels|qk_dim|v_dim|rotary_dim|rope_dim|nope_dim)", head),
        (_WIDTHS, scale.width),
        (r".*experts.*", 4),
    ]


_WIDTHS = (
    r".*(hidden_size|d_model|n_embd|embed_dim|hidden_dim|embedding_size|intermediate_size|ffn_dim|d_ff|ffn_size"
    r"|n_inner|lora_rank|projection_dim|proj_dim|state_size|hidden_width|_width|_size_per_layer_input|emb_dim)"
    r"|dim|width|ffn_hidden_size|d_inner|.*intermediate.*|hidden_size.*|mamba_expand_dim"
)


def candidates(config_class: type) -> Iterator[Any]:
    """Small configurations of a class, the most telling first."""
    default = config_class()
    for scale in SCALES:
        try:
            yield config_class(**shrunk(default, scale))
        except Exception as error:  # a family may refuse any of its values in any way
            yield error


def shrunk(config: Any, scale: Scale) -> dict[str, Any]:
    """What to change in a configuration, nested ones included."""
    layers = {value for name, value in vars(config).items() if "layers" in name and isinstance(value, int)}
    changed: dict[str, Any] = {}
    for name, value in vars(config).items():
        if name.startswith("_"):
            continue
        if isinstance(value, transformers.PreTrainedConfig):
            changed[name] = {**shrunk(value, scale), "model_type": value.model_type}
        elif type(value) is int or (value is None and scale.fill):
            small = _small(name, value, scale)
            if small != value:
                changed[name] = small
        elif (
            isinstance(value, list | tuple)
            and scale.lists
            and len(value) in layers
            and len(value) > scale.layers
        ):
            changed[name] = _some(list(value), scale.layers)
    return changed


def _small(name: str, value: int | None, scale: Scale) -> int | None:
    """The size to use in place of a default; None where nothing is known about one that is None."""
    if value is not None and re.fullmatch(r".*(token_id|token_index|token_idx)", name):
        return {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}.get(name, min(value, VOCABULARY - 1))
    table = _table(scale, 0 if value is None else value)
    small = next((small for pattern, small in table if re.fullmatch(pattern, name)), None)
    if small is None or value is None:
        return small or value
    return min(small, value)


def _some(kinds: list[Any], number: int) -> list[Any]:
    """Shorten a list with one entry per layer, keeping as many different entries as fit."""
    firsts = [place for place, kind in enumerate(kinds) if kind not in kinds[:place]][-number:]
    rest = [place for place in range(len(kinds)) if place not in firsts][: number - len(firsts)]
    return [kinds[place] for place in sorted(firsts + rest)]


def build(model_class: Any, config: Any, seed: int = 0) -> Any:
    """A model with weights large enough that its attention is far from uniform."""
    with torch.device("meta"):
        size = sum(parameter.numel() for parameter in model_class(config).parameters())
    if size > MOST_PARAMETERS:
        raise ValueError(f"{size:,} parameters are left after shrinking")
    torch.manual_seed(seed)
    model = model_class._from_config(config).float().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.normal_(std=0.1)
    return model


def takes_text(model_class: Any) -> bool:
    """Whether a model can be called with the ids of pieces."""
    return "input_ids" in inspect.signature(model_class.forward).parameters


def inputs_for(model: Any, batch: int = 3, length: int = 9) -> dict[str, torch.Tensor]:
    """Random pieces, padded on the right; a decoder beside an encoder gets other lengths."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(3, VOCABULARY // 2, (batch, length), generator=generator)
    mask = (torch.arange(length) < length - torch.arange(batch)[:, None]).long()
    inputs = {"input_ids": ids * mask, "attention_mask": mask}
    known = inspect.signature(model.forward).parameters
    for name in _EXTRA.keys() & known.keys():
        per_piece = _EXTRA[name]
        shape = (batch,) if per_piece is None else (batch, length, *per_piece)
        inputs[name] = torch.zeros(shape, dtype=torch.long)
    if getattr(model.config, "is_encoder_decoder", False):
        inputs["decoder_input_ids"] = torch.randint(
            3, VOCABULARY // 2, (batch, length - 3), generator=generator
        )
    return inputs
