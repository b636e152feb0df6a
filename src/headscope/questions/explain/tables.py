"""The tables of explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headscope.explainers import Explainer
from headscope.measures.ranking import rank_agreement, shared_top
from headscope.results.look import Answer, Axis, Explanation, Way

SIDES = ("source", "target")


@dataclass(frozen=True)
class Parted:
    """The sentences of a text: numbers (piece,), -1 for what is of none, and what they say."""

    numbers: np.ndarray
    texts: list[str]


@dataclass(frozen=True)
class Text:
    """A text, explained, and what else was found of its answers.

    passes: (way, 2), forward and backward for an answer. saturated: (answer,) the share of tokens whose flow
    does not depend on the answer, NaN without flow. removed: of each answer the words without which it would
    be another, and becomes: that one; None where that was not asked. sentences: None unless asked for.
    """

    explanation: Explanation
    passes: np.ndarray
    saturated: np.ndarray
    removed: list[list[str] | None]
    becomes: list[str | None]
    sentences: Parted | None = None


@dataclass(frozen=True)
class Explained:
    """One answer to one text, of the tokens that the model had read.

    tokens, sides, special: (token,). importance: (explainer, token). sentences: (token,), -1 for none; None
    unless asked for.
    """

    text: str
    number: int
    answer: Answer
    ways: list[Way]
    tokens: list[str]
    sides: list[str]
    special: np.ndarray
    by_model: np.ndarray
    importance: np.ndarray
    sentences: np.ndarray | None = None

    @property
    def ordinary(self) -> np.ndarray:
        """Importance of what is not special, its sign left out, (explainer, token)."""
        sizes: np.ndarray = np.abs(self.importance[:, ~self.special])
        return sizes


def explained_in(explanation: Explanation, words: bool, parted: Parted | None = None) -> Iterator[Explained]:
    """The answers to a text, with pieces or words as tokens; of a word, what was read of it."""
    tokens, sides, special, members = tokens_of(explanation.axes, words)
    by_model = np.concatenate([axis.by_model(words) for axis in explanation.axes])
    sentences = np.full(len(tokens), -1)
    if parted is not None:
        np.maximum.at(sentences, members, parted.numbers)
    pieces = [piece for axis in explanation.axes for piece in axis.pieces]
    for number, read in enumerate(explanation.seen):
        seen, whole = np.zeros(len(tokens), bool), np.ones(len(tokens), bool)
        seen[members[read]], whole[members[~read]] = True, False
        names = [
            name if is_whole else "".join(pieces[at] for at in np.flatnonzero(read & (members == place)))
            for place, (name, is_whole) in enumerate(zip(tokens, whole, strict=True))
        ]
        importance = summed(explanation.importance[:, number], members, len(tokens))[:, seen]
        yield Explained(
            explanation.title,
            number,
            explanation.answers[number],
            explanation.ways,
            [name for name, is_seen in zip(names, seen, strict=True) if is_seen],
            [side for side, is_seen in zip(sides, seen, strict=True) if is_seen],
            special[seen],
            by_model[seen],
            # In one order of memory: sums depend on it in their last digits.
            np.ascontiguousarray(importance),
            None if parted is None else sentences[seen],
        )


def tokens_of(axes: Sequence[Axis], words: bool) -> tuple[list[str], list[str], np.ndarray, np.ndarray]:
    """Tokens of source and target, the side of each, whether it is special, and the token of each piece."""
    tokens: list[str] = []
    sides: list[str] = []
    special: list[bool] = []
    members: list[int] = []
    for axis, side in zip(axes, SIDES, strict=False):
        numbers = axis.words if words else list(range(len(axis.pieces)))
        names = axis.names if words else axis.pieces
        members += [len(tokens) + number for number in numbers]
        flags = np.zeros(len(names), bool)
        np.logical_or.at(flags, numbers, axis.special)
        tokens += names
        sides += [side] * len(names)
        special += flags.tolist()
    return tokens, sides, np.array(special), np.array(members)


def summed(importance: np.ndarray, members: np.ndarray, tokens: int) -> np.ndarray:
    """Importance (..., piece) summed to tokens; NaN where none of a token's pieces can be judged.

    >>> summed(np.array([[1.0, 2.0, np.nan, np.nan]]), np.array([0, 0, 1, 0]), 2)
    array([[ 3., nan]])
    """
    belongs = np.equal.outer(members, np.arange(tokens)).astype(float)  # (piece, token)
    judged = ~np.isnan(importance) @ belongs > 0
    return np.where(judged, np.nan_to_num(importance) @ belongs, np.nan)


def importance_table(explained: Sequence[Explained]) -> pd.DataFrame:
    """A row for each token of each answer and explainer."""
    parts = []
    for answer in explained:
        sizes = np.abs(np.where(answer.special, np.nan, answer.importance))
        totals = np.nansum(sizes, axis=1, keepdims=True)
        shares = np.divide(sizes, totals, out=np.full_like(sizes, np.nan), where=totals > 0)
        for row, way in enumerate(answer.ways):
            columns = {
                "text": answer.text,
                "answer": answer.number,
                "explainer": way.name,
                "place": range(len(answer.tokens)),
                "token": answer.tokens,
                "side": answer.sides,
                "special": answer.special,
                "by_model": answer.by_model,
                **({} if answer.sentences is None else {"sentence": answer.sentences}),
                "importance": answer.importance[row],
                "share": shares[row],
            }
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def answers_table(texts: Sequence[Text], words: bool) -> pd.DataFrame:
    """A row for each answer."""
    rows = [
        {
            "text": answer.text,
            "answer": answer.number,
            "label": answer.answer.label,
            "probability": answer.answer.probability,
            "tokens": int((~answer.special).sum()),
            "saturated": float(text.saturated[answer.number]),
            "removed": len(gone) if (gone := text.removed[answer.number]) else float("nan"),
            "without": ", ".join(f"“{word}”" for word in gone or []),
            "becomes": text.becomes[answer.number] or "",
        }
        for text in texts
        for answer in explained_in(text.explanation, words)
    ]
    return pd.DataFrame(rows)


def agreement_table(explained: Sequence[Explained], top: int) -> pd.DataFrame:
    """A row for each pair of explainers: means over the answers that both rank."""
    usable = [answer for answer in explained if answer.ordinary.shape[1] > 1]
    names = np.array([way.name for way in explained[0].ways], dtype=object)
    size = len(names)
    taus = np.array([rank_agreement(answer.ordinary) for answer in usable]).reshape(-1, size, size)
    tops = np.array([shared_top(answer.ordinary, top) for answer in usable]).reshape(-1, size, size)
    first, second = np.triu_indices(size, 1)
    known = ~np.isnan(taus[:, first, second])
    counts = known.sum(0)
    with np.errstate(invalid="ignore"):
        means = [np.where(known, values[:, first, second], 0.0).sum(0) / counts for values in (taus, tops)]
    columns = {"explainer": names[first], "other": names[second], "tau": means[0], "top": means[1]}
    return pd.DataFrame({**columns, "answers": counts})


def explainers_table(texts: Sequence[Text], explainers: Sequence[Explainer]) -> pd.DataFrame:
    """A row for each explainer: what it is, and what it took for an answer."""
    passes = [text.passes for text in texts for _ in text.explanation.answers]
    forward, backward = np.mean(passes, axis=0).T
    return pd.DataFrame(
        {
            "explainer": [explainer.name for explainer in explainers],
            "what": [explainer.title for explainer in explainers],
            "source": [explainer.source for explainer in explainers],
            "needs": [explainer.needs for explainer in explainers],
            "forward": forward,
            "backward": backward,
            "signed": [explainer.signed for explainer in explainers],
        }
    )
