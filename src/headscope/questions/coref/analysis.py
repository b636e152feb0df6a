"""What heads know of coreference: how often a mention's head word attends to that of an antecedent.

Clark et al. 2019, section 4.3. A mention counts if it has an antecedent in the same window. A head is right
if the candidate word that the mention's head word attends to most is the head word of one of the
antecedents. The baselines are counted over the same mentions, in the same pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.analyses.trees import padded_words
from headscope.attention import Heard, Site
from headscope.blocks import BLOCKS, block_of
from headscope.measures.words import word_maps
from headscope.models import Sides
from headscope.questions.coref.antecedents import BASELINES, links, only_shared, picks, right
from headscope.questions.coref.options import Candidates
from headscope.tallies import BlockSums, Tally
from headscope.text import Segment, has_piece
from headscope.text.mentions import KINDS, Mentions, mentions_of

TYPES = ("all", *KINDS[:3])
COVERAGE = ("mentions", "scored", "shared", "without pieces", "cut windows", "cut mentions")
"""Mentions in windows; those that count; those whose only antecedents have their own head word; those whose
head word has no pieces. Windows that end within a sentence; mentions that are cut apart there."""


class Coref:
    """The analysis; see the head of this file."""

    name = "coref"

    def __init__(self, candidates: Candidates = "words") -> None:
        self.candidates = candidates

    def work(self, setting: Setting) -> CorefWork:
        return CorefWork(self, setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Sums by block; `coref_types` makes answers of them."""
        right, coverage = tallies["right"], tallies["coverage"]
        assert isinstance(right, BlockSums) and isinstance(coverage, BlockSums)
        right.close()
        total = np.concatenate([right.total.sum(1, keepdims=True), right.total[:, : len(TYPES) - 1]], axis=1)
        count, baselines, heads = np.split(total, [1, 1 + len(BASELINES)], axis=-1)
        data = {
            "right": (("head", "type", "block"), heads.transpose(2, 1, 0)),
            "baseline_right": (("baseline", "type", "block"), baselines.transpose(2, 1, 0)),
            "count": (("type", "block"), count[..., 0].T),
        }
        labels = {"type": list(TYPES), "baseline": list(BASELINES), "block": np.arange(BLOCKS)}
        dataset = xr.Dataset(data, coords={**setting.coordinates(), **labels})
        with np.errstate(invalid="ignore"):
            dataset["accuracy"] = dataset["right"].sum("block") / dataset["count"].sum("block")
        dataset.attrs["documents"] = int(right.documents.sum())
        dataset.attrs |= dict(zip(COVERAGE, coverage.total.sum((0, 1)).astype(int).tolist(), strict=True))
        return dataset


@dataclass(frozen=True, eq=False)
class Asked:
    """The mentions of a batch that count, one row each.

    Shapes: text, word, kind, block (row,): the segment, the mention's head word in it, its kind, the block
    of its document; candidate and target (row, word) bool; baselines (row, baseline) bool, what was right.
    """

    text: np.ndarray
    word: np.ndarray
    kind: np.ndarray
    block: np.ndarray
    candidate: np.ndarray
    target: np.ndarray
    baselines: np.ndarray

    def right(self, maps: np.ndarray) -> np.ndarray:
        """(row, head) bool for maps (batch, head, word, at least word); of equals, the first word counts."""
        weights = maps[self.text, :, self.word, : self.candidate.shape[1]]
        weights = np.where(self.candidate[:, None], weights, np.float32(0))
        is_target = np.take_along_axis(self.target, weights.argmax(-1), axis=1)
        # Where no candidate gets anything, the first word is no choice.
        right: np.ndarray = is_target & (weights.max(-1) > 0)
        return right


def asked_of(segments: Sequence[Segment], candidates: Candidates) -> tuple[Asked, np.ndarray]:
    """The mentions that count in a batch; and (segment, `COVERAGE`), how many mentions there are."""
    longest = max(len(segment.words) for segment in segments)
    asked, coverage = [], np.zeros((len(segments), len(COVERAGE)))
    for place, segment in enumerate(segments):
        assert segment.part is not None, "windows keep their layers"
        every, known = mentions_of(segment.part), has_piece(segment)
        mentions = every.only(known[every.head])
        rows = _rows(place, segment, mentions, candidates, longest)
        asked.append(rows)
        counts = (len(every), len(rows.word), only_shared(mentions).sum(), len(every) - len(mentions))
        coverage[place] = (*counts, *segment.cut)
    names = Asked.__dataclass_fields__
    return Asked(*(np.concatenate([getattr(rows, name) for rows in asked]) for name in names)), coverage


def _rows(place: int, segment: Segment, mentions: Mentions, candidates: Candidates, longest: int) -> Asked:
    linked = links(mentions)
    scored = np.flatnonzero(linked.any(1))
    count = len(scored)
    heads = mentions.head[scored]
    target = np.zeros((count, longest), dtype=bool)
    row, other = np.nonzero(linked[scored])
    target[row, mentions.head[other]] = True
    candidate = np.zeros((count, longest), dtype=bool)
    candidate[:, np.arange(len(segment.words)) if candidates == "words" else mentions.head] = True
    candidate[np.arange(count), heads] = False
    if candidates == "preceding":
        candidate &= np.arange(longest) < heads[:, None]
    block = np.full(count, block_of(segment.document))
    baselines = right(mentions, picks(mentions))[scored]
    return Asked(np.full(count, place), heads, mentions.kind[scored], block, candidate, target, baselines)


class CorefWork(ListeningWork):
    """Hears whole maps and keeps of each head only where it was right."""

    def __init__(self, analysis: Coref, setting: Setting) -> None:
        super().__init__(setting)
        self.analysis = analysis
        self.right = BlockSums(len(KINDS), (1 + len(BASELINES) + len(setting.chosen()),))
        self.coverage = BlockSums(1, (len(COVERAGE),))
        self.tallies: Tallies = {"right": self.right, "coverage": self.coverage}

    def begin(self, sides: Sides) -> None:
        self._asked, self._coverage = asked_of(sides.segments, self.analysis.candidates)
        self._numbers = padded_words(sides.segments)
        self._heard: dict[Site, np.ndarray] = {}

    def take(self, heard: Heard) -> None:
        weights = self.setting.weights_of(heard)
        maps = word_maps(weights, self._numbers, self._asked.candidate.shape[1])
        self._heard[heard.site] = self._asked.right(maps)

    def end(self, documents: Sequence[str]) -> None:
        asked = self._asked
        every = np.ones((len(asked.word), 1), dtype=bool)
        right = [every, asked.baselines, *(self._heard[site] for site in self.sites)]
        self.right.update(asked.block, asked.kind, np.concatenate(right, axis=1))
        self.right.see(documents)
        blocks = np.array([block_of(document) for document in documents])
        self.coverage.update(blocks, np.zeros_like(blocks), self._coverage)
