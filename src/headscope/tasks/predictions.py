"""What a language model predicts: logits, and the labels that they are held to.

Losses are per example, the mean over the example's predicted pieces; what is differentiated is their
sum, so that an example's gradients do not depend on the batch it is in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from headscope.errors import ModelError
from headscope.models import Model, Sides

IGNORED = -100
"""The label of a piece that has none."""

Predict = Callable[[Any, "Sides"], tuple[torch.Tensor, torch.Tensor]]
"""(the model with its task head, the batch) to logits (batch, piece, entry) and labels (batch, piece)."""


def example_losses(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross entropy of each example (batch,): of its label, or the mean over its pieces with a label.

    logits: (batch, label) with labels (batch,), or (batch, piece, label) with labels (batch, piece).

    >>> even = torch.zeros(1, 3, 2)
    >>> example_losses(even, torch.tensor([[IGNORED, 0, 1]])).exp()
    tensor([2.])
    """
    each = cross_entropy(
        logits.movedim(-1, 1).float(), labels, ignore_index=IGNORED, reduction="none"
    ).reshape(len(labels), -1)
    return each.sum(1) / (labels != IGNORED).reshape(len(labels), -1).sum(1).clamp_min(1)


def training_losses(
    module: Any, inputs: dict[str, torch.Tensor], labels: torch.Tensor, smoothing: float = 0.0
) -> torch.Tensor:
    """Losses (batch,) to learn from; a net that has a shorter way than through all logits goes it.

    smoothing: of translations, the share of a label that is dealt out to all entries evenly (Szegedy et al.
    2016, section 7).
    """
    if hasattr(module, "losses"):
        own: torch.Tensor = module.losses(labels, **inputs)
        return own
    logits = module(**inputs).logits
    if "decoder_input_ids" not in inputs:
        return example_losses(logits, labels)
    known = labels != IGNORED  # (batch, piece); what is padded costs as much as what is not
    each = cross_entropy(logits[known], labels[known], reduction="none", label_smoothing=smoothing)
    padded = torch.zeros_like(logits[..., 0]).masked_scatter(known, each)
    return padded.sum(1) / known.sum(1).clamp_min(1)


def right_and_count(logits: torch.Tensor, labels: torch.Tensor) -> np.ndarray:
    """Of each example, how many of its labels are the likeliest, and how many it has, (batch, 2) float64."""
    known = (labels != IGNORED).reshape(len(labels), -1)
    right = (logits.detach().argmax(-1) == labels).reshape(len(labels), -1) & known
    return torch.stack([right.sum(1), known.sum(1)], dim=1).double().cpu().numpy()


def masked(module: Any, sides: Sides) -> tuple[torch.Tensor, torch.Tensor]:
    """The hidden pieces."""
    assert sides.labels is not None
    outputs = module(**sides.inputs)
    return (outputs.logits if "logits" in outputs else outputs.prediction_logits), sides.labels


def causal(module: Any, sides: Sides) -> tuple[torch.Tensor, torch.Tensor]:
    """Every piece but the first."""
    logits = module(**sides.inputs, use_cache=False).logits[:, :-1]
    ids, real = sides.inputs["input_ids"][:, 1:], sides.inputs["attention_mask"][:, 1:]
    return logits, ids.masked_fill(real == 0, IGNORED)


def sequence_to_sequence(module: Any, sides: Sides) -> tuple[torch.Tensor, torch.Tensor]:
    """Every piece of the target, the true ones before it being known."""
    assert sides.labels is not None
    return module(**sides.inputs, use_cache=False).logits, sides.labels


class Masking:
    """Hide a share of the pieces behind the mask token; the labels keep what they were.

    Which pieces is drawn from the seed and the example's pieces alone, so batches do not matter.
    """

    def __init__(self, model: Model, rate: float, seed: int) -> None:
        if not 0 < rate < 1:
            raise ModelError(f"the masking rate must lie between 0 and 1, not {rate}")
        self.mask, self.rate, self.seed = model.tokenizer.mask_token_id, rate, seed
        self.special = torch.tensor(model.tokenizer.all_special_ids)
        self.kinds = model.kinds

    def __call__(self, sides: Sides) -> Sides:
        ids = sides.inputs["input_ids"]
        chosen = torch.stack([self._choose(row) for row in ids.cpu()]).to(ids.device)
        hidden = ids.masked_fill(chosen, self.mask)
        labels = ids.masked_fill(~chosen, IGNORED)
        seen = hidden.cpu().numpy()
        source = replace(sides.source, ids=seen, kinds=self.kinds.kinds(seen))
        return replace(sides, inputs={**sides.inputs, "input_ids": hidden}, labels=labels, source=source)

    def _choose(self, row: torch.Tensor) -> torch.Tensor:
        """At least one piece, none of them special."""
        ordinary = ~torch.isin(row, self.special)
        count = int(ordinary.sum())
        chosen = torch.zeros_like(ordinary)
        if count:
            key = int(row[ordinary].sum()) * 1_000_003 + self.seed
            generator = torch.Generator().manual_seed(key % 2**63)
            order = torch.randperm(count, generator=generator)[: max(1, round(self.rate * count))]
            chosen[ordinary.nonzero()[order, 0]] = True
        return chosen
