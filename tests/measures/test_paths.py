"""Products of maps and relevance, against sums over all paths, and laws of norms."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from headscope.measures.norms import block_norms, head_norms, layer_norms
from headscope.measures.paths import (
    crossed_relevance,
    followed,
    normalised_relevance,
    relevance,
    with_residual,
)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_rollout_is_a_sum_over_all_paths(generator: torch.Generator) -> None:
    steps = torch.rand(3, 4, 4, generator=generator, dtype=torch.float64)
    expected = torch.zeros(4, 4, dtype=torch.float64)
    for top, a, b, bottom in product(range(4), repeat=4):
        expected[top, bottom] += steps[2, top, a] * steps[1, a, b] * steps[0, b, bottom]
    assert torch.allclose(followed(torch.eye(4).double(), steps.flip(0)), expected)


def test_rollout_of_permutations_is_exact() -> None:
    names = [[int(sign) for sign in order] for order in ("31420", "04132", "21043")]
    first, second, third = (torch.eye(5)[order] for order in names)
    ends = [names[0][names[1][names[2][piece]]] for piece in range(5)]
    assert torch.equal(followed(torch.eye(5), [third, second, first]), torch.eye(5)[ends])


def test_rows_with_residual_sum_to_one(generator: torch.Generator) -> None:
    weights = torch.rand(2, 4, 4, generator=generator)
    assert torch.allclose(with_residual(weights, torch.eye(4)).sum(-1), torch.ones(2, 4))


def test_relevance_without_maps_is_of_each_piece_for_itself() -> None:
    assert torch.equal(relevance([torch.zeros(3, 3)] * 4), torch.eye(3))
    assert torch.equal(normalised_relevance(torch.eye(3)), torch.eye(3))


def test_crossed_relevance_follows_the_equations(generator: torch.Generator) -> None:
    target, own = (torch.rand(3, 3, generator=generator) + torch.eye(3) for _ in range(2))
    source, weighed = (torch.rand(3, 5, generator=generator) for _ in range(2))
    encoded = torch.rand(5, 5, generator=generator) + torch.eye(5)
    new_target, new_source = crossed_relevance(target, source, own, weighed, encoded)
    assert torch.allclose(new_target, target + own @ target)

    def shares(matrix: torch.Tensor) -> torch.Tensor:
        rest = matrix - torch.eye(len(matrix))
        return torch.stack([row / row.sum() for row in rest]) + torch.eye(len(matrix))

    added = shares(new_target).T @ weighed @ shares(encoded)
    assert torch.allclose(new_source, source + own @ source + added)


def test_norms_equal_those_of_whole_vectors(generator: torch.Generator) -> None:
    weights = torch.rand(2, 3, 5, 5, generator=generator, dtype=torch.float64)
    vectors = torch.randn(2, 5, 3, 7, generator=generator, dtype=torch.float64)
    own = torch.randn(2, 5, 7, generator=generator, dtype=torch.float64)
    taken = torch.einsum("bhqk,bkhd->bhqkd", weights, vectors)
    lengths = vectors.norm(dim=-1).transpose(1, 2)
    assert torch.allclose(head_norms(weights, lengths), taken.norm(dim=-1))
    assert torch.allclose(layer_norms(weights, vectors), taken.sum(1).norm(dim=-1))
    kept = taken.sum(1) + torch.diag_embed(own.transpose(1, 2)).permute(0, 2, 3, 1)
    assert torch.allclose(block_norms(weights, vectors, own), kept.norm(dim=-1))
