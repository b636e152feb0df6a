"""Example sentences for heads that know a relation, as in Clark et al. 2019, figure 5."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.trees import tree_of
from headscope.attention import Recorder
from headscope.engine.work import Plan, run_segment
from headscope.heads import Head
from headscope.measures.words import strongest_others, word_maps
from headscope.questions.syntax.analysis import Syntax
from headscope.questions.syntax.relations import ALL
from headscope.results.vocabulary import DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT
from headscope.text import Corpus, Segment, has_piece, piece_label
from headscope.text.alignment import number_all

RELATIONS, SENTENCES, TRIED = 6, 2, 400
"""How many relations are shown, with how many sentences each, chosen from how many."""

SHORTEST, LONGEST = 4, 12
"""Words of a sentence that is drawn."""


class _Finding(NamedTuple):
    """A relation that was found, the name of the head that knows it, and how it is read."""

    relation: str
    head: str
    reading: str


@dataclass(frozen=True)
class _Example:
    """A sentence for a finding: its words with the special tokens, a map of the head, and the arcs."""

    finding: _Finding
    words: list[str]
    special: np.ndarray  # (word,) bool: it is a special token
    weights: np.ndarray
    arcs: np.ndarray  # (arc, 2): the word that attends, and the one it should attend to
    right: np.ndarray  # (arc,) bool: it does so most


def examples(plan: Plan, corpus: Corpus, relations: pd.DataFrame) -> xr.Dataset:
    """Maps (example, query, key) of the heads of the relations that were found, where they are right most.

    Shorter sentences are filled with NaN. `arc` is (example, query): the key that is right for a word that
    bears the relation, -1 for others. `special` is (example, query) bool.
    """
    findings = relations[relations["found"] & (relations["relation"] != ALL)]
    gain = findings["accuracy"] - findings["offset_accuracy"]
    clearest = findings.loc[gain.sort_values(ascending=False, kind="stable").index[:RELATIONS]]
    rows = clearest[["relation", "same_data_head", "same_data_reading"]].astype(str)
    sentences = _short(plan, corpus)
    return _dataset(
        [
            example
            for row in rows.itertuples(index=False)
            for example in _best(plan, sentences, _Finding(*row))
        ]
    )


def _short(plan: Plan, corpus: Corpus) -> list[Segment]:
    """The first sentences that are neither too short nor too long to draw."""
    fit = (segment for segment in plan.segments(corpus) if SHORTEST <= len(segment.words) <= LONGEST)
    return list(islice((segment for segment in fit if has_piece(segment).all()), TRIED))


def _best(plan: Plan, sentences: list[Segment], finding: _Finding) -> list[_Example]:
    """The sentences with most arcs of the relation that the head gets right, the shortest first."""

    def rank(example: _Example) -> tuple[int, int, int]:
        return -int(example.right.sum()), int((~example.right).sum()), len(example.words)

    heads = {plan.setting.model.label(head): head for head in plan.setting.chosen()}
    with_arcs = [segment for segment in sentences if len(_arcs(plan, segment, finding))]
    shown = [_show(plan, segment, heads[finding.head], finding) for segment in with_arcs[: TRIED // 10]]
    return sorted(shown, key=rank)[:SENTENCES]


def _show(plan: Plan, segment: Segment, head: Head, finding: _Finding) -> _Example:
    model = plan.setting.model
    recorder = Recorder(layers=[head.layer])
    run_segment(plan, segment, recorder)
    weights = next(maps[0] for site, maps in recorder.maps.items() if site.stack == head.stack)
    numbers = number_all(segment.word)
    size = int(numbers.max()) + 1
    table = word_maps(weights[:, [head.index]], numbers[None], size)[0, 0, :, :size]
    names = [""] * size
    for number, word, piece in zip(numbers, segment.word, segment.pieces, strict=True):
        names[number] = segment.words[word] if word >= 0 else piece_label(model.tokenizer, int(piece))
    # Where each word stands among words and special tokens; sentences whose words all have pieces are shown.
    _, first = np.unique(np.where(segment.word < 0, len(segment.words), segment.word), return_index=True)
    place = numbers[first[: len(segment.words)]]
    special = np.ones(size, bool)
    special[place] = False
    to, by = (words[0, 0] for words in strongest_others(table[np.ix_(place, place)][None, None]))
    arcs = _arcs(plan, segment, finding)
    attends, attended = arcs.T
    right = by[attended] == attends if finding.reading == HEAD_FROM_DEPENDENT else to[attends] == attended
    return _Example(finding, names, special, table, place[arcs], right)


def _arcs(plan: Plan, segment: Segment, finding: _Finding) -> np.ndarray:
    """Words that attend and what is right for them, (arc, 2)."""
    tree = tree_of(segment)
    (syntax,) = plan.analyses
    assert isinstance(syntax, Syntax)
    number = syntax.relations.index(finding.relation)
    bears = np.array([syntax.numbers.get(label) == number for label in tree.relations], bool)
    word = np.flatnonzero(bears & (tree.heads >= 0))
    pair = [word, tree.heads[word]]
    return np.stack(pair if finding.reading == DEPENDENT_TO_HEAD else pair[::-1], axis=1)


def _dataset(shown: list[_Example]) -> xr.Dataset:
    size = max((len(example.words) for example in shown), default=0)
    weights = np.full((len(shown), size, size), np.nan, np.float32)
    arc = np.full((len(shown), size), -1)
    special = np.zeros((len(shown), size), bool)
    words = np.full((len(shown), size), "", object)
    for number, example in enumerate(shown):
        count = len(example.words)
        weights[number, :count, :count] = example.weights
        arc[number, example.arcs[:, 0]] = example.arcs[:, 1]
        special[number, :count] = example.special
        words[number, :count] = example.words
    return xr.Dataset(
        {
            "weights": (("example", "query", "key"), weights),
            "arc": (("example", "query"), arc),
            "special": (("example", "query"), special),
            "word": (("example", "query"), words),
        },
        coords={
            name: ("example", np.array([getattr(example.finding, name) for example in shown], object))
            for name in _Finding._fields
        },
    )
