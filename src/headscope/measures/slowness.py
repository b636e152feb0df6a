"""Slow points of a recurrent state, and whether slower ones forget less (Haviv et al. 2019).

A state that is fed the same input again and again moves by F(s) - s in a step; where that is shortest, what
the state stands for lasts longest. States are (state, size), one row each, and rows never touch each other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from scipy.stats import rankdata

Step = Callable[[torch.Tensor], torch.Tensor]
"""States (state, size) to those a step later."""

DRAWS = 9999


def speeds(step: Step, states: torch.Tensor, seen: Step | None = None) -> torch.Tensor:
    """How far each state moves in a step, |seen(F(s)) - seen(s)|: (state,). seen: what counts of a state.

    >>> halved = lambda state: 0.5 * state + torch.tensor([1.0, 0.0])  # rests at (2, 0)
    >>> speeds(halved, torch.tensor([[2.0, 0.0], [2.0, 8.0], [10.0, 6.0]]))
    tensor([0., 4., 5.])
    """
    after, before = step(states), states
    if seen is not None:
        after, before = seen(after), seen(before)
    return (after - before).norm(dim=-1)


def slow_points(
    step: Step,
    states: torch.Tensor,
    seen: Step | None = None,
    steps: int = 600,
    rate: float = 0.01,
    nearest: Step | None = None,
) -> torch.Tensor:
    """The slowest state that is reached down the squared speed from each one, (state, size).

    Adam, its rate a tenth after two fifths of the steps, as in the paper, whose descent is 100,000 steps. Of
    all states on the way the slowest is given, so none is faster than where it began. nearest: the state that
    there can be which is nearest to one that is asked for; every step of the descent ends in such a one.
    """
    moved = states.detach().clone().requires_grad_()
    descent = torch.optim.Adam([moved], lr=rate)
    slowest, least = states.detach().clone(), torch.full((len(states),), torch.inf)
    for number in range(steps + 1):
        with torch.enable_grad():
            now = speeds(step, moved, seen)
            now.square().sum().backward(inputs=[moved])
        better = now.detach() < least
        least = torch.where(better, now.detach(), least)
        slowest = torch.where(better[:, None], moved.detach(), slowest)
        descent.param_groups[0]["lr"] = rate if number < 0.4 * steps else rate / 10
        descent.step()
        descent.zero_grad()
        if nearest is not None:
            with torch.no_grad():
                moved.copy_(nearest(moved))
    return slowest


def rank_correlation(
    first: np.ndarray, second: np.ndarray, group: np.ndarray, seed: int, draws: int = DRAWS
) -> tuple[float, float]:
    """Spearman's correlation within groups, all groups together, and its two-sided p: (point,) each.

    Ranks are taken within each group and stand around its mean, so what differs between groups does not
    count; a group in which either does not vary says nothing and is left out. p: how often an order that is
    drawn within the groups is as far from 0; the observed one counts among the drawn ones. NaN without a
    group that varies.

    >>> up, down = np.arange(4.0), np.array([9.0, 7.0, 5.0, 1.0])
    >>> rho, p = rank_correlation(up, down, np.zeros(4), seed=0)
    >>> rho, round(p, 1)  # two of 24 orders are as far from 0
    (-1.0, 0.1)
    """
    members = [np.flatnonzero(group == one) for one in np.unique(group)]
    pairs = [(_ranked(first[own]), _ranked(second[own])) for own in members]
    pairs = [(one, other) for one, other in pairs if one.any() and other.any()]
    if not pairs:
        return np.nan, np.nan
    one, other = (np.concatenate(side) for side in zip(*pairs, strict=True))
    scale = np.sqrt((one**2).sum() * (other**2).sum())
    known, random = float(one @ other), np.random.default_rng(seed)
    drawn = np.zeros(draws)
    for ranks, others in pairs:
        drawn += random.permuted(np.tile(others, (draws, 1)), axis=1) @ ranks
    reached = abs(known) * (1 - 1e-9)
    return known / float(scale), float((1 + (np.abs(drawn) >= reached).sum()) / (1 + draws))


def _ranked(values: np.ndarray) -> np.ndarray:
    ranks: np.ndarray = rankdata(values)
    return ranks - ranks.mean()
