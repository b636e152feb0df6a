"""Flow equals that of two other libraries; its bound is told."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.measures.flow import attention_flow, saturation
from tests.flows import by_networkx, by_scipy

KINDS = {"even": (1.0, False), "peaky": (6.0, False), "causal": (6.0, True)}


def made(layers: int, pieces: int, kind: str, residual: bool, seed: int = 0) -> np.ndarray:
    """Maps (layer, query, key) of random scores."""
    peak, causal = KINDS[kind]
    scores = peak * np.random.default_rng(seed).normal(size=(layers, pieces, pieces))
    if causal:
        scores[:, ~np.tri(pieces, dtype=bool)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return (weights + np.eye(pieces)) / 2 if residual else weights


@pytest.mark.parametrize("residual", [True, False], ids=["residual", "plain"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layers,pieces", [(1, 4), (3, 6), (6, 8)])
def test_flow_equals_that_of_networkx_and_scipy(layers: int, pieces: int, kind: str, residual: bool) -> None:
    steps = made(layers, pieces, kind, residual, seed=layers)
    sources = np.array([0, pieces // 2, pieces - 1])
    flows = attention_flow(steps, sources)
    for source, flow in zip(sources, flows, strict=True):
        assert np.abs(flow - by_networkx(steps, source)).max() < 1e-9
        assert np.abs(flow - by_scipy(steps, source)).max() < 1e-6


def test_the_order_of_sources_does_not_matter() -> None:
    """So nothing of one flow is left over for the next."""
    steps = made(4, 10, "peaky", True)
    forwards, backwards = attention_flow(steps, np.arange(10)), attention_flow(steps, np.arange(10)[::-1])
    assert np.array_equal(forwards, backwards[::-1])


def test_permutations_let_everything_through() -> None:
    first, second = np.eye(4)[[2, 0, 3, 1]], np.eye(4)[[1, 3, 0, 2]]
    assert np.array_equal(attention_flow(np.stack([first, second]), np.arange(4)), second @ first)


def test_flow_stays_below_its_bound_and_saturation_counts_who_meets_it() -> None:
    steps = made(3, 7, "peaky", True)
    flows = attention_flow(steps, np.arange(7))
    bound = np.minimum(1.0, steps[0].sum(0))
    assert (flows <= bound + 1e-9).all()
    assert saturation(steps, flows, np.arange(7)) == np.isclose(flows, bound, atol=1e-9).mean() < 1


def test_a_piece_that_nobody_sees_gets_nothing() -> None:
    steps = np.zeros((2, 3, 3))
    steps[:, :, 0] = 1.0
    assert attention_flow(steps, np.array([1])).tolist() == [[1.0, 0.0, 0.0]]
