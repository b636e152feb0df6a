"""Example sentences for heads that know a relation, as in Clark et al. 2019, figure 5."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
import pandas as pd
import torch
import xarray as xr

from headscope.analyses.trees import tree_of
from headscope.attention import Recorder
from headscope.engine.work import Plan
from headscope.heads import Head
from headscope.measures.words import strongest_others, word_maps
from headscope.models import sides_of
from headscope.questions.syntax.analysis import Syntax
from headscope.questions.syntax.relations import ALL
from headscope.text import Corpus, Segment, batches, has_piece, piece_label
from headscope.text.alignment import number_all

RELATIONS, SENTENCES, TRIED = 6, 2, 400
"""How many relations are shown, with how many sentences each, chosen from how many."""

SHORTEST, LONGEST = 4, 12
"""Words of a sentence that is drawn."""


@dataclass(frozen=True)
class _Shown:
    """A sentence for a relation: its words with the special tokens, a map of the head, and the arcs."""

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
    found = relations[relations["found"] & (relations["relation"] != ALL)]
    gain = found["accuracy"] - found["offset_accuracy"]
    chosen = found.loc[gain.sort_values(ascending=False, kind="stable").index[:RELATIONS]]
    sentences = _short(plan, corpus)
    shown, labels = [], []
    for row in chosen[["relation", "same_data_head", "same_data_reading"]].itertuples(index=False):
        relation, head, reading = (str(part) for part in row)
        best = _best(plan, sentences, relation, head, reading)
        shown += best
        labels += [(relation, head, reading)] * len(best)
    return _dataset(shown, labels)


def _short(plan: Plan, corpus: Corpus) -> list[Segment]:
    """The first sentences that are neither too short nor too long to draw."""
    fit = (segment for segment in plan.segments(corpus) if SHORTEST <= len(segment.words) <= LONGEST)
    return list(islice((segment for segment in fit if has_piece(segment).all()), TRIED))


def _best(plan: Plan, sentences: list[Segment], relation: str, head: str, reading: str) -> list[_Shown]:
    """The sentences with most arcs of the relation that the head gets right, the shortest first."""
    heads = {plan.setting.model.label(one): one for one in plan.setting.chosen()}
    with_arcs = [one for one in sentences if len(_arcs(plan, one, relation, reading))]
    shown = [_show(plan, one, heads[head], relation, reading) for one in with_arcs[: TRIED // 10]]
    order = sorted(shown, key=lambda one: (-int(one.right.sum()), int((~one.right).sum()), len(one.words)))
    return order[:SENTENCES]


def _show(plan: Plan, segment: Segment, head: Head, relation: str, reading: str) -> _Shown:
    model = plan.setting.model
    recorder = Recorder(layers=[head.layer])
    sides = sides_of(model, next(iter(batches([segment], model.tokenizer, 1, model.device))))
    with torch.no_grad(), model.attached([recorder], plan.edits) as module:
        module(**sides.inputs)
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
    to, by = (one[0, 0] for one in strongest_others(table[np.ix_(place, place)][None, None]))
    attends, attended = _arcs(plan, segment, relation, reading).T
    right = by[attended] == attends if reading == "head<-dep" else to[attends] == attended
    return _Shown(names, special, table, place[np.stack([attends, attended], axis=1)], right)


def _arcs(plan: Plan, segment: Segment, relation: str, reading: str) -> np.ndarray:
    """Words that attend and what is right for them, (arc, 2)."""
    tree = tree_of(segment)
    (syntax,) = plan.analyses
    assert isinstance(syntax, Syntax)
    number = syntax.relations.index(relation)
    bears = np.array([syntax.numbers.get(label) == number for label in tree.relations], bool)
    word = np.flatnonzero(bears & (tree.heads >= 0))
    pair = [word, tree.heads[word]]
    return np.stack(pair if reading == "dep->head" else pair[::-1], axis=1)


def _dataset(shown: list[_Shown], labels: list[tuple[str, str, str]]) -> xr.Dataset:
    size = max((len(one.words) for one in shown), default=0)
    weights = np.full((len(shown), size, size), np.nan, np.float32)
    arc = np.full((len(shown), size), -1)
    special = np.zeros((len(shown), size), bool)
    words = np.full((len(shown), size), "", object)
    for number, one in enumerate(shown):
        count = len(one.words)
        weights[number, :count, :count] = one.weights
        arc[number, one.arcs[:, 0]] = one.arcs[:, 1]
        special[number, :count] = one.special
        words[number, :count] = one.words
    relation, head, reading = (
        np.array([label[part] for label in labels], object).reshape(len(shown)) for part in range(3)
    )
    return xr.Dataset(
        {
            "weights": (("example", "query", "key"), weights),
            "arc": (("example", "query"), arc),
            "special": (("example", "query"), special),
            "word": (("example", "query"), words),
        },
        coords={
            "relation": ("example", relation),
            "head": ("example", head),
            "reading": ("example", reading),
        },
    )
