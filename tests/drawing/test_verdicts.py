"""Colours and numbers of effects."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import Normalize

from headscope.drawing.verdicts import effect_scale, points_text


def scale(effect: list[float], width: float = 0.0) -> tuple[Normalize, str]:
    """The scale of effects with intervals of such a width."""
    values = np.array(effect)
    return effect_scale(values, values - width / 2, values + width / 2)


def test_one_head_on_which_all_depends_leaves_the_others_their_colours() -> None:
    norm, ends = scale([0.001] * 50 + [0.002] * 49 + [-0.3])
    assert norm.vmax == -norm.vmin == pytest.approx(3 * 0.2) and ends == "min"
    norm, ends = scale([0.01, -0.02, np.nan])
    assert norm.vmax == pytest.approx(2.0) and ends == "neither"
    assert scale([0.0, 0.0])[0].vmax == 0.1
    assert scale([0.0] * 99 + [0.5])[0].vmax == pytest.approx(50)


def test_colours_reach_at_least_as_far_as_the_usual_interval() -> None:
    assert scale([0.01, -0.02], 0.1)[0].vmax == pytest.approx(5.0)
    assert scale([0.01, -0.02], 0.03)[0].vmax == pytest.approx(2.0)


def test_points_of_small_numbers() -> None:
    assert [points_text(value, 1) for value in (-0.0004, -0.0006, 0.12345)] == ["0.0", "−0.1", "12.3"]
