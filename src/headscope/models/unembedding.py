"""From the sum of what all parts of a model hand on to its logits: the last norm and the unembedding."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from headscope.errors import ModelError
from headscope.models.load import counting_inputs
from headscope.models.model import Model
from headscope.models.norms import scaled, spread
from headscope.models.residuals import is_norm

_KEPT = "unembedding"
"""Where a model keeps what was found, so that both are freed together."""


@dataclass(frozen=True, eq=False)
class Unembedding:
    """norm: the last one, which reads the sum. matrix: makes logits of what it gives. plain: whether these
    are the model's logits as they are, without a cap or a scale behind them."""

    norm: Any
    matrix: Any
    plain: bool

    @classmethod
    def of(cls, model: Model) -> Unembedding:
        """That of a language model; refused where it is not found."""
        if _KEPT not in vars(model):
            vars(model)[_KEPT] = _find(model)
        found: Unembedding = vars(model)[_KEPT]
        return found

    def rows(self, ids: torch.Tensor) -> torch.Tensor:
        """The vectors that make the logits of pieces (...): (..., width)."""
        weight: torch.Tensor = self.matrix.weight.detach()
        return weight[ids.to(weight.device)]

    def middle(self) -> torch.Tensor:
        """The mean of all such vectors, (width,): what raises every logit alike raises none above others."""
        weight: torch.Tensor = self.matrix.weight.detach()
        return weight.mean(0)

    def scaled(self, vectors: torch.Tensor) -> torch.Tensor:
        """Vectors (..., width) as the norm lays them out, before it divides."""
        return scaled(self.norm, vectors)

    def spread(self, total: torch.Tensor) -> torch.Tensor:
        """What the norm divides by where it reads this sum, (..., 1)."""
        return spread(self.norm, total)

    def bias(self, ids: torch.Tensor) -> torch.Tensor:
        """What a logit has beside the sum, from the biases of norm and matrix; in the shape of ids."""
        own, of_norm = getattr(self.matrix, "bias", None), getattr(self.norm, "bias", None)
        weight, ids = self.matrix.weight, ids.to(self.matrix.weight.device)
        total = torch.zeros(ids.shape, dtype=weight.dtype, device=weight.device)
        if of_norm is not None:
            total = total + self.rows(ids) @ of_norm.detach()
        return total if own is None else total + own.detach()[ids]


def why_no_unembedding(model: Model) -> str | None:
    """Why it is not found; None where it is."""
    try:
        Unembedding.of(model)
    except ModelError as error:
        return str(error)
    return None


def _find(model: Model) -> Unembedding:
    getter = getattr(model.module, "get_output_embeddings", None)
    matrix = getter() if getter is not None else None
    if not isinstance(matrix, nn.Linear):
        raise ModelError(f"{model.name} has no matrix that makes logits of all pieces; use a language model")
    norms: list[tuple[nn.Module, torch.Tensor]] = []
    reads: list[tuple[torch.Tensor, torch.Tensor]] = []

    def note_norm(module: nn.Module, given: tuple[Any, ...], made: Any) -> None:
        norms.append((module, made))

    def note_logits(module: nn.Module, given: tuple[Any, ...], made: Any) -> None:
        reads.append((given[0], made.clone()))

    with ExitStack() as hooks, torch.no_grad(), model.attached(whole=True) as called:
        for module in called.modules():
            if is_norm(module):
                hooks.callback(module.register_forward_hook(note_norm).remove)
        hooks.callback(matrix.register_forward_hook(note_logits).remove)
        logits = called(**counting_inputs(called, model.tokenizer)).logits
    if not reads:
        raise ModelError(f"the matrix that should make the logits of {model.name} is not used")
    read, made = reads[-1]
    norm = next((norm for norm, given in reversed(norms) if torch.equal(given, read)), None)
    if norm is None:
        raise ModelError(
            f"what makes the logits of {model.name} reads no norm, so heads cannot be told in it"
        )
    return Unembedding(norm, matrix, bool(torch.equal(made, logits)))
