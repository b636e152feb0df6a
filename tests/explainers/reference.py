"""Definitions written a second time, plainly: one text, numpy in float64, weights by a family's names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from headscope.explainers import Asked


@dataclass(frozen=True)
class Parts:
    """Where a family of one stack keeps its layers, and in a layer its values, output projection and norm.

    between: a norm of the output before it is added. fused: whether a head's values are the last third of
    what its matrix makes.
    """

    layers: Callable[[Any], Any]
    value: str
    output: str
    norm: str | None = None
    between: str | None = None
    fused: bool = False


FAMILIES = {
    "bert": Parts(
        lambda module: module.bert.encoder.layer, "attention.self.value", "attention.output.dense",
        "attention.output.LayerNorm",
    ),
    "distilbert": Parts(
        lambda module: module.distilbert.transformer.layer, "attention.v_lin", "attention.out_lin",
        "sa_layer_norm",
    ),
    "roberta-tagger": Parts(
        lambda module: module.roberta.encoder.layer, "attention.self.value", "attention.output.dense",
        "attention.output.LayerNorm",
    ),
    "llama": Parts(lambda module: module.model.layers, "self_attn.v_proj", "self_attn.o_proj"),
    "opt": Parts(lambda module: module.model.decoder.layers, "self_attn.v_proj", "self_attn.out_proj"),
    "gpt_neox": Parts(
        lambda module: module.gpt_neox.layers, "attention.query_key_value", "attention.dense", fused=True
    ),
    "gemma2": Parts(
        lambda module: module.model.layers, "self_attn.v_proj", "self_attn.o_proj",
        between="post_attention_layernorm",
    ),
    "llama-classifier": Parts(lambda module: module.model.layers, "self_attn.v_proj", "self_attn.o_proj"),
}  # fmt: skip


class Reference:
    """The first text of what is asked, run by the family's own eager attention."""

    def __init__(self, name: str, asked: Asked) -> None:
        self.parts = FAMILIES.get(name)
        self.module = deepcopy(asked.model.module)
        self.module.set_attn_implementation("eager")
        size = asked.sides.source.lengths[0]
        self.inputs = {
            key: value[:1] if key.startswith("decoder") else value[:1, :size]
            for key, value in asked.inputs.items()
        }
        self.place, self.entry = int(asked.places[0]), int(asked.entries[0])
        self.outputs = self.module(**self.inputs, output_attentions=True, output_hidden_states=True)

    @property
    def logit(self) -> torch.Tensor:
        logits = self.outputs.logits[0]
        return logits[self.entry] if logits.ndim == 1 else logits[self.place, self.entry]

    @cached_property
    def row(self) -> int:
        """Where a class is decided: at the first piece of an encoder, at the last of a decoder."""
        if self.place >= 0:
            return self.place
        return -1 if "llama" in type(self.module).__name__.lower() else 0

    def maps(self, field: str = "attentions") -> list[np.ndarray]:
        return [each[0].detach().numpy() for each in getattr(self.outputs, field)]

    def weighed(self, field: str = "attentions") -> list[np.ndarray]:
        """mean_h relu(A dy/dA) of each layer."""
        maps = list(getattr(self.outputs, field))
        slopes = torch.autograd.grad(self.logit, maps, retain_graph=True)
        return [
            np.maximum((each * slope).detach().numpy()[0], 0).mean(0)
            for each, slope in zip(maps, slopes, strict=True)
        ]

    def layers(self) -> list[Any]:
        assert self.parts is not None
        return list(self.parts.layers(self.module))

    @contextmanager
    def noting(self, modules: list[Any]) -> Iterator[dict[Any, list[torch.Tensor]]]:
        """What modules read and give in passes inside: (input, output)."""
        found: dict[Any, list[Any]] = {module: [] for module in modules}

        def note(module: Any, given: Any, made: Any) -> None:
            found[module] += [given[0] if given else None, made[0] if isinstance(made, tuple) else made]

        handles = [module.register_forward_hook(note) for module in modules]
        yield found
        for handle in handles:
            handle.remove()


def rollout(maps: list[np.ndarray], residual: bool) -> np.ndarray:
    product = np.eye(maps[0].shape[-1])
    for each in maps:
        mean = each.mean(0)
        product = ((mean + np.eye(len(mean))) / 2 if residual else mean) @ product
    return product


def generic(weighed: list[np.ndarray]) -> np.ndarray:
    relevance = np.eye(len(weighed[0]))
    for each in weighed:
        relevance = relevance + each @ relevance
    return relevance


def generic_of_two(encoder: list[np.ndarray], decoder: list[np.ndarray], cross: list[np.ndarray]) -> Any:
    def normal(matrix: np.ndarray) -> np.ndarray:
        rest = matrix - np.eye(len(matrix))
        totals = rest.sum(1, keepdims=True)
        return np.divide(rest, totals, out=np.zeros_like(rest), where=totals > 0) + np.eye(len(matrix))

    encoded = generic(encoder)
    target, source = np.eye(len(decoder[0])), np.zeros(cross[0].shape)
    for own, other in zip(decoder, cross, strict=True):
        source = source + own @ source
        target = target + own @ target
        source = source + normal(target).T @ other @ normal(encoded)
    return source, target


def vectors(reference: Reference, layer: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """a_ij f_h(x_j) as (head, query, key, width), the attention's whole output, and its bias."""
    parts = reference.parts
    assert parts is not None
    block = reference.layers()[layer]
    value, output = block.get_submodule(parts.value), block.get_submodule(parts.output)
    with reference.noting([value, output]) as found:
        reference.module(**reference.inputs)
    weights = reference.maps()[layer]
    heads = len(weights)
    values = found[value][1][0].detach().numpy()
    if parts.fused:
        values = values.reshape(len(values), heads, 3, -1)[:, :, 2].reshape(len(values), -1)
    matrix = output.weight.detach().numpy()
    size = matrix.shape[1] // heads
    groups = heads // (values.shape[1] // size)
    made = np.stack(
        [
            values[:, head // groups * size : (head // groups + 1) * size]
            @ matrix[:, head * size : (head + 1) * size].T
            for head in range(heads)
        ]
    )  # (head, key, width)
    bias = np.zeros(len(matrix)) if output.bias is None else output.bias.detach().numpy()
    return weights[..., None] * made[:, None], found[output][1][0].detach().numpy(), bias


def block_norms(reference: Reference, layer: int) -> np.ndarray:
    """Norms of (attention + residual), behind the layer norm where the family has one there."""
    parts = reference.parts
    assert parts is not None
    each, output, _ = vectors(reference, layer)
    taken = each.sum(0)  # (query, key, width)
    if parts.between is not None:
        between = reference.layers()[layer].get_submodule(parts.between)
        root = np.sqrt((output**2).mean(-1) + between.eps)
        taken = taken / root[:, None, None] * (1 + between.weight.detach().numpy())
    past = reference.outputs.hidden_states[layer][0].detach().numpy()
    places = np.arange(len(past))
    taken[places, places] += past
    if parts.norm is None:
        return np.linalg.norm(taken, axis=-1)
    norm = reference.layers()[layer].get_submodule(parts.norm)
    deviation = np.sqrt((output + past).var(-1) + norm.eps)
    centred = (taken - taken.mean(-1, keepdims=True)) / deviation[:, None, None]
    return np.linalg.norm(centred * norm.weight.detach().numpy(), axis=-1)


def value_zeroing(reference: Reference, layer: int) -> np.ndarray:
    """Cosine distances of a layer's output, by a hook that zeroes one row of what its value matrix gives."""
    parts = reference.parts
    assert parts is not None
    block = reference.layers()[layer]
    value = block.get_submodule(parts.value)
    pieces = reference.inputs["input_ids"].shape[1]

    def output() -> np.ndarray:
        with reference.noting([block]) as found:
            reference.module(**reference.inputs)
        return found[block][1].reshape(pieces, -1).detach().numpy()

    before, columns = output(), []
    for piece in range(pieces):

        def zero(module: Any, given: Any, made: torch.Tensor, piece: int = piece) -> torch.Tensor:
            made = made.clone()
            if parts.fused:
                made.view(*made.shape[:2], len(reference.maps()[layer]), 3, -1)[:, piece, :, 2] = 0.0
            else:
                made[:, piece] = 0.0
            return made

        handle = value.register_forward_hook(zero)
        after = output()
        handle.remove()
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        columns.append(1 - (before * after).sum(1) / lengths)
    distances = np.maximum(np.stack(columns, 1), 0)
    totals = distances.sum(1, keepdims=True)
    return distances / np.where(totals > 0, totals, 1)


def decoder_blocks(name: str, module: Any) -> list[tuple[Any, Any, Any]]:
    """The layers of an encoder-decoder's decoder, with the value matrices of own and cross-attention."""
    if name == "t5":
        blocks = module.decoder.block
        return [(each, each.layer[0].SelfAttention.v, each.layer[1].EncDecAttention.v) for each in blocks]
    layers = module.model.decoder.layers
    return [(each, each.self_attn.v_proj, each.encoder_attn.v_proj) for each in layers]


def turned_without(module: Any, inputs: dict[str, Any], block: Any, matrix: Any, piece: int) -> np.ndarray:
    """Cosine distances (query,) of a layer's output without the value of one piece."""
    outputs: list[np.ndarray] = []

    def note(_: Any, given: Any, made: Any) -> None:
        outputs.append((made[0] if isinstance(made, tuple) else made)[0].detach().numpy())

    def zero(_: Any, given: Any, made: torch.Tensor) -> torch.Tensor:
        made = made.clone()
        made[:, piece] = 0.0
        return made

    handles = [block.register_forward_hook(note)]
    module(**inputs, use_cache=False)
    handles.append(matrix.register_forward_hook(zero))
    module(**inputs, use_cache=False)
    for handle in handles:
        handle.remove()
    before, after = outputs
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    return 1 - (before * after).sum(1) / lengths
