"""Value zeroing (Mohebbi et al. 2023): what becomes of a layer's output without the value of one piece."""

from __future__ import annotations

import torch

from headscope.attention import Heard, Site
from headscope.attention.edit import WeightEdit
from headscope.explainers.asked import Asked
from headscope.explainers.chain import chain_of, taken_alone
from headscope.explainers.explainer import Cost, Explainer, why_weights_stay
from headscope.explainers.layers import Call, Layers
from headscope.measures.norms import rows_of_shares
from headscope.models import Model

ROWS = 64
"""Copies of texts that a layer is called with at once."""


class ZeroValues(WeightEdit):
    """Take from each copy of a text the value of one piece: a weight of zero that is given to no other.

    pieces: (copy,) what the copies of a text lack.
    """

    def __init__(self, model: Model) -> None:
        super().__init__(model.heads())
        self.pieces = torch.empty(0, dtype=torch.long)

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        gone = self.pieces.repeat(len(weights) // len(self.pieces))
        index = gone[:, None, None, None].expand(*weights.shape[:-1], 1)
        return weights.scatter(-1, index, 0.0)


def zeroed_maps(asked: Asked) -> dict[Site, torch.Tensor]:
    """By site the cosine distances that a piece's value makes to each output, as shares (text, query, key).

    Mohebbi et al. 2023, equations 3 and 4.
    """
    layers, edit = Layers(asked.model), ZeroValues(asked.model)
    with torch.no_grad(), asked.attached() as module:
        with layers.noted():
            asked.run(module)
        with asked.attached(edits=[edit]):
            maps = [_distances(call, edit) for call in layers.calls]
    real = torch.from_numpy(asked.sides.source.real).to(asked.texts.device)
    sites = asked.model.sites.sites
    return {
        site: rows_of_shares(map.masked_fill(~real[:, None], 0.0))
        for site, map in zip(sites, maps, strict=True)
    }


def _distances(call: Call, edit: ZeroValues) -> torch.Tensor:
    """(text, query, key) of one layer."""
    texts, pieces, _ = call.made.shape
    parts = []
    for some in torch.split(torch.arange(pieces, device=call.made.device), max(1, ROWS // texts)):
        edit.pieces = some
        changed = call.again(len(some)).reshape(texts, len(some), pieces, -1)  # (text, copy, query, width)
        parts.append(1 - torch.cosine_similarity(changed.double(), call.made[:, None].double(), dim=-1))
    return torch.cat(parts, 1).clamp_min(0).transpose(1, 2)


def _value_zeroing(asked: Asked) -> torch.Tensor:
    """The product of all layers' distances, which have what goes past the attention in them."""
    return chain_of(asked, zeroed_maps(asked), taken_alone).followed(asked.texts)


def why_no_zeroing(model: Model) -> str | None:
    """Why layers cannot be called by themselves; None where they can."""
    if model.shape == "encoder-decoder":
        return "its decoder's layers look at two texts at once"
    stay = why_weights_stay(model)
    if stay is not None:
        return stay
    layers = Layers(model)
    sites = model.sites.sites
    if not layers.whole or any(site.stack not in ("encoder", "decoder") for site in sites):
        return "it has no layers whose outputs could be compared"
    return None


def _each_layer(asked: Asked) -> Cost:
    """Every layer once for each piece of a text, padding included."""
    return Cost((1 + asked.sizes[0]) / asked.answers_to_a_text)


VALUE_ZEROING = Explainer(
    "value-zeroing", "value zeroing", "Mohebbi et al. 2023", "runs", _each_layer,
    _value_zeroing, why_no_zeroing,
)  # fmt: skip
