"""What cross-attention knows of word alignment: for every head, layer and reading, links that are right.

One pass counts links, those that a reference has as possible and as sure, by blocks of pairs, so that head
and reading can be chosen on one half and scored on the other. Padding and special pieces are no words; a
word that nothing is attended from, or that has no piece, has no link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, Site
from headscope.blocks import BLOCKS, block_of
from headscope.explainers.projecting import why_no_vectors
from headscope.measures.links import COUNTS
from headscope.models import Sides
from headscope.questions.align.maps import Pairing, maps_of, reference
from headscope.questions.align.readings import ARGMAX, MEASURES, RULES, THRESHOLD, TOKENS, WEIGHTS
from headscope.tallies import BlockSums, Rows, Tally

COUNTED = len(COUNTS) - 1
"""What depends on the links: all but the sure ones there are."""


class Align:
    """The analysis; see the head of this file. references: the names of those that each pair has links of."""

    name = "align"

    def __init__(self, references: Sequence[str]) -> None:
        self.references = tuple(references)

    def work(self, setting: Setting) -> AlignWork:
        return AlignWork(self, setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Counts by block; `tables` makes answers of them. Items are the heads in question, then layers."""
        found, wanted, pairs = (tallies[name] for name in ("found", "wanted", "pairs"))
        assert isinstance(found, BlockSums) and isinstance(wanted, BlockSums) and isinstance(pairs, Rows)
        found.close()
        sites, names = setting.sites(), setting.coordinates()
        last = np.broadcast_to(
            wanted.total.reshape(BLOCKS, len(self.references), 1, 1, 1, 1, 1),
            (*found.total.shape[:-1], 1),
        )
        counts = np.concatenate([found.total, last], axis=-1)
        heads = len(setting.chosen())
        labels = {
            "item": [*names["head"][1], *(f"{site.stack}:L{site.layer}" for site in sites)],
            "unit": ("item", ["head"] * heads + ["layer"] * len(sites)),
            "stack": ("item", [*names["stack"][1], *(site.stack for site in sites)]),
            "layer": ("item", [*names["layer"][1], *(site.layer for site in sites)]),
            "index": ("item", [*names["index"][1], *([-1] * len(sites))]),
            "reference": list(self.references),
            "measure": list(measures_of(setting)),
            "token": list(TOKENS),
            "rule": list(RULES),
            "count": list(COUNTS),
            "block": np.arange(BLOCKS),
        }
        shape = ("block", "reference", "measure", "token", "rule", "item", "count")
        dataset = xr.Dataset({"counts": (shape, counts)}, coords=labels)
        words = pairs.result().sum(0).astype(int).tolist()
        dataset.attrs |= dict(zip(("words", "targets", "unread"), words, strict=True))
        dataset.attrs["pairs"] = len(pairs.result())
        return dataset


def measures_of(setting: Setting) -> tuple[str, ...]:
    """By weights, and where the model shows its vectors by norms."""
    return MEASURES if why_no_vectors(setting.model) is None else (WEIGHTS,)


class AlignWork(ListeningWork):
    """Counts every layer as it is heard."""

    def __init__(self, analysis: Align, setting: Setting) -> None:
        super().__init__(setting)
        self.references, self.measures = len(analysis.references), measures_of(setting)
        items = len(setting.chosen()) + len(self.sites)
        shape = (len(self.measures), len(TOKENS), len(RULES), items, COUNTED)
        self.found = BlockSums(self.references, shape)
        self.wanted = BlockSums(self.references, (1,))
        self.pairs = Rows((3,))
        self.tallies: Tallies = {"found": self.found, "wanted": self.wanted, "pairs": self.pairs}

    def begin(self, sides: Sides) -> None:
        self._segments = sides.segments
        device = self.setting.model.device
        self._pairing = Pairing.of(sides.segments, device)
        given = [reference(sides.segments, number) for number in range(self.references)]
        self._sure = np.stack([sure.sum((1, 2)) for _, sure in given], 1)  # (batch, reference)
        every = np.ones_like(given[0][0])
        each = (every, *(links for kinds in given for links in kinds))
        kinds = [links.reshape(len(every), -1) for links in each]
        self._kinds = torch.from_numpy(np.stack(kinds, -1).astype(np.float32)).to(device)
        self._sizes = torch.tensor([len(segment.words) for segment in sides.segments], device=device)
        self._heard: dict[Site, np.ndarray] = {}

    def take(self, heard: Heard) -> None:
        model, heads = self.setting.model, self.setting.indices(heard.site)
        counts = []
        for measure in self.measures:
            maps = maps_of(model, heard, heads, measure)
            counts.append([self._counts(self._pairing.words(maps, token)) for token in TOKENS])
        self._heard[heard.site] = np.array(counts)  # (measure, token, rule, batch, item, kind)

    def _counts(self, maps: torch.Tensor) -> list[np.ndarray]:
        """Links of each kind by each rule, (batch, item, kind) each."""
        links = (links_by(maps, rule, self._sizes).flatten(2) for rule in RULES)
        return [(own.float() @ self._kinds).cpu().numpy() for own in links]

    def end(self, documents: Sequence[str]) -> None:
        heard = [self._heard[site] for site in self.sites]
        # Heads first, layers behind them.
        counts = np.concatenate([own[..., :-1, :] for own in heard] + [own[..., -1:, :] for own in heard], -2)
        counts = np.moveaxis(counts, 3, 0)  # (batch, measure, token, rule, item, kind)
        blocks = np.array([block_of(document) for document in documents])
        for number in range(self.references):
            cells = np.full(len(blocks), number)
            kinds = [0, 1 + 2 * number, 2 + 2 * number]
            self.found.update(blocks, cells, counts[..., kinds])
            self.wanted.update(blocks, cells, self._sure[:, [number]])
        self.found.see(documents)
        sizes = [(len(segment.words), len(segment.target_words), 0) for segment in self._segments]
        rows = np.array(sizes, np.float64)
        rows[0, 2] = self._pairing.unread  # of the batch
        self.pairs.update(documents, rows)


def links_by(maps: torch.Tensor, rule: str, sizes: torch.Tensor) -> torch.Tensor:
    """Links (batch, item, target word, source word) bool by a rule; sizes: (batch,) of source words."""
    kind, _, number = rule.partition(" ")
    if kind == THRESHOLD:
        return maps >= float(number)
    most, best = maps.max(-1, keepdim=True)
    place = best + (0 if kind == ARGMAX else int(number))
    inside = (most > 0) & (place >= 0) & (place < sizes[:, None, None, None])
    return (torch.arange(maps.shape[-1], device=maps.device) == place) & inside
