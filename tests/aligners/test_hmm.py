"""The hidden Markov model beside all paths, one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from headscope.aligners import Bitext, Hmm, train_hmm
from headscope.aligners.hmm import EVEN, FROM_NOTHING

PAIRS = [(["b", "c", "d"], ["x", "y", "x", "z"]), (["c"], ["y"])]


def made(seed: int) -> tuple[Bitext, np.ndarray]:
    """Pairs, and chances of words drawn at random."""
    text = Bitext.of(PAIRS)
    chances = np.random.default_rng(seed).random(len(text.owner))
    return text, chances / np.bincount(text.owner, chances)[text.owner]


def paths(text: Bitext, chances: np.ndarray, jumps: np.ndarray) -> dict[tuple[tuple[int, bool], ...], float]:
    """The likelihood of every path of the first pair: the place of each target word, and whether it came
    from nothing."""
    size, rows = int(text.grid.sources[0]), int(text.grid.targets[0])
    middle = len(jumps) // 2
    moves = np.array([[jumps[end - start + middle] for end in range(size)] for start in range(size)])
    moves = (1 - EVEN) * moves / moves.sum(1, keepdims=True) + EVEN / size
    likely = {}
    for path in product(product(range(size), (False, True)), repeat=rows):
        value, before = 1.0, None
        for row, (place, nothing) in enumerate(path):
            if nothing:
                value *= FROM_NOTHING * chances[text.nothing[row]]
                value *= 1 / size if before is None else float(place == before)
            else:
                value *= (1 - FROM_NOTHING) * chances[text.parameter[row * size + place]]
                value *= 1 / size if before is None else moves[before, place]
            before = place
        likely[path] = value
    return likely


@pytest.mark.parametrize("seed", range(3))
def test_one_round_beside_all_paths(seed: int) -> None:
    text, chances = made(seed)
    jumps = np.full(5, 0.2)
    likely = paths(text, chances, jumps)
    whole = sum(likely.values())
    second = 0.8 * chances[text.parameter[12]] + 0.2 * chances[text.nothing[4]]
    model = train_hmm(text, rounds=1, chances=chances)
    assert model.gained[0] == pytest.approx(np.log(whole) + np.log(second))
    counts = np.zeros(len(chances))
    jumped = np.zeros(5)
    for path, value in likely.items():
        for row, (place, nothing) in enumerate(path):
            counts[text.nothing[row] if nothing else text.parameter[row * 3 + place]] += value / whole
            if row and not nothing:
                jumped[place - path[row - 1][0] + 2] += value / whole
    counts[text.parameter[12]] += 0.8 * chances[text.parameter[12]] / second
    counts[text.nothing[4]] += 0.2 * chances[text.nothing[4]] / second
    np.testing.assert_allclose(model.chances, counts / np.bincount(text.owner, counts)[text.owner])
    np.testing.assert_allclose(model.jumps, jumped / jumped.sum(), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_links_are_the_likeliest_path(seed: int) -> None:
    text, chances = made(seed)
    jumps = np.random.default_rng(seed + 10).random(5)
    likely = paths(text, chances, jumps)
    best = max(likely, key=lambda path: likely[path])
    links = Hmm(chances, jumps, np.empty(0)).links(text)[:12].reshape(4, 3)
    expected = [[place == each and not nothing for each in range(3)] for place, nothing in best]
    assert links.tolist() == expected


def test_learning_never_makes_the_pairs_less_likely() -> None:
    text = Bitext.of([(list("abcd"), list("wxyz")), (list("acb"), list("wyx")), (list("db"), list("zx"))])
    # The mixture of a jump with an even one is no exact maximum, but what is lost is small.
    assert (np.diff(train_hmm(text, rounds=6).gained) > -0.05).all()
