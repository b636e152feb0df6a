"""The explanation beside that of other models, of edited texts, and of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from headscope.blocks import number_of
from headscope.engine.work import Plan
from headscope.measures.matching import matched, matched_distances
from headscope.measures.rationales import average_precision, overlap
from headscope.questions.trust.claims.stable import taus
from headscope.questions.trust.judging import Judged, judge
from headscope.questions.trust.others import changed_words, found_words, words_of_segment
from headscope.questions.trust.tables import interval, mean
from headscope.results.vocabulary import NOT_TESTED
from headscope.text import Corpus

TWIN, EDITED = "random twin", "edited texts"


class Given(NamedTuple):
    """What an explanation gives the words of some texts, and these words, by the number of the document."""

    data: xr.Dataset
    words: Mapping[int, Sequence[str]]


def words_by_document(plan: Plan, corpus: Corpus) -> dict[int, list[str]]:
    """The words of each text as answers number them, by the number of its document."""
    return {number_of(segment.document): words_of_segment(segment) for segment in plan.segments(corpus)}


def seeds_table(own: xr.Dataset, others: Mapping[str, xr.Dataset], seed: int) -> pd.DataFrame:
    """A row for each other model, random twin included: agreement of words, and of matched heads."""
    return pd.DataFrame([{"against": name, **_against(own, other, seed)} for name, other in others.items()])


def _against(own: xr.Dataset, other: xr.Dataset, seed: int) -> dict[str, Any]:
    documents, found = own["document"].values, taus(own, other)
    low, high = interval(found, documents, seed)
    distances = divergences(own["own"].values, other["own"].values)
    return {
        "tau": mean(found),
        "tau_low": low,
        "tau_high": high,
        "divergence": mean(distances),
        "by_heads": mean(matched_divergence(own, other)),
        "same": float((own["entry"].values == other["entry"].values).mean()),
        "answers": len(documents),
    }


def matched_divergence(own: xr.Dataset, other: xr.Dataset) -> np.ndarray:
    """Divergence of each head from the one that it is matched with in the same layer, (head,)."""
    left, right = (_shares(each["by_head"].values) for each in (own, other))
    between = [_mean_divergences(left[:, heads], right[:, heads]) for heads in _layers(own["head"].values)]
    return np.concatenate([matched_distances(layer[None])[0] for layer in between] or [np.empty(0)])


def weights_apart(own: xr.Dataset, other: xr.Dataset) -> np.ndarray:
    """Divergence of weights over pieces, mean over heads, each matched within its layer, (answer,).

    As adversaries are measured; but where an answer is decided in several rows, of the mean of these.
    """
    left, right = (np.nan_to_num(each["weight"].values) for each in (own, other))
    apart = []
    for heads in _layers(own["weighing"].values):
        partners = heads[matched(_mean_divergences(left[:, heads], right[:, heads]))]
        apart.append(_divergence(left[:, heads], right[:, partners]))
    means: np.ndarray = np.concatenate(apart, 1).mean(1)
    return means


def _layers(heads: np.ndarray) -> list[np.ndarray]:
    """Where the heads of each layer stand among all."""
    layers = np.array([str(head).rpartition("H")[0] for head in heads])
    return [np.flatnonzero(layers == layer) for layer in dict.fromkeys(layers.tolist())]


def _mean_divergences(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Of all pairs of heads, mean over answers: shares (answer, head, word) each to (head, head).

    One answer at a time: all of them together need room for every pair's words.
    """
    between = np.zeros((left.shape[1], right.shape[1]))
    for one, other in zip(left, right, strict=True):
        between += _divergence(one[:, None], other[None])
    return between / len(left)


def divergences(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Jensen-Shannon divergence of what words get, as shares: (answer, word) each to (answer,)."""
    return _divergence(_shares(first), _shares(second))


def _divergence(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Of shares (..., word) each that broadcast, to (...)."""
    mixed = _entropy((left + right) / 2)
    found: np.ndarray = np.maximum(mixed - (_entropy(left) + _entropy(right)) / 2, 0.0)
    return found


def _shares(values: np.ndarray) -> np.ndarray:
    sizes = np.abs(np.nan_to_num(values.astype(float)))
    totals = sizes.sum(-1, keepdims=True)
    shares: np.ndarray = np.divide(sizes, totals, out=np.zeros_like(sizes), where=totals > 0)
    return shares


def _entropy(shares: np.ndarray) -> np.ndarray:
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy: np.ndarray = -(shares * logs).sum(-1)
    return entropy


@dataclass(frozen=True)
class Edits:
    """How much of an explanation lies on words that were edited, (answer,) each.

    share: of the edited text, on its new words. even: the same of even importance. before: of the original,
    on the words that they replace. NaN where no word, or every word, is one of these.
    """

    share: np.ndarray
    even: np.ndarray
    before: np.ndarray
    documents: np.ndarray

    @classmethod
    def of(cls, edited: Given, own: Given) -> Edits:
        """edited, own: the texts after and before."""
        rows = {document: row for row, document in enumerate(own.data["document"].values.tolist())}
        documents, values = edited.data["document"].values, _shares(edited.data["own"].values)
        originals = _shares(own.data["own"].values)
        share, even, before = np.full((3, len(documents)), np.nan)
        for place, document in enumerate(documents.tolist()):
            if document not in own.words:
                continue
            old, new = own.words[document], edited.words[document]
            share[place], even[place] = _share_on(changed_words(old, new), values[place])
            if document in rows:
                before[place], _ = _share_on(changed_words(new, old), originals[rows[document]])
        return cls(share, even, before, documents)

    def judged(self, margin: float, seed: int) -> Judged:
        """Between what even attention gives edited words, and all."""
        return judge(self.share, self.even, np.ones(len(self.share)), self.documents, margin, seed)


def _share_on(words: np.ndarray, shares: np.ndarray) -> tuple[float, float]:
    """What some words (word,) bool get, and what they would get evenly; NaN where none or all are meant."""
    if not words.any() or words.all():
        return np.nan, np.nan
    return float(shares[: len(words)][words].sum()), float(words.mean())


def marks_of(
    given: xr.Dataset, words: Mapping[int, Sequence[str]], marked: Mapping[int, Sequence[str]]
) -> np.ndarray:
    """Which words people marked, (answer, word) bool."""
    found = np.zeros(given["own"].shape, bool)
    for row, document in enumerate(given["document"].values.tolist()):
        if document in marked:
            own = found_words(words[document], marked[document])
            found[row, : len(own)] = own
    return found


def people_table(given: xr.Dataset, marks: np.ndarray, seed: int) -> pd.DataFrame:
    """One row: how far the words that it marks are those that people marked."""
    documents, own, chance = (given[name].values for name in ("document", "own", "chance"))
    some, counts = marks.any(1), (~np.isnan(own)).sum(1)
    row: dict[str, Any] = {"answers": int(some.sum())}
    for name, measure in (("auprc", average_precision), ("iou", overlap)):
        values = np.where(some, measure(own, marks, counts), np.nan)
        low, high = interval(values, documents, seed)
        random = np.mean([measure(each, marks, counts) for each in chance.transpose(1, 0, 2)], 0)
        row |= {name: mean(values), f"{name}_low": low, f"{name}_high": high}
        row[f"{name}_random"] = mean(np.where(some, random, np.nan))
    return pd.DataFrame([row])


def edits_table(edits: Edits, margin: float, seed: int) -> pd.DataFrame:
    """One row: whether the explanation lies on the words that were edited, and whether it moved there."""
    judged, moved = edits.judged(margin, seed), edits.share - edits.before
    low, high = interval(moved, edits.documents, seed)
    return pd.DataFrame(
        [
            {
                "texts": judged.documents,
                "verdict": judged.verdict if judged.answers else NOT_TESTED,
                "share": judged.value,
                "low": judged.value_low,
                "high": judged.value_high,
                "even": judged.baseline,
                "replaced": mean(edits.before),
                "difference": mean(moved),
                "difference_low": low,
                "difference_high": high,
            }
        ]
    )
