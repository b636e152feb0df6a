"""The training of an adversary: answers as the model's, attention away from the model's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch.nn.functional import nll_loss

from headscope.measures.information import total_variation
from headscope.measures.map_divergence import Kind, map_divergence
from headscope.models import Model
from headscope.questions.adversary.hearing import Inputs, Known, Listening, real_rows
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.finetuning import FineTuning
from headscope.tasks.journey import Judged, Mark
from headscope.tasks.predictions import IGNORED
from headscope.text.batches import Progress

Distance = Literal["nll", "tvd"]


def answers_apart(
    logits: torch.Tensor, chances: torch.Tensor, labels: torch.Tensor, distance: Distance
) -> torch.Tensor:
    """How far answers lie from the model's, mean over the answers of each example, (batch,).

    logits, chances: (batch, label) or (batch, piece, label), of the adversary and of the model. labels: what
    has one is answered. nll: the log loss of what the model answers; tvd: the total variation distance.
    """
    if distance == "nll":
        likeliest, flat = chances.argmax(-1).flatten(), logits.log_softmax(-1).flatten(0, -2)
        each = nll_loss(flat, likeliest, reduction="none").reshape(len(labels), -1)
    else:
        each = total_variation(logits.softmax(-1), chances).reshape(len(labels), -1)
    known = (labels != IGNORED).reshape(len(labels), -1)
    return (each * known).sum(1) / known.sum(1).clamp_min(1)


def attention_apart(listening: Listening, base: Known, inputs: Inputs, kind: Kind) -> torch.Tensor:
    """How far attention lies from the model's, mean over queries and over all heads, (batch,)."""
    maps, found = base.maps(inputs), []
    for site in base.sites:
        heard = listening.heard[site]
        found.append(map_divergence(heard.weights, maps[site], real_rows(heard, inputs), kind))
    return torch.cat(found, 1).mean(1)


@dataclass(kw_only=True)
class Opposing(FineTuning):
    """The one training loop with the loss distance(answers) - penalty x divergence(attention).

    It is judged by the same on the dev data, where less is better. model: what learns, and its module.
    """

    model: Model
    base: Known
    penalty: float
    distance: Distance
    divergence: Kind

    def run(self, store: Checkpoints, progress: Progress | None = None) -> list[Mark]:
        self._listening = Listening(self.model, self.base.sites)
        with self._listening.attached():
            return super().run(store, progress)

    def _losses(self, chosen: np.ndarray, step: int) -> torch.Tensor:
        self.module.train()
        inputs, labels = self.examples.padded(chosen, self.padding)
        device = self.model.device
        here = {name: tensor.to(device) for name, tensor in inputs.items()}
        return self._opposed(self.module(**here).logits, here, labels.to(device))

    def _opposed(self, logits: torch.Tensor, inputs: Inputs, labels: torch.Tensor) -> torch.Tensor:
        losses = answers_apart(logits, self.base.answers(inputs), labels, self.distance)
        if self.penalty == 0:
            return losses
        return losses - self.penalty * attention_apart(self._listening, self.base, inputs, self.divergence)

    def _judge(self, names: Sequence[str], progress: Progress) -> dict[str, Judged]:
        losses: list[Any] = []
        self.module.eval()
        for sides in self.dev:
            assert sides.labels is not None
            with torch.no_grad():
                logits = self.module(**sides.inputs).logits
                losses.append(self._opposed(logits, sides.inputs, sides.labels).double().cpu().numpy())
            progress(len(sides.segments), sum(len(segment.words) for segment in sides.segments))
        mean = float(np.concatenate(losses).mean())
        return dict.fromkeys(names, Judged(-mean, mean))
