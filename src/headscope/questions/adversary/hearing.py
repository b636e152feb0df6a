"""What a model answers to texts and where it looks in them: told once, or again for each batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch

from headscope.attention import Heard, Site, attach
from headscope.attention.listen import Need
from headscope.blocks import number_of
from headscope.models import Model, Sides
from headscope.text import Segment

Inputs = Mapping[str, torch.Tensor]
Maps = dict[Site, torch.Tensor]

ROOM = 2**28
"""Bytes of maps that are kept; where they need more, the model runs again for each batch."""

MASK = "attention_mask"


class Listening:
    """Keeps what some sites let hear in the last pass, with its graph."""

    needs: Need = "map"

    def __init__(self, model: Model, sites: Iterable[Site]) -> None:
        self._model, self._sites = model, frozenset(sites)
        self.heard: dict[Site, Heard] = {}

    @contextmanager
    def attached(self) -> Iterator[None]:
        with attach(self._model.module, self._model.sites, [self]):
            yield

    def hear(self, heard: Heard) -> None:
        if heard.site in self._sites:
            self.heard[heard.site] = heard


def real_rows(heard: Heard, inputs: Inputs) -> torch.Tensor:
    """Which queries count, (batch, query) bool: those that are no padding and see something.

    Where pieces look at pieces of the same text, one that nobody sees counts as part of another: a tagger's
    word is seen by its first piece alone.
    """
    visible = heard.visible[:, 0].expand(len(heard.weights), -1, -1)
    sees = visible.any(-1)
    if heard.site.queries != "piece":
        return sees
    real = sees & (inputs[MASK] > 0)
    return real & visible.any(1) if heard.site.stack == "encoder" else real


def some_texts(prepared: Iterable[Sides], count: int) -> list[Segment]:
    """So many texts at most, drawn by what they say: the same ones whatever the batches, of any length."""
    texts = [segment for sides in prepared for segment in sides.segments]
    return sorted(texts, key=lambda text: number_of(" ".join(text.words)))[:count]


def keys_of(inputs: Inputs) -> list[bytes]:
    """What tells texts apart, whatever batch they are in: all that the model reads of them."""
    sizes = inputs[MASK].sum(1).tolist()
    arrays = [inputs[name].cpu().numpy() for name in sorted(inputs) if name != MASK]
    return [
        b"|".join(np.ascontiguousarray(array[row, :size]).tobytes() for array in arrays)
        for row, size in enumerate(sizes)
    ]


class _Text(NamedTuple):
    """chances: (label,) or (piece, label). maps: of each site (head, query, key), where they are kept."""

    chances: torch.Tensor
    maps: tuple[torch.Tensor, ...]


class Known:
    """A model as it is now, over texts that it is asked of again and again.

    Its answers are kept, and its maps where there is room for them; they are taken in the order and the
    batches in which the texts are given here, so that a stopped run meets the same bits.
    """

    def __init__(self, model: Model, sites: Sequence[Site], texts: Iterable[Sides], room: int = ROOM) -> None:
        self.model, self.sites = model, list(sites)
        prepared = list(texts)
        self.keeps_maps = sum(self._bytes(sides) for sides in prepared) <= room
        self._texts: dict[bytes, _Text] = {}
        for sides in prepared:
            self._take(sides.inputs)

    def answers(self, inputs: Inputs) -> torch.Tensor:
        """Probabilities, (batch, label) or (batch, piece, label)."""
        chances = [self._texts[key].chances for key in keys_of(inputs)]
        return _padded(chances, [inputs[MASK].shape[1]][: chances[0].ndim - 1]).to(inputs[MASK].device)

    def maps(self, inputs: Inputs) -> Maps:
        """(batch, head, query, key) by site, without a graph."""
        if not self.keeps_maps:
            return self._run(inputs)[1]
        texts, found, width = [self._texts[key] for key in keys_of(inputs)], {}, inputs[MASK].shape[1]
        for place, site in enumerate(self.sites):
            maps = [text.maps[place] for text in texts]
            heads, queries, _ = maps[0].shape
            shape = heads, width if site.queries == "piece" else queries, width
            found[site] = _padded(maps, shape).to(inputs[MASK].device)
        return found

    def _bytes(self, sides: Sides) -> int:
        """Of the maps of a batch."""
        sizes = sides.source.lengths.astype(int)
        return 4 * sum(
            site.heads * int((sizes * (sizes if site.queries == "piece" else 2)).sum()) for site in self.sites
        )

    def _run(self, inputs: Inputs) -> tuple[torch.Tensor, Maps]:
        listening = Listening(self.model, self.sites)
        with torch.no_grad(), self.model.attached([listening], whole=True) as module:
            logits = module(**inputs).logits
        return logits.softmax(-1), {site: listening.heard[site].weights.detach() for site in self.sites}

    def _take(self, inputs: Inputs) -> None:
        chances, maps = self._run(inputs)
        sizes = inputs[MASK].sum(1).tolist()
        for row, (key, size) in enumerate(zip(keys_of(inputs), sizes, strict=True)):
            own = chances[row] if chances.ndim == 2 else chances[row, :size]
            kept = [
                weights[row, :, : size if site.queries == "piece" else None, :size].cpu().clone()
                for site, weights in maps.items()
            ]
            self._texts.setdefault(key, _Text(own.cpu().clone(), tuple(kept) if self.keeps_maps else ()))


def _padded(tensors: Sequence[torch.Tensor], shape: Sequence[int]) -> torch.Tensor:
    """Tensors in one, (batch, *shape, ...), zeros behind the end of each."""
    filled = tensors[0].new_zeros(len(tensors), *shape, *tensors[0].shape[len(shape) :])
    for row, tensor in enumerate(tensors):
        filled[row][tuple(slice(size) for size in tensor.shape)] = tensor
    return filled
