"""Attention is not explanation (Jain and Wallace 2019), done again for a net of two classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import process_time

import numpy as np
import torch

from benchmarks.answered import Answered, answered
from headscope.explainers import EXPLAINERS, Asked
from headscope.explainers.adversary import adversaries
from headscope.explainers.given_attention import answers_given, permuted
from headscope.explainers.removal import without_sets
from headscope.measures.information import total_variation
from headscope.measures.kendall import Taus, paired_taus
from headscope.models import Model

PAIRS = ("attention~gradient", "attention~LOO", "gradient~LOO")
PERMUTATIONS = 100


@dataclass(frozen=True)
class Numbers:
    """Of one net.

    taus, significant: by pair. furthest: median epsilon-max-JSD. permuted: median over texts of the median
    total variation under permuted weights. seconds: of all adversaries, on the processor.
    """

    texts: int
    accuracy: float
    taus: dict[str, float]
    significant: dict[str, float]
    furthest: float
    permuted: float
    seconds: float


def numbers(model: Model, data: str, limit: int | None = None, unique: bool = True) -> Numbers:
    """All numbers of a net; adversaries and permutations where `unique` asks for them."""
    right, taus, ps, far, moved, seconds = [], [], [], [], [], 0.0
    for batch in answered(model, data, limit):
        right.append(batch.right)
        each = _taus(batch)
        taus.append([pair.tau for pair in each])
        ps.append([pair.p for pair in each])
        if unique:
            began = process_time()
            far.append(adversaries(batch.asked).furthest().numpy())
            seconds += process_time() - began
            moved.append(_permuted(batch.asked))
    mean, share = np.nanmean(np.concatenate(taus, 1), 1), np.mean(np.concatenate(ps, 1) <= 0.05, 1)
    correct = np.concatenate(right)
    return Numbers(
        len(correct),
        float(correct.mean()),
        dict(zip(PAIRS, mean.tolist(), strict=True)),
        dict(zip(PAIRS, share.tolist(), strict=True)),
        float(np.median(np.concatenate(far))) if unique else float("nan"),
        float(np.median(np.concatenate(moved))) if unique else float("nan"),
        seconds,
    )


def _taus(batch: Answered) -> list[Taus]:
    asked, words, _ = batch
    counts = words.counts.numpy()
    attention = words.summed(EXPLAINERS["attention"](asked)).numpy()
    gradient = np.abs(words.summed(_gradient(asked)).numpy())
    loo = _left_out(batch)
    pairs = ((attention, gradient), (attention, loo), (gradient, loo))
    return [paired_taus(*pair, counts) for pair in pairs]


def _gradient(asked: Asked) -> torch.Tensor:
    """Gradient x input of the difference of both logits, which ranks as that of a probability does."""
    other = replace(asked, entries=1 - asked.entries)
    explain = EXPLAINERS["gradient-detached"]
    return explain(asked) - explain(other)


def _left_out(batch: Answered) -> np.ndarray:
    """Total variation without each word, (answer, word)."""
    asked, words, _ = batch
    single = torch.eye(words.most, dtype=torch.bool).expand(len(words.counts), -1, -1)
    without = without_sets(asked, words.pieces(single), "deletion").exp()
    return total_variation(without, _chances(asked)).numpy()


def _permuted(asked: Asked) -> np.ndarray:
    """The median total variation of each answer under permuted weights."""
    own = _chances(asked)

    def moved(answers: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
        return total_variation(chances.exp(), own[answers, 0])

    found = answers_given(asked, permuted(asked, PERMUTATIONS), PERMUTATIONS, told=moved)
    return found.median(1).values.numpy()


def _chances(asked: Asked) -> torch.Tensor:
    """(answer, 1, entry)."""
    return asked.answers(asked.hearing.logits).double().softmax(-1)[:, None]
