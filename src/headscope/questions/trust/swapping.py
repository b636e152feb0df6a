"""Other attention in the place of the model's own: does the answer need it, and would another do?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.explainers import Asked
from headscope.explainers.adversary import adversaries
from headscope.explainers.attention import stacks_at, weights_at
from headscope.explainers.given_attention import (
    Scope,
    Weigh,
    answers_given,
    even,
    permuted,
    removed,
    sites_in,
)
from headscope.explainers.keys import keys_seen
from headscope.explainers.single_weight import single_weights
from headscope.explainers.words import sentences_of
from headscope.measures.information import total_variation
from headscope.measures.likeness import conicity
from headscope.questions.trust.answering import Answered, Answering, AnswersWork
from headscope.tallies import Rows, Tally

EVEN, PERMUTED, REMOVED = "even", "permuted", "removed"
SWAPS = (EVEN, PERMUTED, REMOVED)
DRAWS = 100
"""Permutations of each answer's weights (Jain and Wallace 2019, section 4.2.1)."""

MOVED = ("variation", "changed")
"""How far the answer moves (total variation distance), and whether it becomes another."""

FACTS = ("largest", "conicity", "top_flips", "other_flips", "top_divergence", "other_divergence")
"""The largest weight of a word, or of a sentence where these are looked at; how alike the vectors are that
attention mixes; what becomes of the answer without that weight, and without another one."""

FOUND = ("divergence", "variation")
"""How far from the model's own an adversary gets, and how far its answer moves; NaN where none is alike."""


@dataclass
class Swap:
    """The analysis: even, permuted and no attention. scopes: whose weights, those of interest first."""

    answering: Answering
    scopes: tuple[Scope, ...]
    seed: int
    name: str = "swap"

    def work(self, setting: Setting) -> SwapWork:
        return SwapWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `answer`: `moved` for each scope and swap, `fact_value`, `document`."""
        moved, facts = tallies["moved"], tallies["facts"]
        assert isinstance(moved, Rows) and isinstance(facts, Rows)
        return xr.Dataset(
            {
                "moved": (("answer", "scope", "swap", "measure"), moved.result()),
                "fact_value": (("answer", "fact"), facts.result()),
                "document": ("answer", moved.documents()),
            },
            coords={
                "scope": [str(scope) for scope in self.scopes],
                "swap": list(SWAPS),
                "measure": list(MOVED),
                "fact": list(FACTS),
            },
        )


class SwapWork(AnswersWork):
    """Answers each batch under other weights."""

    def __init__(self, setting: Setting, swap: Swap) -> None:
        super().__init__(setting.model, swap.answering)
        self.swap = swap
        self.moved = Rows((len(swap.scopes), len(SWAPS), len(MOVED)))
        self.facts = Rows((len(FACTS),))
        self.tallies: Tallies = {"moved": self.moved, "facts": self.facts}

    def take(self, answered: Answered) -> None:
        self.moved.update(answered.documents, self._moved(answered.asked))
        self.facts.update(answered.documents, self._facts(answered))

    def _moved(self, asked: Asked) -> np.ndarray:
        """(answer, scope, swap, measure); permuted in the first scope alone, for it takes many passes."""
        ways: dict[str, tuple[Weigh, int]] = {
            EVEN: (even, 1),
            PERMUTED: (permuted(asked, DRAWS, self.swap.seed), DRAWS),
            REMOVED: (removed, 1),
        }
        own = asked.answers(asked.hearing.logits).double().softmax(-1)

        def told(answers: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
            other = chances.argmax(-1) != asked.entries[answers]
            return torch.stack([total_variation(chances.exp(), own[answers]), other.double()], -1)

        found = np.full((len(asked.texts), len(self.swap.scopes), len(SWAPS), len(MOVED)), np.nan)
        for place, scope in enumerate(self.swap.scopes):
            for number, swap in enumerate(SWAPS):
                if swap != PERMUTED or place == 0:
                    found[:, place, number] = _middle(answers_given(asked, *ways[swap], scope, told))
        return found

    def _facts(self, answered: Answered) -> np.ndarray:
        """(answer, fact)"""
        asked, scope = answered.asked, self.swap.scopes[0]
        sites = sites_in(asked.model, scope)
        # Who looks at sentences has no weight of a word to take away.
        by_sentence = sites[-1].keys == "sentence"
        words = sentences_of(asked) if by_sentence else answered.words
        weights = words.summed(weights_at(asked, sites))
        single = single_weights(asked, words, weights, scope, self.swap.seed)
        facts = [
            weights.nan_to_num(-torch.inf).amax(1),
            _conicity(asked, scope),
            *single.flips.double().T,
            *single.divergence.T,
        ]
        return torch.stack([fact.cpu().double() for fact in facts], 1).numpy()


def _middle(draws: torch.Tensor) -> np.ndarray:
    """Median variation and share of changes over draws: (answer, draw, measure) to (answer, measure)."""
    moved, changed = draws.cpu().numpy().transpose(2, 0, 1)
    return np.stack([np.median(moved, 1), changed.mean(1)], 1)


def _conicity(asked: Asked, scope: Scope) -> torch.Tensor:
    """How alike the values are that attention mixes, (answer,); NaN where they are not shown."""
    stack = stacks_at(asked.model)[0]
    site = [site for site in sites_in(asked.model, scope) if site.stack == stack][-1]
    values = asked.hearing.values[site]
    if values is None:
        return torch.full((len(asked.texts),), torch.nan)
    vectors = values.detach().transpose(1, 2).flatten(2)
    return conicity(vectors[asked.texts], keys_seen(asked, site))


@dataclass
class Adversary:
    """The analysis: attention that looks elsewhere and answers alike, sought for each answer."""

    answering: Answering
    scope: Scope
    epsilon: float
    seed: int
    name: str = "adversary"

    def work(self, setting: Setting) -> AdversaryWork:
        return AdversaryWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `answer`: `found`, `document`."""
        found = tallies["found"]
        assert isinstance(found, Rows)
        return xr.Dataset(
            {"found": (("answer", "measure"), found.result()), "document": ("answer", found.documents())},
            coords={"measure": list(FOUND)},
        )


class AdversaryWork(AnswersWork):
    """Seeks adversaries to the answers of each batch."""

    def __init__(self, setting: Setting, adversary: Adversary) -> None:
        super().__init__(setting.model, adversary.answering)
        self.adversary = adversary
        self.found = Rows((len(FOUND),))
        self.tallies: Tallies = {"found": self.found}

    def take(self, answered: Answered) -> None:
        scope, seed, epsilon = self.adversary.scope, self.adversary.seed, self.adversary.epsilon
        found = adversaries(answered.asked, scope, seed=seed, epsilon=epsilon).alike(epsilon)
        self.found.update(answered.documents, torch.stack(found, 1).double().cpu().numpy())
