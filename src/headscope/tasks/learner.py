"""A module that learns: AdamW with decoupled weight decay, a rate that rises and falls, clipped gradients."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

from headscope.tasks.predictions import example_losses

DECAY, WARM_UP, CLIPPED = 0.01, 0.06, 1.0
"""Weight decay of matrices; the share of steps in which the rate rises; the longest gradient."""

_MOMENTS = ("exp_avg", "exp_avg_sq")


class Learner:
    """Loshchilov and Hutter 2019; the rate rises and then falls in equal steps, to 0 behind the last one.

    What does not require a gradient is not trained, and not part of the state.
    """

    def __init__(self, module: nn.Module, rate: float, steps: int) -> None:
        self.module, self.rate, self.steps = module, rate, steps
        self._trained = {name: weight for name, weight in module.named_parameters() if weight.requires_grad}
        matrices = [weight for weight in self._trained.values() if weight.ndim > 1]
        others = [weight for weight in self._trained.values() if weight.ndim <= 1]
        groups = [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]
        self._optimizer = torch.optim.AdamW(groups, lr=rate, fused=True)

    @property
    def names(self) -> list[str]:
        """The trained weights."""
        return list(self._trained)

    @property
    def device(self) -> torch.device:
        return next(iter(self._trained.values())).device

    def rate_at(self, step: int) -> float:
        """The rate of a step, counted from 0.

        >>> learner = Learner(nn.Linear(1, 1), rate=1.0, steps=100)
        >>> [round(learner.rate_at(step), 3) for step in (0, 5, 6, 53, 99)]
        [0.167, 1.0, 1.0, 0.5, 0.011]
        """
        warm = max(1, round(WARM_UP * self.steps))
        return self.rate * min((step + 1) / warm, (self.steps - step) / max(1, self.steps - warm), 1.0)

    def learn(self, inputs: dict[str, torch.Tensor], labels: torch.Tensor, step: int) -> torch.Tensor:
        """One step down the mean loss of a batch; the sum of its losses, without a graph."""
        for group in self._optimizer.param_groups:
            group["lr"] = self.rate_at(step)
        logits = self.module(**{name: tensor.to(self.device) for name, tensor in inputs.items()}).logits
        losses = example_losses(logits, labels.to(self.device))
        self._optimizer.zero_grad(set_to_none=True)
        losses.mean().backward()  # type: ignore[no-untyped-call]
        clip_grad_norm_(self._trained.values(), CLIPPED)
        self._optimizer.step()
        return losses.detach().sum()

    def state(self) -> dict[str, np.ndarray]:
        """Copies of the trained weights by name, and of the optimizer's moments."""
        state = {name: _copied(weight) for name, weight in self._trained.items()}
        for name, weight in self._trained.items():
            moments = self._optimizer.state.get(weight, {})  # none for what the task does not use
            state |= {f"{moment}/{name}": _copied(moments[moment]) for moment in _MOMENTS if moments}
        return state

    def take(self, state: dict[str, np.ndarray], step: int) -> None:
        """Go on from a state that was reached after so many steps."""
        self.put(state)
        for name, weight in self._trained.items():
            names = {moment: f"{moment}/{name}" for moment in _MOMENTS if f"{moment}/{name}" in state}
            if names:
                arrays = {"step": float(step), **{moment: state[path] for moment, path in names.items()}}
                moments = {key: torch.tensor(value, device=weight.device) for key, value in arrays.items()}
                self._optimizer.state[weight] = moments

    def put(self, weights: dict[str, np.ndarray]) -> None:
        """Set the trained weights."""
        with torch.no_grad():
            for name, weight in self._trained.items():
                weight.copy_(torch.tensor(weights[name]))


def _copied(tensor: torch.Tensor) -> np.ndarray:
    return np.array(tensor.detach().cpu())
