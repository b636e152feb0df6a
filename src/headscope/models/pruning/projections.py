"""The matrices of a head, found by watching a forward pass instead of by the names a family gives them.

Each matrix inside an attention module is made to give noise; the gradient of a head's output with respect
to that noise then shows which of the matrix's units the head reads, however queries, keys and values of the
heads are laid out. What the heads put out is replaced by their numbers; the matrix that receives those
numbers unchanged is the output projection, and they show which of its columns belong to which head.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import nn
from transformers.pytorch_utils import Conv1D

from headscope.attention import OutputEdit, Site
from headscope.attention.site import SiteMap
from headscope.errors import ModelError
from headscope.models.load import counting_inputs
from headscope.models.model import Model

MATRICES = (nn.Linear, Conv1D)
_NOISE = 0.01
"""Small, so that no softmax or cap is saturated, where gradients would vanish."""


@dataclass
class Projections:
    """The matrices around one attention module.

    readers: for each matrix (head, unit) bool, whether a head reads a unit. output: the matrix that takes
    the joined heads. columns: (column,) the head that each of its columns belongs to.
    """

    output: nn.Module
    columns: torch.Tensor
    readers: dict[nn.Module, torch.Tensor] = field(default_factory=dict)

    def shared(self) -> torch.Tensor:
        """(head, head) bool: whether two heads read a unit together, as grouped queries do a key."""
        pairs = [reads.float() @ reads.float().T for reads in self.readers.values()]
        return torch.stack(pairs).sum(0) > 0


def find_projections(model: Model) -> dict[nn.Module, Projections]:
    """The projections of every attention module; refused where heads cannot be told apart in them."""
    if not isinstance(model.sites, SiteMap):
        raise ModelError(
            model.why_no_edits
            or f"{family(model)} computes attention outside the shared function: its heads can be masked, "
            "but not taken out; use a model of another family"
        )
    tracer = _Tracer(model, model.sites)
    with ExitStack() as stack:
        stack.enter_context(torch.enable_grad())
        called = stack.enter_context(model.attached(edits=[tracer]))
        for matrix in called.modules():
            if isinstance(matrix, MATRICES):
                stack.callback(matrix.register_forward_hook(tracer.met).remove)
        called(**counting_inputs(called, model.tokenizer))
    missed = tracer.module_of.values() - tracer.found.keys()
    if missed:
        raise refusal(model, "no matrix takes what its heads put out")
    return tracer.found


def family(model: Model) -> str:
    """What a model's family is called in errors."""
    return str(getattr(model.module.config, "model_type", None) or type(model.module).__name__)


def refusal(model: Model, reason: str) -> ModelError:
    """The error of a model whose heads cannot be taken out."""
    return ModelError(f"heads of the family {family(model)} cannot be taken out: {reason}; mask them instead")


class _Tracer(OutputEdit):
    """Watches matrices and heads in one forward pass."""

    def __init__(self, model: Model, sites: SiteMap) -> None:
        super().__init__(model.heads())
        self._model = model
        self.module_of = {
            (site.stack, site.layer): module for module, served in sites.modules().items() for site in served
        }
        self._owner = {
            matrix: module
            for module in sites.modules()
            for matrix in module.modules()
            if isinstance(matrix, MATRICES)
        }
        self._noise: list[tuple[nn.Module, torch.Tensor]] = []
        self._readers: tuple[nn.Module, dict[nn.Module, torch.Tensor]] | None = None
        self._generator = torch.Generator().manual_seed(0)
        self.found: dict[nn.Module, Projections] = {}

    def change(self, output: torch.Tensor, site: Site) -> torch.Tensor:
        """See what the heads read, and hand their numbers on; (batch, query, head, dim)."""
        module = self.module_of[site.stack, site.layer]
        noises = [(matrix, noise) for matrix, noise in self._noise if self._owner[matrix] is module]
        self._noise = []
        self._readers = module, self._follow(output, noises)
        return torch.arange(site.heads).to(output)[:, None].expand_as(output)

    def _follow(
        self, output: torch.Tensor, noises: list[tuple[nn.Module, torch.Tensor]]
    ) -> dict[nn.Module, torch.Tensor]:
        """(head, unit) for each matrix whose units reach a head."""
        if not noises or not output.requires_grad:
            raise refusal(self._model, "no matrix inside its attention module feeds its heads")
        slopes_of = partial(
            torch.autograd.grad,
            inputs=[noise for _, noise in noises],
            grad_outputs=self._random(output[:, :, 0]),
            retain_graph=True,
            allow_unused=True,
            materialize_grads=True,
        )
        rows = [slopes_of(of_head) for of_head in output.unbind(2)]
        readers: dict[nn.Module, torch.Tensor] = {}
        for (matrix, _), slopes in zip(noises, zip(*rows, strict=True), strict=True):
            reads = torch.stack([slope.flatten(0, -2).ne(0).any(0) for slope in slopes])
            if bool(reads.any()):
                readers[matrix] = reads | readers.get(matrix, torch.zeros_like(reads))
        return readers

    def met(self, matrix: nn.Module, given: tuple[Any, ...], made: torch.Tensor) -> torch.Tensor | None:
        """A forward hook: the first matrix after the heads takes them; those inside modules give noise."""
        if self._readers is not None:
            module, readers = self._readers
            self._readers = None
            self.found[module] = Projections(matrix, self._columns(given[0]), readers)
        if matrix not in self._owner:
            return None
        noise = self._random(made).requires_grad_()
        self._noise.append((matrix, noise))
        return noise

    def _columns(self, joined: torch.Tensor) -> torch.Tensor:
        """The head's number in each column of the joined heads."""
        rows = joined.detach().flatten(0, -2)
        numbers = rows[0].round().long()
        sizes = torch.bincount(numbers.clamp_min(0))
        if not bool((rows == numbers).all()) or bool((sizes != sizes[0]).any()):
            raise refusal(self._model, "what its heads put out is changed before a matrix takes it")
        return numbers.cpu()

    def _random(self, like: torch.Tensor) -> torch.Tensor:
        return (_NOISE * torch.randn(like.shape, generator=self._generator)).to(like)
