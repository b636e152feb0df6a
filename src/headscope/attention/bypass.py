"""Families that compute attention outside the shared function: heard through their own outputs.

Their maps come with `output_attentions`; a head's output can be changed where it enters the output
projection, which the counting pass finds by following the tensors. Weights cannot be edited there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import nn

from headscope.attention.edit import Edit, OutputEdit
from headscope.attention.listen import Heard, Listener
from headscope.attention.site import Site, stack_of
from headscope.errors import ModelError

FIELDS = ("encoder_attentions", "decoder_attentions", "cross_attentions", "attentions")


class BypassSites:
    """The sites of such a family in the order of its outputs, with the projection of each, if found."""

    def __init__(self, sites: list[Site], projections: dict[Site, nn.Linear]) -> None:
        self.sites = sites
        self.projections = projections


def count_bypassing(
    model: nn.Module, inputs: Mapping[str, torch.Tensor], source_length: int, target_length: int | None
) -> BypassSites:
    """Number the sites from one forward pass with `output_attentions`."""
    returned: list[tuple[nn.Module, Any]] = []
    linears: list[tuple[nn.Linear, torch.Tensor, torch.Tensor]] = []

    def note(module: nn.Module, given: tuple[Any, ...], result: Any) -> None:
        if isinstance(module, nn.Linear):
            linears.append((module, given[0], result))
        elif isinstance(result, tuple):
            returned.append((module, result))

    with ExitStack() as hooks:
        for module in model.modules():
            hooks.callback(module.register_forward_hook(note).remove)
        try:
            outputs = model(**inputs, output_attentions=True)
        except TypeError as error:
            raise ModelError(f"{type(model).__name__} has no attention that headscope can hear") from error
    sites, projections = [], {}
    layers: dict[str, int] = {}
    for weights in _maps(outputs):
        stack, causal = stack_of(weights, source_length, target_length)
        site = Site(stack, layers.get(stack, 0), weights.shape[1], causal)
        layers[stack] = site.layer + 1
        sites.append(site)
        projection = _projection(weights, returned, linears)
        if projection is not None:
            projections[site] = projection
    if not sites:
        raise ModelError(f"{type(model).__name__} has no attention that headscope can hear")
    return BypassSites(sites, projections)


@contextmanager
def bypass(
    model: nn.Module, sites: BypassSites, listeners: list[Listener], edits: list[Edit]
) -> Iterator[None]:
    """Listen through the model's outputs and edit before the output projections."""
    for edit in edits:
        if not isinstance(edit, OutputEdit) or any(
            edit.at(site) and site not in sites.projections for site in sites.sites
        ):
            raise ModelError(
                f"{type(edit).__name__}: {type(model).__name__} computes attention outside the shared "
                "function; there, heads can be ablated or scaled, but their weights cannot be edited"
            )
    with ExitStack() as hooks:
        if listeners:
            asked: list[bool] = []
            hooks.callback(model.register_forward_pre_hook(_asking(asked), with_kwargs=True).remove)
            # In front of those of outer attachments: the outermost takes the maps out of the outputs.
            telling = model.register_forward_hook(_telling(sites, listeners, asked), prepend=True)
            hooks.callback(telling.remove)
        for site, projection in sites.projections.items():
            here = [edit for edit in edits if isinstance(edit, OutputEdit) and edit.at(site)]
            if here:
                hooks.callback(projection.register_forward_pre_hook(_editing(here, site)).remove)
        yield


def _asking(asked: list[bool]) -> Any:
    """A hook that asks for the maps and remembers whether the caller had asked too."""

    def ask(module: nn.Module, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if module.training:
            raise ModelError("this family shows its attention after dropout; call model.eval() first")
        asked.append(bool(options.get("output_attentions")))
        return given, {**options, "output_attentions": True, "return_dict": True}

    return ask


def _telling(sites: BypassSites, listeners: list[Listener], asked: list[bool]) -> Any:
    def tell(module: nn.Module, given: tuple[Any, ...], outputs: Any) -> Any:
        for site, weights in zip(sites.sites, _maps(outputs), strict=True):
            rows = torch.arange(weights.shape[2], device=weights.device)
            for listener in listeners:
                listener.hear(Heard(site, weights, rows, None, None))
        if asked.pop():
            return outputs
        return type(outputs)(**{name: value for name, value in outputs.items() if name not in FIELDS})

    return tell


def _editing(edits: list[OutputEdit], site: Site) -> Any:
    def edit_input(module: nn.Module, given: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        joined = given[0]
        output = joined.reshape(*joined.shape[:-1], site.heads, -1)
        for edit in edits:
            output = edit.apply(output, site)
        return (output.reshape(joined.shape), *given[1:])

    return edit_input


def _maps(outputs: Any) -> list[torch.Tensor]:
    found = [getattr(outputs, name, None) or () for name in FIELDS]
    return [weights for maps in found for weights in maps if weights is not None]


def _projection(
    weights: torch.Tensor,
    returned: list[tuple[nn.Module, Any]],
    linears: list[tuple[nn.Linear, torch.Tensor, torch.Tensor]],
) -> nn.Linear | None:
    """The linear layer that takes the joined heads: it follows the module that first returned the map,
    or is the last one inside it."""
    for _, result in returned:
        if not any(part is weights for part in result):
            continue
        mixed = result[0]
        for linear, given, made in linears:
            if made is mixed or given is mixed:
                return linear
        return None
    return None
