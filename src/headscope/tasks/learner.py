"""Named weights that learn: whatever they belong to, and whatever their loss is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch.nn.utils import clip_grad_norm_

from headscope.tasks.course import Descent, Moment, Optimiser

Batch = TypeVar("Batch")
Arrays = dict[str, np.ndarray]

OPTIMISERS: dict[Optimiser, Callable[..., torch.optim.Optimizer]] = {
    "adamw": partial(torch.optim.AdamW, fused=True),
    "adam": torch.optim.Adam,
    "amsgrad": partial(torch.optim.Adam, amsgrad=True),
    "adadelta": torch.optim.Adadelta,
}
"""Loshchilov and Hutter 2019; Kingma and Ba 2015; Reddi et al. 2018; Zeiler 2012."""

_WEIGHTS = "weights"


class Learner(Generic[Batch]):
    """Weights by name, those that do not require a gradient left alone, and the optimiser that moves them.

    loss: (batch, step) to losses (example,) with their graph, of whatever is to be averaged: texts, words.
    It may run several models and is theirs to set to training; only the weights given here are changed.

    >>> weight = torch.tensor([3.0], requires_grad=True)
    >>> descent = Descent(0.5, "adam", "flat")
    >>> learner = Learner({"w": weight}, lambda batch, step: (weight - batch) ** 2, descent)
    >>> learner.learn(torch.tensor([1.0, 0.0]), Moment(0, 0, 1))
    tensor([4., 9.])
    >>> weight
    tensor([2.5000], requires_grad=True)
    """

    def __init__(
        self,
        weights: Mapping[str, torch.Tensor],
        loss: Callable[[Batch, int], torch.Tensor],
        descent: Descent,
    ) -> None:
        self.loss, self.descent = loss, descent
        self.weights = {name: weight for name, weight in weights.items() if weight.requires_grad}
        matrices = [name for name, weight in self.weights.items() if weight.ndim > 1]
        others = [name for name, weight in self.weights.items() if weight.ndim <= 1]
        self._places = {name: place for place, name in enumerate([*matrices, *others])}
        groups: list[dict[str, Any]] = [
            {"params": [self.weights[name] for name in names], "weight_decay": decay}
            for names, decay in ((matrices, descent.decay), (others, 0.0))
        ]
        self._optimizer = OPTIMISERS[descent.optimiser](groups, lr=descent.rate, **descent.settings())

    @property
    def device(self) -> torch.device:
        return next(iter(self.weights.values())).device

    def learn(self, batch: Batch, moment: Moment) -> torch.Tensor:
        """One step down the mean loss of a batch; its losses (example,), without a graph."""
        for group in self._optimizer.param_groups:
            group["lr"] = self.descent.rate_at(moment)
        self._optimizer.zero_grad(set_to_none=True)
        with torch.enable_grad():
            losses = self.loss(batch, moment.step)
            mean = losses.sum() / max(1, losses.numel())
        mean.backward(inputs=list(self.weights.values()))  # type: ignore[no-untyped-call]
        if self.descent.clip is not None:
            clip_grad_norm_(self.weights.values(), self.descent.clip)
        self._optimizer.step()
        return losses.detach()

    def state(self) -> Arrays:
        """Copies of all to go on from: weights/NAME, and what the optimiser keeps, such as exp_avg/NAME."""
        moved = self._optimizer.state_dict()["state"]  # nothing of weights that never had a gradient
        state = {f"{_WEIGHTS}/{name}": _copied(weight) for name, weight in self.weights.items()}
        for name, place in self._places.items():
            state |= {f"{kind}/{name}": _copied(value) for kind, value in moved.get(place, {}).items()}
        return state

    def take(self, state: Arrays) -> None:
        """Go on from a state."""
        self.put(weights_of(state))
        moved: dict[int, dict[str, torch.Tensor]] = {}
        for path, array in state.items():
            kind, _, name = path.partition("/")
            if kind != _WEIGHTS:
                moved.setdefault(self._places[name], {})[kind] = torch.tensor(array)
        self._optimizer.load_state_dict({**self._optimizer.state_dict(), "state": moved})

    def put(self, weights: Arrays) -> None:
        """Set the weights; the gradient of the old ones goes."""
        self._optimizer.zero_grad(set_to_none=True)
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(torch.tensor(weights[name]))


def weights_of(state: Arrays) -> Arrays:
    """The weights of a learner's state, by name."""
    prefix = f"{_WEIGHTS}/"
    return {path.removeprefix(prefix): array for path, array in state.items() if path.startswith(prefix)}


def _copied(tensor: torch.Tensor) -> np.ndarray:
    return np.array(tensor.detach().cpu())
