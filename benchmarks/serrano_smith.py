"""Is attention interpretable? (Serrano and Smith 2019), done again for a trained net."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from benchmarks.answered import PIECES, Answered, answered
from headscope.explainers import EXPLAINERS, explainers_of
from headscope.explainers.given_attention import answers_given, erased
from headscope.explainers.relevance import likelihood_slopes
from headscope.explainers.single_weight import single_weights
from headscope.measures.faithfulness import erased_along, orders, until_flip
from headscope.models import Model

ORDERS = ("random", "attention", "gradient", "attention x gradient", "ascending")
SHUFFLES = 5


@dataclass(frozen=True)
class Erased:
    """shares: by order (text,) of weights that are erased when the decision changes, 1 where it never does.

    flips: whether it does; of random orders the mean. difference: (text,) by how much further the answer
    moves without the highest weight than without another. single: (text, 2) bool, whether each changes it.
    """

    accuracy: float
    shares: dict[str, np.ndarray]
    flips: dict[str, np.ndarray]
    difference: np.ndarray
    single: np.ndarray


def erasures(model: Model, data: str, limit: int | None = None, pieces: int = PIECES) -> Erased:
    """Of every text of at least two words, or of two sentences where the model weighs these."""
    right, shares, flips, difference, single = [], [], [], [], []
    for batch in answered(model, data, limit, pieces):
        asked, words, correct = batch
        weights = words.summed(EXPLAINERS["attention"](asked))
        found = single_weights(asked, words, weights)
        several = (words.counts > 1).numpy()
        difference.append((found.divergence[:, 0] - found.divergence[:, 1]).numpy()[several])
        single.append(found.flips.numpy()[several])
        each = [_until(batch, importance) for importance in _rankings(batch, weights.numpy())]
        kinds = {name: each[number : number + 1] for number, name in enumerate(ORDERS[1:])}
        kinds["random"] = each[len(ORDERS) - 1 :]
        shares.append([np.mean([run[0] for run in kinds[name]], 0)[several] for name in ORDERS])
        flips.append([np.mean([run[1] for run in kinds[name]], 0)[several] for name in ORDERS])
        right.append(correct)
    return Erased(
        float(np.concatenate(right).mean()),
        dict(zip(ORDERS, np.concatenate(shares, 1), strict=True)),
        dict(zip(ORDERS, np.concatenate(flips, 1), strict=True)),
        np.concatenate(difference),
        np.concatenate(single),
    )


def _rankings(batch: Answered, weights: np.ndarray) -> Iterator[np.ndarray]:
    """(answer, word) of each order, random ones last."""
    slopes = [batch.words.summed(each).numpy() for each in likelihood_slopes(batch.asked)]
    yield from (weights, *slopes, -weights)
    for seed in range(SHUFFLES):
        (random,) = explainers_of(["random"], seed)
        yield batch.words.summed(random(batch.asked)).numpy()


def _until(batch: Answered, importance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    asked, words, _ = batch
    counts = words.counts.numpy()
    gone = torch.from_numpy(erased_along(orders(importance, counts)))
    weigh = erased(asked, words.pieces(gone))
    after = answers_given(asked, weigh, words.most, told=lambda answers, chances: chances.argmax(-1))
    return until_flip(asked.entries.numpy(), after.numpy(), counts)
