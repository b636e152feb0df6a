"""Mean magnitudes of gradients by kind of key, by hand."""

from __future__ import annotations

import numpy as np
import torch

from headscope.attention import Heard, Site
from headscope.measures.surface import Lengths
from headscope.questions.survey.gradients import kind_means

HIDDEN = 1  # kinds: 0 a special token, 1 masked, 2 a word
KINDS = np.array([[0, 2, 1, 0]])
LENGTHS = Lengths(np.array([3]), np.array([3]), KINDS, KINDS, 3)  # the last piece is padding
GRADIENT = torch.tensor(
    [
        [1.0, -2.0, 3.0, 9.0],
        [-4.0, 5.0, -6.0, 9.0],
        [7.0, 8.0, 0.0, 9.0],
        [9.0, 9.0, 9.0, 9.0],
    ]
)[None, None]


def heard(causal: bool, mask: torch.Tensor | None = None) -> Heard:
    site = Site("decoder" if causal else "encoder", 0, 1, causal)
    return Heard(site, torch.zeros(1, 1, 4, 4), torch.arange(4), None, mask)


def test_means_by_kind() -> None:
    values, valid = kind_means(GRADIENT, heard(False), LENGTHS, HIDDEN)
    special, word, masked = (1 + 4 + 7) / 3, (2 + 5 + 8) / 3, (3 + 6 + 0) / 3
    assert np.allclose(values[0, 0], [(1 + 4 + 7 + 2 + 5 + 8) / 6, special, masked, word])
    assert valid.all()


def test_only_what_a_query_may_look_at_counts() -> None:
    values, _ = kind_means(GRADIENT, heard(True), LENGTHS, HIDDEN)
    special, word, masked = (1 + 4 + 7) / 3, (5 + 8) / 2, 0.0
    assert np.allclose(values[0, 0], [(1 + 4 + 7 + 5 + 8) / 5, special, masked, word])
    least = torch.finfo(torch.float32).min
    mask = torch.tensor([0.0, least, 0.0, 0.0])[None, None, None]
    values, valid = kind_means(GRADIENT, heard(False, mask), LENGTHS, HIDDEN)
    assert np.allclose(values[0, 0, :3], [special, special, (3 + 6 + 0) / 3])
    assert valid[0, 0].tolist() == [True, True, True, False]


def test_a_kind_that_does_not_occur_is_undefined() -> None:
    kinds = np.zeros((1, 4), dtype=np.int64)
    lengths = Lengths(np.array([3]), np.array([3]), kinds, kinds, 3)
    _, valid = kind_means(GRADIENT, heard(False), lengths, HIDDEN)
    assert valid[0, 0].tolist() == [True, True, False, False]
