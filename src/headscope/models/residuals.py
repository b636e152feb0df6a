"""What goes past each attention, and the norms around it, found by watching a pass instead of by names.

The output of an attention is added to what went past it. Where the sum is read by a layer norm alone, that
norm is part of the attention's block (BERT); where the sum itself goes on, it is not (GPT-2, Llama). In some
families the sum is never there by itself: another path adds to the same vectors at once (GPT-NeoX), or a norm
reads the output before it is added (Gemma 2). There, what goes past is what the norm before attention reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from headscope.attention.site import SiteMap
from headscope.models.load import counting_inputs
from headscope.models.model import Model
from headscope.models.pruning.projections import MATRICES, Projections


@dataclass(frozen=True)
class Surrounding:
    """projections: the matrices of an attention. norm: one that reads the sum, or where `past` what goes past
    alone. inside: whether the norm alone reads the sum. between: a norm of the output before it is added."""

    projections: Projections
    norm: nn.Module
    inside: bool = False
    past: bool = False
    between: nn.Module | None = None


def is_norm(module: nn.Module) -> bool:
    """Whether a module scales each vector by one weight for each of its numbers."""
    weight = getattr(module, "weight", None)
    return isinstance(weight, torch.Tensor) and weight.ndim == 1 and not isinstance(module, MATRICES)


def find_surroundings(
    model: Model, projections: dict[nn.Module, Projections]
) -> dict[nn.Module, Surrounding]:
    """By attention module what surrounds it; without those whose sum is not found."""
    assert isinstance(model.sites, SiteMap)
    watch = _Watch()
    with torch.enable_grad(), model.attached() as called, watch.watching(called):
        outputs = called(**counting_inputs(called, model.tokenizer))
    result = next(item for item in outputs.values() if isinstance(item, torch.Tensor))
    found = {}
    for module, own in projections.items():
        place = watch.place(own.output)
        if place is None:
            continue
        surrounding = _of_sum(watch, own, place, result) or _of_past(watch, own, place)
        if surrounding is not None:
            found[module] = surrounding
    return found


def _of_sum(watch: _Watch, own: Projections, place: int, result: torch.Tensor) -> Surrounding | None:
    """Where a norm reads the sum of the output, made in the call at a place, and of what goes past it."""
    read = watch.norm_behind(place)
    if read is None:
        return None
    norm, total = read
    made = watch.calls[place][2].detach()
    past = total.detach().reshape(made.shape) - made
    if not any(watch.leads(past, matrix) for matrix in own.readers):
        return None
    later = [*watch.read_later(total), result]
    slope = torch.autograd.grad(_summed(later), total, retain_graph=True, allow_unused=True)[0]
    return Surrounding(own, norm, inside=slope is None)


def _of_past(watch: _Watch, own: Projections, place: int) -> Surrounding | None:
    """Where the sum is not read by itself, but what goes past is known from the norm before the attention."""
    made, later = watch.calls[place][2], watch.calls[place + 1 :]
    sums = [given for module, given, _ in later if is_norm(module) and given.shape == made.shape]
    between = next(((norm, given, out) for norm, given, out in later if is_norm(norm)), None)
    for norm, past in watch.norms_before(own, place):
        if past.shape != made.shape:
            continue
        if between is not None and _alike(between[1], made):
            if any(_alike(total, past + between[2]) for total in sums):
                return Surrounding(own, norm, past=True, between=between[0])
            continue
        others = [out for module, _, out in watch.calls if not is_norm(module) and out.shape == made.shape]
        if any(_alike(total - past - made, other) for total in sums for other in others):
            return Surrounding(own, norm, past=True)
    return None


class _Watch:
    """The calls of matrices and norms in one pass: module, input, output. What a norm gives begins anew, so
    that only what goes past it is followed back to its input."""

    def __init__(self) -> None:
        self.calls: list[tuple[nn.Module, torch.Tensor, torch.Tensor]] = []

    @contextmanager
    def watching(self, called: nn.Module) -> Iterator[None]:
        with ExitStack() as hooks:
            for module in called.modules():
                if isinstance(module, MATRICES) or is_norm(module):
                    hooks.callback(module.register_forward_hook(self._note).remove)
            yield

    def _note(self, module: nn.Module, given: tuple[Any, ...], made: Any) -> torch.Tensor | None:
        if not given or not isinstance(made, torch.Tensor):
            return None
        anew = made.detach().requires_grad_()
        # Also a frozen model then has a graph to follow.
        result = anew if is_norm(module) or not made.requires_grad else None
        self.calls.append((module, given[0], made if result is None else result))
        return result

    def place(self, module: nn.Module) -> int | None:
        """Of the first call of a module."""
        return next((place for place, call in enumerate(self.calls) if call[0] is module), None)

    def norm_behind(self, place: int) -> tuple[nn.Module, torch.Tensor] | None:
        """The next norm over vectors like those that a call gave, and what it read."""
        made = self.calls[place][2]
        for module, given, _ in self.calls[place + 1 :]:
            if is_norm(module):
                return (module, given) if given.numel() == made.numel() else None  # OPT lays texts in a row
        return None

    def norms_before(self, own: Projections, place: int) -> Iterator[tuple[nn.Module, torch.Tensor]]:
        """Norms of which an attention reads what they made, and what they read."""
        before = self.calls[:place]
        reads = [given for module, given, _ in before if any(module is reader for reader in own.readers)]
        for norm, given, made in before:
            if is_norm(norm) and any(_alike(read, made) for read in reads):
                yield norm, given

    def read_later(self, total: torch.Tensor) -> list[torch.Tensor]:
        """What norms read behind the one that reads this."""
        reads = [given for module, given, _ in self.calls if is_norm(module)]
        place = next(place for place, given in enumerate(reads) if given is total)
        return reads[place + 1 :]

    def leads(self, vectors: torch.Tensor, matrix: nn.Module) -> bool:
        """Whether a matrix reads these vectors, or what a norm makes of them."""
        reads = [given for module, given, _ in self.calls if module is matrix]
        ways = [vectors, *(made for _, given, made in self.calls if _alike(given, vectors))]
        return any(_alike(read, way) for read in reads for way in ways)


def _summed(tensors: list[torch.Tensor]) -> torch.Tensor:
    return torch.stack([tensor.sum() for tensor in tensors]).sum()


def _alike(first: torch.Tensor, second: torch.Tensor) -> bool:
    return first.shape == second.shape and torch.allclose(
        first.detach(), second.detach(), rtol=1e-3, atol=1e-4 * float(second.detach().abs().max())
    )
