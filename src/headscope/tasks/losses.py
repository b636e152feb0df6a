"""A model's own loss on plain text: masked, causal or sequence-to-sequence language modelling.

Losses are per example, the mean over the example's predicted pieces; what is differentiated is their
sum, so that an example's gradients do not depend on the batch it is in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.functional import cross_entropy

from headscope.errors import ModelError

if TYPE_CHECKING:
    from headscope.models import Model, Sides

PerExample = Callable[[Any, "Sides"], torch.Tensor]
"""(the model with its task head, the batch) to losses (batch,)."""


@dataclass(frozen=True)
class Loss:
    """A loss with a name; `prepare` may change the inputs before they are run, as masking does."""

    name: str
    per_example: PerExample
    prepare: Callable[[Sides], Sides] = lambda sides: sides


def own_loss(model: Model, masking: float = 0.15, seed: int = 0) -> Loss | None:
    """The loss that the model was trained with, as far as its class tells; None if it has none."""
    if model.notes and any("random" in note for note in model.notes):
        return None
    name = type(model.module).__name__
    if model.shape == "encoder-decoder":
        has_head = _has_output_layer(model)
        return Loss("sequence-to-sequence", _sequence_to_sequence) if has_head else None
    if model.shape == "decoder":
        return Loss("causal", _causal) if _has_output_layer(model) else None
    if "MaskedLM" in name or "PreTraining" in name:
        mask = getattr(model.tokenizer, "mask_token_id", None)
        if mask is not None and _has_output_layer(model):
            return Loss("masked", _masked, _Masking(model, mask, masking, seed))
    if "SequenceClassification" in name:
        return Loss("own prediction", _own_prediction)
    return None


def why_no_loss(model: Model) -> str:
    """One sentence for a reader."""
    if model.notes and any("random" in note for note in model.notes):
        return "the checkpoint does not hold all weights of its task head, so its loss would mean nothing"
    return f"{type(model.module).__name__} has no language-model or classification head, so no loss"


class _Masking:
    """Hide a share of the pieces behind the mask token; the labels keep what they were.

    Which pieces is drawn from the seed and the example's pieces alone, so batches do not matter.
    """

    def __init__(self, model: Model, mask: int, rate: float, seed: int) -> None:
        if not 0 < rate < 1:
            raise ModelError(f"the masking rate must lie between 0 and 1, not {rate}")
        self.mask, self.rate, self.seed = mask, rate, seed
        self.special = torch.tensor(model.tokenizer.all_special_ids)
        self.kinds = model.kinds

    def __call__(self, sides: Sides) -> Sides:
        ids = sides.inputs["input_ids"]
        chosen = torch.stack([self._choose(row) for row in ids.cpu()]).to(ids.device)
        hidden = ids.masked_fill(chosen, self.mask)
        labels = ids.masked_fill(~chosen, -100)
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


def _has_output_layer(model: Model) -> bool:
    return getattr(model.module, "get_output_embeddings", lambda: None)() is not None


def _mean_over_pieces(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross entropy (batch,) of logits (batch, piece, entry), mean over the pieces with a label."""
    each = cross_entropy(logits.transpose(1, 2).float(), labels, ignore_index=-100, reduction="none")
    return each.sum(1) / (labels != -100).sum(1).clamp_min(1)


def _masked(module: Any, sides: Sides) -> torch.Tensor:
    outputs = module(**sides.inputs)
    logits = outputs.logits if "logits" in outputs else outputs.prediction_logits
    assert sides.labels is not None
    return _mean_over_pieces(logits, sides.labels)


def _causal(module: Any, sides: Sides) -> torch.Tensor:
    logits = module(**sides.inputs, use_cache=False).logits[:, :-1]
    ids, real = sides.inputs["input_ids"][:, 1:], sides.inputs["attention_mask"][:, 1:]
    return _mean_over_pieces(logits, ids.masked_fill(real == 0, -100))


def _sequence_to_sequence(module: Any, sides: Sides) -> torch.Tensor:
    assert sides.labels is not None
    return _mean_over_pieces(module(**sides.inputs, use_cache=False).logits, sides.labels)


def _own_prediction(module: Any, sides: Sides) -> torch.Tensor:
    """Without labels a classifier is held to its own answer."""
    logits = module(**sides.inputs).logits
    return cross_entropy(logits.float(), logits.argmax(-1), reduction="none")
