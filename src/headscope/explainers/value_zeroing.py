"""Value zeroing (Mohebbi et al. 2023): what becomes of a layer's output without the value of one piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

from headscope.attention import Heard, Site
from headscope.attention.edit import WeightEdit
from headscope.explainers.asked import Asked
from headscope.explainers.chain import chain_of, taken_alone, why_no_chain
from headscope.explainers.explainer import Cost, Explainer, why_weights_stay
from headscope.explainers.layers import Call, Layers
from headscope.heads import Stack
from headscope.measures.norms import rows_of_shares
from headscope.models import Model

ROWS = 64
"""Copies of texts that a layer is called with at once."""


class ZeroValues(WeightEdit):
    """Take from each copy of a text the value of one piece: a weight of zero that is given to no other.

    stack: whose attention is changed. pieces: (copy,) what the copies of a text lack.
    """

    def __init__(self, model: Model, stack: Stack) -> None:
        super().__init__([head for head in model.heads() if head.stack == stack])
        self.stack, self.pieces = stack, torch.empty(0, dtype=torch.long)

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        gone = self.pieces.repeat(len(weights) // len(self.pieces))
        index = gone[:, None, None, None].expand(*weights.shape[:-1], 1)
        return weights.scatter(-1, index, 0.0)


def zeroed_maps(asked: Asked) -> dict[Site, torch.Tensor]:
    """By site the cosine distances that a piece's value makes to each output, as shares (text, query, key).

    Mohebbi et al. 2023, equations 3 and 4. A decoder layer that looks at a source too has one output: its
    shares are over both texts, (text, query, key and query), and stand at the attention to the source; at
    its own attention stands the identity.
    """
    model, layers = asked.model, Layers(asked.model)
    with torch.no_grad(), asked.attached() as module:
        with layers.noted():
            asked.run(module)
        # Source before target, as pieces of both stand side by side.
        edits = [
            ZeroValues(model, stack) for stack in sorted(model.stacks(), key=lambda each: each != "cross")
        ]
        served = zip(layers.calls, layers.served, strict=True)
        return dict(pair for call, sites in served for pair in _maps(asked, call, sites, edits))


def _maps(
    asked: Asked, call: Call, sites: Sequence[Site], edits: Sequence[ZeroValues]
) -> Iterator[tuple[Site, torch.Tensor]]:
    """The maps of the attentions of one layer."""
    by_stack = {site.stack: site for site in sites}
    parts = []
    for edit in (edit for edit in edits if edit.stack in by_stack):
        keys = torch.from_numpy(asked.sides.of(edit.stack)[1].real).to(asked.texts.device)
        with asked.attached(edits=[edit]):
            parts.append(_distances(call, edit, keys.shape[1]).masked_fill(~keys[:, None], 0.0))
    shares = rows_of_shares(torch.cat(parts, -1))
    *others, last = sites
    yield last, shares
    for site in others:
        queries = shares.shape[1]
        yield site, torch.eye(queries, dtype=shares.dtype, device=shares.device).expand(len(shares), -1, -1)


def _distances(call: Call, edit: ZeroValues, keys: int) -> torch.Tensor:
    """(text, query, key) of one layer."""
    texts, queries, _ = call.made.shape
    parts = []
    for some in torch.split(torch.arange(keys, device=call.made.device), max(1, ROWS // texts)):
        edit.pieces = some
        changed = call.again(len(some)).reshape(texts, len(some), queries, -1)  # (text, copy, query, width)
        parts.append(1 - torch.cosine_similarity(changed.double(), call.made[:, None].double(), dim=-1))
    return torch.cat(parts, 1).clamp_min(0).transpose(1, 2)


def _value_zeroing(asked: Asked) -> torch.Tensor:
    """The product of all layers' distances, which have what goes past the attention in them."""
    return chain_of(asked, zeroed_maps(asked), taken_alone).followed(asked.texts)


def why_no_zeroing(model: Model) -> str | None:
    """Why layers cannot be called by themselves; None where they can."""
    reason = why_weights_stay(model) or why_no_chain(model)
    if reason is not None:
        return reason
    if {"sees_earlier", "sees_later"} & {*model.stacks()}:
        return (
            "in its blocks no piece looks at itself, so what a piece keeps of its own, past the attention, "
            "would not be counted"
        )
    return None if Layers(model).whole else "it has no layers whose outputs could be compared"


def _each_layer(asked: Asked) -> Cost:
    """Every layer once for each piece that it looks at, padding included, in parts of a whole pass."""
    layers = Layers(asked.model).served
    looked_at = [sum(asked.sides.of(site.stack)[1].ids.shape[1] for site in sites) for sites in layers]
    return Cost((1 + sum(looked_at) / len(layers)) / asked.answers_to_a_text)


VALUE_ZEROING = Explainer(
    "value-zeroing", "value zeroing", "Mohebbi et al. 2023", "runs", _each_layer,
    _value_zeroing, why_no_zeroing,
)  # fmt: skip
