"""Loading: a hub name, a folder, a GGUF file, a module in memory, or the embedded default."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import transformers

from headscope.attention.site import SiteMap
from headscope.errors import ModelError, OptionError
from headscope.models.admission import check_numbers_and_pieces, check_reads_text, count_sites
from headscope.models.devices import device_here
from headscope.models.model import Model, Recipe
from headscope.models.padding import NOTE, sees_padding
from headscope.models.places import DEFAULT, Place, explained, is_adapter, load_tokenizer, locate, quiet
from headscope.models.pruning.rebuilding import starting_small
from headscope.models.pruning.removed import Removed
from headscope.models.unheard import unheard_notes
from headscope.models.unpacked import as_floats, unmarked, unpacked
from headscope.nets import NAMED
from headscope.text.batches import pad_id

DTYPES = {
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float64": torch.float64,
}


def load(
    model: Any = DEFAULT,
    tokenizer: Any = None,
    *,
    adapter: str | Path | None = None,
    device: str = "cpu",
    dtype: str = "float32",
    revision: str | None = None,
) -> Model:
    """Load a model and put it on the core.

    model: "default", a folder, a hub name, a .gguf file, a folder that holds a LoRA adapter, or a
    transformers module you already have (then give its tokenizer). Code from a hub is never run.
    """
    if isinstance(model, Model | torch.nn.Module):
        _refuse_options(adapter=adapter, device=device, dtype=dtype, revision=revision)
    if isinstance(model, Model):
        # Whoever had it may have trained it.
        model.forget_fingerprints()
        return model
    here = check_loading(device, dtype)
    if isinstance(model, torch.nn.Module):
        name = getattr(model, "name_or_path", "") or type(model).__name__
        return on_core(model, _tokenizer_for(model, tokenizer), name, "memory", None, [])
    with quiet(), explained(str(model)):
        place = locate(str(model), revision)
        recipe = Recipe(
            _anywhere(model), None if adapter is None else _anywhere(adapter), device, dtype, revision
        )
        name = place.name
        if adapter is None and is_adapter(place.origin):
            adapter, place = place.origin, locate(_base_of(place.origin), None)
        readable = unpacked(place)
        module, notes = _load_module(readable, DTYPES[dtype])
        check_reads_text(module)  # before a tokenizer is missed that a model of images does not have
        if adapter is not None:
            _load_adapter(module, adapter)
        loaded_tokenizer = tokenizer or load_tokenizer(readable.origin, readable.options)
    origin = str(place.file or place.origin)
    loaded = on_core(module.to(here).eval(), loaded_tokenizer, name, origin, revision, notes)
    loaded.recipe = recipe if tokenizer is None else None
    return loaded


def check_loading(device: str, dtype: str) -> str:
    """The device on this machine; what there is not is refused."""
    if dtype not in DTYPES:
        raise OptionError(f"unknown dtype '{dtype}'; one of {', '.join(DTYPES)}")
    return device_here(device)


def _refuse_options(**given: Any) -> None:
    """What is in memory already is as it is: an option that would change it is not ignored."""
    usual = load.__kwdefaults__ or {}
    for name, value in given.items():
        if value != usual[name]:
            raise OptionError(
                f"{name} is for models that are loaded from disk; this one is in memory already"
            )


def on_core(
    module: Any, tokenizer: Any, name: str, origin: str, revision: str | None, notes: list[str]
) -> Model:
    """Check a module, count its sites, and make a model of it."""
    check_reads_text(module)
    check_numbers_and_pieces(module, tokenizer)
    base = getattr(module, "base_model", module)
    inputs = counting_inputs(base, tokenizer)
    with quiet():
        sites = count_sites(base, inputs)
        # What changes itself to fit the length of a text takes padding for a part of it.
        padding = sites.facts.restless or sees_padding(base, inputs, (tokenizer and pad_id(tokenizer)) or 0)
    told = [*notes, *sites.facts.notes, *unheard_notes(base, sites, "decoder_input_ids" in inputs)]
    told += [NOTE] if padding else []
    return Model(module, tokenizer, sites, name, origin, revision, list(dict.fromkeys(told)), None, padding)


def without_attention(module: Any, tokenizer: Any, name: str) -> Model:
    """A model that can be trained and scored, with nothing to listen to."""
    check_numbers_and_pieces(module, tokenizer)
    return Model(module, tokenizer, SiteMap([], []), name)


def with_module(model: Model, module: Any) -> Model:
    """A model as another one, with a module of its own, whose sites are counted."""
    return on_core(module, model.tokenizer, model.name, model.origin, model.revision, list(model.notes))


def counting_inputs(module: Any, tokenizer: Any) -> dict[str, torch.Tensor]:
    """A few pieces to count the sites with; source and target differ in length."""
    device = next(module.parameters()).device
    size = min(len(tokenizer), 12) if tokenizer is not None else 12
    source = torch.arange(size - 7, size, device=device)[None].clamp_min(0)
    inputs = {"input_ids": source}
    if getattr(module.config, "is_encoder_decoder", False):
        inputs["decoder_input_ids"] = source[:, :4]
    return inputs


def _load_module(place: Place, dtype: torch.dtype) -> tuple[Any, list[str]]:
    """The class that the checkpoint was saved from, so that its own loss can be computed."""
    config = transformers.AutoConfig.from_pretrained(place.origin, **place.options)
    names = getattr(config, "architectures", None) or []
    classes: list[Any] = [NAMED.get(name) or getattr(transformers, name, None) for name in names]
    # A GGUF file does not name its class, but always holds a language model.
    unnamed = transformers.AutoModelForCausalLM if place.file else transformers.AutoModel
    model_class = next((cls for cls in classes if _is_model_class(cls)), unnamed)
    model_class = starting_small(model_class, place.origin)
    options = as_floats(place.options) if place.file else place.options
    module, report = model_class.from_pretrained(
        place.origin, dtype=dtype, output_loading_info=True, **options
    )
    if place.file:
        module = unmarked(module)
    notes = Removed.notes_on(module)
    missing = sorted(report.get("missing_keys", ()))
    if missing:
        notes.append(
            f"the checkpoint lacks {len(missing)} weights, which are random: {', '.join(missing[:3])}"
        )
    return module, notes


def _is_model_class(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, transformers.PreTrainedModel)


def _tokenizer_for(module: Any, tokenizer: Any) -> Any:
    if tokenizer is None:
        raise ModelError("give the tokenizer too: headscope.load(module, tokenizer=...)")
    if isinstance(tokenizer, str | Path):
        with explained(str(tokenizer)):
            return load_tokenizer(str(tokenizer), {"trust_remote_code": False})
    return tokenizer


def _anywhere(place: str | Path) -> str:
    """The same place from any working folder; a hub name stays what it is."""
    path = Path(place).expanduser()
    return str(path.resolve()) if place != DEFAULT and path.exists() else str(place)


def _base_of(adapter: str) -> str:
    base = json.loads((Path(adapter) / "adapter_config.json").read_text()).get("base_model_name_or_path")
    if not base:
        raise ModelError(
            f"{adapter} does not say which model it adapts; give that model, and this folder as --adapter"
        )
    return str(base)


def _load_adapter(module: Any, adapter: str | Path) -> None:
    try:
        import peft  # noqa: F401 - only to word the error
    except ImportError:
        raise ModelError("adapters need peft; run pip install 'headscope[adapters]'") from None
    module.load_adapter(str(adapter))
