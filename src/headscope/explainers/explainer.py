"""What an explainer is: a way to say how much each piece mattered for an answer, and what that costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch

from headscope.errors import ModelError
from headscope.explainers.asked import Asked
from headscope.models import Model

Need = Literal["nothing", "maps", "gradients", "runs"]
"""Nothing of the model; what one pass lets hear; gradients; or passes over changed texts."""


class Cost(NamedTuple):
    """Passes of a text through the whole model for one answer; a pass that answers share is divided."""

    forward: float
    backward: float = 0.0


Refusal = Callable[[Model], str | None]


@dataclass(frozen=True, eq=False)
class Explainer:
    """A way to explain.

    title: what it is in a few words. source: who described it. explain: importances (answer, piece). cost:
    what that took, mean over the answers. refusal: why it is not defined for a model, in one sentence; None
    where it is. signed: whether a piece can speak against an answer.
    """

    name: str
    title: str
    source: str
    needs: Need
    cost: Callable[[Asked], Cost]
    explain: Callable[[Asked], torch.Tensor]
    refusal: Refusal = lambda model: None
    signed: bool = False

    def __call__(self, asked: Asked) -> torch.Tensor:
        """Importances (answer, piece), float64: zero for padding, NaN where a piece cannot be judged."""
        reason = self.refusal(asked.model)
        if reason is not None:
            raise ModelError(f"{self.name} is not defined for {asked.model.name}: {reason}")
        return self.explain(asked).detach().double().masked_fill(~asked.seen, 0.0)


def one_pass(asked: Asked) -> Cost:
    """What listens to one pass over a text, for all answers to it."""
    return Cost(1 / asked.answers_to_a_text)


def both_ways(asked: Asked) -> Cost:
    """One pass forward and one back for each answer."""
    return Cost(1, 1)


def why_weights_stay(model: Model) -> str | None:
    """Why a model's weights cannot be others than they are; None where they can."""
    if not model.shared_function:
        return "it attends outside the shared function, so its weights cannot be changed"
    return model.why_no_weight_edits
