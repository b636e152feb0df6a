"""How alike vectors are."""

from __future__ import annotations

import torch

from headscope.measures.likeness import conicity


def test_conicity_by_hand_without_padding() -> None:
    """Mean (2/3, 2/3): cosines 1/sqrt 2, 1/sqrt 2 and 1, whatever stands behind; opposite ones have none."""
    states = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [9.0, -9.0]], [[1.0, 0.0], [-1.0, 0.0]] * 2])
    real = torch.tensor([[True, True, True, False], [True, True, False, False]])
    expected = torch.tensor([(2 * 0.5**0.5 + 1) / 3, 0.0])
    assert torch.allclose(conicity(states, real), expected)


def test_a_text_without_pieces_has_none() -> None:
    assert bool(conicity(torch.ones(1, 2, 3), torch.zeros(1, 2, dtype=torch.bool)).isnan().all())
