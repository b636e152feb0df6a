"""The tables of explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headscope.explainers import Explainer
from headscope.measures.ranking import rank_agreement, shared_top
from headscope.results.look import Axis

SIDES = ("source", "target")


@dataclass(frozen=True)
class Explained:
    """One answer to one text.

    tokens, sides, special: (token,). importance: (explainer, token). passes: (explainer, 2), forward and
    backward. probability: of the answer. removed: the words without which it would be another, and becomes:
    that one; None where that was not asked. saturated: the share of tokens whose flow does not depend on the
    answer, NaN without flow.
    """

    text: str
    number: int
    label: str
    probability: float
    tokens: list[str]
    sides: list[str]
    special: np.ndarray
    importance: np.ndarray
    passes: np.ndarray
    removed: list[str] | None = None
    saturated: float = float("nan")
    becomes: str | None = None

    @property
    def ordinary(self) -> np.ndarray:
        """Importance of what is not special, its sign left out, (explainer, token)."""
        sizes: np.ndarray = np.abs(self.importance[:, ~self.special])
        return sizes


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


def importance_table(explained: Sequence[Explained], explainers: Sequence[Explainer]) -> pd.DataFrame:
    """A row for each token of each answer and explainer."""
    parts = []
    for answer in explained:
        sizes = np.abs(np.where(answer.special, np.nan, answer.importance))
        totals = np.nansum(sizes, axis=1, keepdims=True)
        shares = np.divide(sizes, totals, out=np.full_like(sizes, np.nan), where=totals > 0)
        for row, explainer in enumerate(explainers):
            parts.append(
                pd.DataFrame(
                    {
                        "text": answer.text,
                        "answer": answer.number,
                        "explainer": explainer.name,
                        "place": range(len(answer.tokens)),
                        "token": answer.tokens,
                        "side": answer.sides,
                        "special": answer.special,
                        "importance": answer.importance[row],
                        "share": shares[row],
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def answers_table(explained: Sequence[Explained]) -> pd.DataFrame:
    """A row for each answer."""
    return pd.DataFrame(
        {
            "text": [answer.text for answer in explained],
            "answer": [answer.number for answer in explained],
            "label": [answer.label for answer in explained],
            "probability": [answer.probability for answer in explained],
            "tokens": [int((~answer.special).sum()) for answer in explained],
            "saturated": [answer.saturated for answer in explained],
            "removed": [float("nan") if not answer.removed else len(answer.removed) for answer in explained],
            "without": [" ".join(answer.removed or []) for answer in explained],
            "becomes": [answer.becomes or "" for answer in explained],
        }
    )


def agreement_table(
    explained: Sequence[Explained], explainers: Sequence[Explainer], top: int
) -> pd.DataFrame:
    """A row for each pair of explainers: means over the answers that both rank."""
    usable = [answer for answer in explained if answer.ordinary.shape[1] > 1]
    size = len(explainers)
    taus = np.array([rank_agreement(answer.ordinary) for answer in usable]).reshape(-1, size, size)
    tops = np.array([shared_top(answer.ordinary, top) for answer in usable]).reshape(-1, size, size)
    first, second = np.triu_indices(size, 1)
    names = np.array([explainer.name for explainer in explainers], dtype=object)
    known = ~np.isnan(taus[:, first, second])
    counts = known.sum(0)
    with np.errstate(invalid="ignore"):
        means = [np.where(known, values[:, first, second], 0.0).sum(0) / counts for values in (taus, tops)]
    columns = {"explainer": names[first], "other": names[second], "tau": means[0], "top": means[1]}
    return pd.DataFrame({**columns, "answers": counts})


def explainers_table(explained: Sequence[Explained], explainers: Sequence[Explainer]) -> pd.DataFrame:
    """A row for each explainer: what it is, and what it took for an answer."""
    forward, backward = np.mean([answer.passes for answer in explained], axis=0).T
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
