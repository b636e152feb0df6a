"""Structural pruning: a copy of a model whose matrices have lost the rows and columns of some heads.

A pruned model is smaller and faster, where a masked one only does as if (Michel et al. 2019, section 4.3).
Whatever the family, the pruned model is compared with the masked one before it is handed out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from scipy.sparse.csgraph import connected_components
from torch import nn

from headscope.attention import Ablate
from headscope.attention.site import SiteMap
from headscope.errors import ModelError
from headscope.heads import Head, Named
from headscope.models.load import counting_inputs, with_module
from headscope.models.model import Model
from headscope.models.pruning.projections import Projections, find_projections, refusal
from headscope.models.pruning.removed import Removed
from headscope.models.pruning.shared_bias import divide_bias
from headscope.models.pruning.shrinking import shrink

TOLERANCE = 1e-5
"""How far a pruned model's outputs may be from the masked one's, relative to the largest of them above 1."""


def remove_heads(model: Model, heads: Iterable[Named]) -> Model:
    """A copy of a model without some heads, which agrees with the model whose heads are masked.

    Queries, keys, values and the output projection lose the heads' rows and columns; the output's bias
    stays. The heads that are left are numbered anew. Heads that share matrices go together (`head_groups`),
    and every layer keeps a head. A family whose pruned model would differ from the masked one is refused.
    """
    chosen = sorted({model.head(head) for head in heads})
    masking = Ablate(chosen)
    masking.check(model.sites.sites)
    copy = _copy(model)
    if not chosen:
        return copy
    removed = Removed.of(copy.module, copy.sites.sites).without(chosen)
    with _in_float32(copy.module):
        projections = find_projections(copy)
        _check(copy, chosen, _groups(copy, projections))
        masked = _outputs(copy, masking)
        _shrink(copy, projections, masking)
        pruned = _counted(copy)
        _compare(pruned, masked, _outputs(pruned))
    removed.remember(pruned.module)
    notes = [note for note in model.notes if not note.startswith("pruned: ")]
    name = f"{model.name.removesuffix(', pruned')}, pruned"
    return replace(pruned, name=name, origin=model.origin, notes=[*notes, removed.note()])


def head_groups(model: Model) -> list[tuple[Head, ...]]:
    """Heads that can only be taken out together; most are alone.

    Heads that read the same keys and values form a group, and so do the heads of all layers that one module
    serves. A group that is a whole layer cannot be taken out at all.
    """
    return _groups(model, find_projections(model))


def _groups(model: Model, projections: dict[nn.Module, Projections]) -> list[tuple[Head, ...]]:
    groups = []
    for module, served in _modules(model).items():
        numbers = _group_numbers(projections[module])
        for number in np.unique(numbers):
            indices = (numbers == number).nonzero()[0].tolist()
            groups.append(tuple(Head(site.stack, site.layer, index) for site in served for index in indices))
    order = {head: place for place, head in enumerate(model.heads())}
    return sorted(groups, key=lambda group: order[group[0]])


def _group_numbers(projections: Projections) -> np.ndarray:
    """(head,) the number of each head's group in one module."""
    numbers: np.ndarray = connected_components(projections.shared().cpu().numpy())[1]
    return numbers


def _modules(model: Model) -> dict[nn.Module, list[Any]]:
    assert isinstance(model.sites, SiteMap), "families outside the shared function have no projections"
    return model.sites.modules()


def _check(model: Model, chosen: list[Head], groups: list[tuple[Head, ...]]) -> None:
    """Refuse layers without heads and parts of groups."""
    gone = set(chosen)
    for site in model.sites.sites:
        if all(head in gone for head in site):
            raise ModelError(
                f"all heads of the {site.stack}'s layer {site.layer} would go; keep at least one of "
                f"{', '.join(map(model.label, site))}"
            )
    for group in groups:
        here = [head for head in group if head in gone]
        if 0 < len(here) < len(group):
            named = [", ".join(map(model.label, some)) for some in (group, here)]
            missing = ", ".join(model.label(head) for head in group if head not in gone)
            raise ModelError(
                f"{named[0]} share matrices, so they can only be taken out together: "
                f"take {missing} out too, or mask {named[1]} instead"
            )


def _shrink(model: Model, projections: dict[nn.Module, Projections], masking: Ablate) -> None:
    """Take the masked heads out of every module, in place."""
    kept, module_of = {}, {}
    for module, served in _modules(model).items():
        gone = masking.at(served[0])
        left = [head.index for head in served[0] if head.index not in gone]
        numbers = _group_numbers(projections[module])
        groups = len(set(numbers)), len(set(numbers[left]))
        if gone:
            shrink(module, projections[module], left, groups)
        kept[module] = left
        module_of.update(dict.fromkeys(served, module))
    for stack in model.stacks():
        divide_bias([module_of[site] for site in model.sites_of(stack)], kept)


def _copy(model: Model) -> Model:
    if any(type(part).__module__.startswith("peft.") for part in model.module.modules()):
        raise ModelError(f"{model.name} has an adapter; merge it into the model before taking heads out")
    if not all(parameter.is_floating_point() for parameter in model.module.parameters()):
        raise ModelError(f"{model.name} is quantised; load it in float32 or bfloat16 to take heads out")
    try:
        module = deepcopy(model.module)
    except Exception as error:
        raise ModelError(f"{model.name} cannot be copied, so it cannot be pruned: {error}") from error
    return with_module(model, module)


def _counted(model: Model) -> Model:
    """The model with its sites counted anew."""
    try:
        return with_module(model, model.module)
    except ModelError as error:
        raise refusal(model, f"it does not run without them ({error})") from error


def _outputs(model: Model, *edits: Ablate) -> torch.Tensor:
    with torch.no_grad(), model.attached(edits=edits) as module:
        found: torch.Tensor = module(**counting_inputs(module, model.tokenizer))[0]
    return found


def _compare(model: Model, masked: torch.Tensor, pruned: torch.Tensor) -> None:
    scale = max(1.0, float(masked.abs().max()))
    difference = float((masked - pruned).abs().max())
    if not difference <= TOLERANCE * scale:
        raise refusal(model, f"the pruned model differs from the masked one by {difference:.2g}")


@contextmanager
def _in_float32(module: nn.Module) -> Iterator[None]:
    """Half precision as float32 meanwhile: in halves, a wrong model could pass for a rounded one."""
    halves = {}
    for name, tensor in _tensors(module).items():
        if tensor.dtype in (torch.float16, torch.bfloat16):
            halves[name] = tensor.dtype
            tensor.data = tensor.data.float()
    try:
        yield
    finally:
        for name, tensor in _tensors(module).items():
            tensor.data = tensor.data.to(halves.get(name, tensor.dtype))


def _tensors(module: nn.Module) -> dict[str, torch.Tensor]:
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}
