"""Labelled sentences, and which part of the data each belongs to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from headscope.blocks import block_of
from headscope.errors import InputError
from headscope.text import Document
from headscope.text.readers.split_lines import SPLITS
from headscope.text.treebanks import TEST, TUNE

TRAIN, TUNED, SCORED = SPLITS
SHARES = {TRAIN: (1 - TEST) * (1 - TUNE), TUNED: (1 - TEST) * TUNE, SCORED: TEST}
"""How much of the data is to train on, to choose settings with, and to score."""


class Example(NamedTuple):
    """A sentence as words, its label, its document, and its part of the data."""

    words: tuple[str, ...]
    label: str
    document: str
    split: str


class Targeted(NamedTuple):
    """A labelled sentence whose label hangs on one word of it: that word decides its part of the data."""

    words: tuple[str, ...]
    label: str
    document: str
    target: str


@dataclass(frozen=True)
class Parts:
    """The part of the data of each block of documents."""

    of_block: Mapping[int, str]

    @classmethod
    def drawn(cls, documents: Iterable[str], seed: int) -> Parts:
        """Draw them among the blocks that hold a document."""
        blocks = sorted({block_of(document) for document in documents})
        if len(blocks) < len(SPLITS):
            raise InputError(
                f"the treebanks hold documents of {len(blocks)} blocks; to train, to tune and to score, at "
                f"least {len(SPLITS)} are needed (# newdoc parts the documents of a treebank)"
            )
        drawn = np.random.default_rng(seed).permutation(blocks).tolist()
        scored = max(1, round(SHARES[SCORED] * len(drawn)))
        tuned = scored + max(1, round(SHARES[TUNED] * len(drawn)))
        parts = [SCORED] * scored + [TUNED] * (tuned - scored) + [TRAIN] * (len(drawn) - tuned)
        return cls(dict(zip(drawn, parts, strict=True)))

    def of(self, document: str) -> str:
        return self.of_block[block_of(document)]


Maker = Callable[[Sequence[Document], Parts, np.random.Generator], list[Example]]
"""Sentences, each a document of its own, to examples."""


def parted_by_target(examples: Sequence[Targeted], draw: np.random.Generator) -> list[Example]:
    """Give every target word to one part of the data alone, then balance the labels within each part.

    Conneau et al. 2018, section 3: a form that is a target in training is none in testing. Frequent forms are
    given away first, each to the part that lacks most of its share of that label.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        counts[example.target][example.label] += 1
    totals = Counter(example.label for example in examples)
    forms = sorted(counts)
    forms = [forms[place] for place in draw.permutation(len(forms))]
    given: dict[str, str] = {}
    held: dict[str, Counter[str]] = {part: Counter() for part in SHARES}
    for form in sorted(forms, key=lambda form: -counts[form].total()):
        (label, _), *_ = counts[form].most_common(1)
        lacks = {part: 1 - held[part][label] / (share * totals[label]) for part, share in SHARES.items()}
        given[form] = max(lacks, key=lambda part: lacks[part])
        held[given[form]].update(counts[form])
    return balanced([Example(*example[:3], given[example.target]) for example in examples], draw)


def balanced(examples: Sequence[Example], draw: np.random.Generator) -> list[Example]:
    """As many of each label within a part of the data, drawn among those there are; the order is kept."""
    places: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    labels = sorted({example.label for example in examples})
    for place, example in enumerate(examples):
        places[example.split][example.label].append(place)
    kept: list[int] = []
    for part in sorted(places):
        fewest = min(len(places[part][label]) for label in labels)
        for label in labels:
            kept += draw.permutation(places[part][label])[:fewest].astype(int).tolist()
    return [examples[place] for place in sorted(kept)]


def half_of_each_part(documents: Sequence[str], parts: Parts, draw: np.random.Generator) -> np.ndarray:
    """Which half of the sentences of each part of the data is to be changed, (sentence,) bool."""
    splits = np.array([parts.of(document) for document in documents])
    changed = np.zeros(len(splits), bool)
    for part in SHARES:
        places = draw.permutation(np.flatnonzero(splits == part))
        changed[places[: len(places) // 2]] = True
    return changed
