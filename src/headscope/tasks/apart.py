"""A penalty for heads that look alike, so that each comes to look at something of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from headscope.attention import Heard, attach
from headscope.attention.listen import Need
from headscope.measures.information import likeness
from headscope.models import Model


class Apart:
    """Hears a model while it is trained; weight: of the penalty beside the loss of the task."""

    needs: Need = "map"

    def __init__(self, model: Model, weight: float) -> None:
        self._model, self._weight = model, weight
        self._likeness: list[torch.Tensor] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take in the maps of the forward pass inside, with their graph."""
        self._likeness = []
        with attach(self._model.backbone, self._model.sites, [self]):
            yield

    def hear(self, heard: Heard) -> None:
        if heard.site.queries == "piece":
            self._likeness.append(likeness(heard.weights, heard.visible))

    def penalties(self) -> torch.Tensor:
        """For each example (batch,), the weighted mean over the layers that were heard."""
        return self._weight * torch.stack(self._likeness).mean(0)
