"""The model's own best and worst order to take words away: between them lies every explanation's area.

Edin et al. 2025. The best order makes the probability of an answer fall as early as can be, the worst as
late.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from headscope.explainers.asked import Asked
from headscope.explainers.removal import log_likelihood
from headscope.explainers.stepwise import one_more, without_words
from headscope.explainers.words import Words

EXACT = 8
"""Words of a text up to which every order is tried, by way of every set."""

SIGNS = (1.0, -1.0)
"""The best order has the least probabilities, the worst the largest."""


@dataclass(frozen=True, eq=False)
class Limits:
    """best, worst: (answer, rank) words in their order, -1 behind the last. high, low: (answer,) the mean
    falls of the probability along them (AOPC), NaN for a text without words."""

    best: torch.Tensor
    worst: torch.Tensor
    high: torch.Tensor
    low: torch.Tensor


def limits(asked: Asked, words: Words, how: str, beam: int = 1, exact: int = EXACT) -> Limits:
    """Both orders of every answer, all answers and both orders together.

    beam: how many paths are followed; with 1, the word is taken that makes the most of the next step. Texts
    of up to `exact` words have theirs found among all orders.
    """
    short = words.counts <= exact
    order, sums = _searched(asked, words, how, beam, ~short)
    if bool(short.any()):
        found, total = _among_all(asked, words, how, short)
        order[short], sums[short] = found[short], total[short]
    before = log_likelihood(asked.answers(asked.hearing.logits), asked.entries).exp()
    area = before[:, None] - sums / words.counts[:, None]
    return Limits(order[:, 0], order[:, 1], area[:, 0], area[:, 1])


def _searched(
    asked: Asked, words: Words, how: str, beam: int, searched: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Orders (answer, sign, rank) and sums of probabilities (answer, sign) of the best paths found."""
    device, size = words.counts.device, len(words.counts)
    sign = torch.tensor(SIGNS, dtype=torch.float64, device=device)[:, None]
    gone = torch.zeros(size, len(SIGNS), beam, words.most, dtype=torch.bool, device=device)
    order = torch.full(gone.shape, -1, device=device)
    costs = torch.full(gone.shape[:3], torch.inf, dtype=torch.float64, device=device)
    costs[:, :, 0] = 0.0
    for step in range(words.most if bool(searched.any()) else 0):
        asks = (searched & (words.counts > step))[:, None, None] & costs.isfinite()
        judged, left = one_more(asked, words, gone.flatten(1, 2), how, asks.flatten(1, 2))
        shape = (*gone.shape[:2], -1)
        next_costs = costs[..., None] + sign[..., None] * judged.likelihood.exp().reshape(gone.shape)
        flat = next_costs.masked_fill(~left.reshape(gone.shape), torch.inf).reshape(shape)
        chosen, best = _cheapest(flat, gone, beam)
        path, word = best // words.most, best % words.most
        moved = (searched & (words.counts > step))[:, None, None]
        costs = torch.where(moved, chosen, costs)
        taken = torch.nn.functional.one_hot(word, words.most).bool()
        index = path[..., None].expand(gone.shape)
        gone = torch.where(moved[..., None], gone.gather(2, index) | taken, gone)
        order = torch.where(moved[..., None], order.gather(2, index), order)
        order[..., step] = torch.where(moved, word, -1)
    cheapest, path = costs.min(2)
    index = path[..., None, None].expand(-1, -1, 1, words.most)
    return order.gather(2, index)[:, :, 0], cheapest * sign[:, 0]


def _cheapest(costs: torch.Tensor, gone: torch.Tensor, beam: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The `beam` cheapest of costs (..., path x word) and their numbers; of equal sets one alone is kept."""
    if beam == 1:
        cost, number = costs.min(-1, keepdim=True)
        return cost, number
    ordered, numbers = costs.sort(dim=-1, stable=True)
    powers = torch.randint(2**62, (gone.shape[-1],), generator=torch.Generator().manual_seed(0))
    powers = powers.to(gone.device)
    # Sets have the same sum of random numbers only if they are the same.
    names = ((gone * powers).sum(-1)[..., None] + powers).flatten(-2).gather(-1, numbers)
    same = (names[..., :, None] == names[..., None, :]).tril(-1).any(-1)
    ordered, again = ordered.masked_fill(same, torch.inf).topk(beam, largest=False)
    return ordered, numbers.gather(-1, again)


def _among_all(
    asked: Asked, words: Words, how: str, short: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same over all orders of short texts, by the cheapest way to every set of words."""
    most, device = int(words.counts[short].max()), words.counts.device
    numbers = torch.arange(2**most, device=device)
    bits = (numbers[:, None] >> torch.arange(most, device=device) & 1).bool()  # (set, word)
    chances = _of_all_sets(asked, words, how, short, bits)
    costs = torch.tensor(SIGNS, dtype=torch.float64, device=device)[:, None] * chances[:, None]
    costs[..., 0] = 0.0
    last = torch.full(costs.shape, -1, device=device)  # the word that a set is made by
    before = numbers[:, None] ^ (1 << torch.arange(most, device=device))
    for size in range(1, most + 1):
        some = bits.sum(1) == size
        ways = costs[..., before[some]].masked_fill(~bits[some], torch.inf)
        way, last[..., some] = ways.min(-1)
        costs[..., some] += way
    order = torch.full((len(short), len(SIGNS), words.most), -1, device=device)
    full = ((1 << words.counts.clamp_max(most)) - 1)[:, None].expand(-1, len(SIGNS))
    sums = costs.gather(2, full[..., None])[..., 0]
    there = full
    for step in reversed(range(most)):
        word = last.gather(2, there[..., None])[..., 0]
        moves = (words.counts > step)[:, None]
        order[..., step] = torch.where(moves, word, -1)
        there = torch.where(moves, there ^ (1 << word.clamp_min(0)), there)
    sign = torch.tensor(SIGNS, dtype=torch.float64, device=device)
    return order, sums * sign


def _of_all_sets(
    asked: Asked, words: Words, how: str, short: torch.Tensor, bits: torch.Tensor
) -> torch.Tensor:
    """Probability of each answer without each set of words, (answer, set); 0 where a text lacks them."""
    sets = torch.zeros(len(bits), words.most, dtype=torch.bool, device=bits.device)
    sets[:, : bits.shape[1]] = bits
    sets = sets[None].expand(len(short), -1, -1)
    wanted = short[:, None] & ~(sets & ~words.real[:, None]).any(2)
    chances = without_words(asked, words, sets, how, wanted).likelihood.exp()
    return chances.masked_fill(~wanted, 0.0)
