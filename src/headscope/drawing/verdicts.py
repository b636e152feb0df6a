"""How effects and what was found of them look: points of a score, colours around 0, marks of verdicts."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import Normalize
from matplotlib.lines import Line2D

from headscope.drawing.bars import ends_beyond
from headscope.drawing.legends import entry
from headscope.drawing.style import FAINT, Symbol, paler
from headscope.results.vocabulary import BETTER, HARMLESS, UNDECIDED, WORSE

EFFECT_COLOURS = "RdBu"  # red is worse, blue is better
SIGNIFICANT = (WORSE, BETTER)
PALE = 0.35  # how much of its colour an undecided cell keeps
_LEAST = 0.1  # points: the scale is never finer
_FARTHEST = 3.0  # times the effect that few heads exceed: beyond it, colours end


def points_text(value: float, decimals: int) -> str:
    """A fraction in points, without a minus before nothing.

    >>> points_text(-0.0123, 2), points_text(-0.00001, 1)
    ('−1.23', '0.0')
    """
    return f"{round(100 * float(value), decimals) + 0.0:.{decimals}f}".replace("-", "−")


def effect_scale(effect: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[Normalize, str]:
    """Colours in points, white at 0 and symmetric; and at which ends they stop before the largest effect.

    One head on which all depends shall not leave all others white; and what chance alone gives shall not have
    the strongest colour, so they reach at least as far as the usual interval, whose ends are given.

    >>> effect_scale(np.array([0.002, -0.001]), np.array([-0.01, -0.01]), np.array([0.014, 0.008]))[0].vmax
    1.05
    """
    known = 100 * effect[np.isfinite(effect)]
    usual = float(np.quantile(np.abs(known), 0.95)) if known.size else 0.0
    largest = float(np.abs(known).max(initial=0.0))
    widths = (high - low)[np.isfinite(high - low)]
    by_chance = 100 * float(np.median(widths)) / 2 if widths.size else 0.0
    limit = max(min(largest, _FARTHEST * usual) if usual > 0 else largest, by_chance, _LEAST)
    return Normalize(-limit, limit), ends_beyond(known, -limit, limit)


def points_of(margin: float) -> str:
    """A margin in words.

    >>> points_of(0.01), points_of(0.005)
    ('1 point', '0.5 points')
    """
    return f"{100 * margin:g} point{'' if np.isclose(margin, 0.01) else 's'}"


def verdict_faces(verdict: np.ndarray, colour: str) -> list[str]:
    """Faces of points (condition,): full where significant, pale where harmless, white where undecided."""
    faces = {WORSE: colour, BETTER: colour, HARMLESS: paler(Symbol(colour, "")).colour}
    return [faces.get(str(word), "white") for word in verdict]


def verdict_entries() -> list[Line2D]:
    """What faces of points mean, for a legend."""
    names = {WORSE: f"{WORSE} or {BETTER} (corrected)", HARMLESS: HARMLESS, UNDECIDED: UNDECIDED}
    faces = verdict_faces(np.array(list(names)), FAINT)
    return [
        entry(label, FAINT, "o", markersize=4.0, linestyle="", markerfacecolor=face)
        for label, face in zip(names.values(), faces, strict=True)
    ]
