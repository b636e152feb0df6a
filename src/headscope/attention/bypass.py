"""Families that compute attention outside the shared function: heard through their own outputs.

Their maps come with `output_attentions`; a head's output can be changed where it enters the output
projection, which the counting pass finds by following the tensors. Weights cannot be edited there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from headscope.attention.edit import Edit, OutputEdit
from headscope.attention.listen import Heard, Listener
from headscope.attention.site import Site, number_sites
from headscope.errors import ModelError

FIELDS = ("encoder_attentions", "decoder_attentions", "cross_attentions", "attentions")


@dataclass(frozen=True, eq=False)
class BypassSites:
    """The sites of such a family in the order of its outputs, with the projection of each, if found."""

    sites: list[Site]
    projections: dict[Site, nn.Linear]


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
    maps = _maps(outputs)
    if not maps:
        raise ModelError(f"{type(model).__name__} has no attention that headscope can hear")
    sites = number_sites(maps, source_length, target_length)
    projections = {
        site: projection
        for site, weights in zip(sites, maps, strict=True)
        if (projection := _projection(weights, returned, linears)) is not None
    }
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
    stacks = [getattr(outputs, name, None) or () for name in FIELDS]
    return [weights for maps in stacks for weights in maps if weights is not None]


def _projection(
    weights: torch.Tensor,
    returned: list[tuple[nn.Module, Any]],
    linears: list[tuple[nn.Linear, torch.Tensor, torch.Tensor]],
) -> nn.Linear | None:
    """The linear layer that takes the joined heads: it follows the module that first returned the map,
    or is the last one inside it."""
    for _, result in returned:
        if any(item is weights for item in result):
            mixed = result[0]
            return next((linear for linear, *ends in linears if any(end is mixed for end in ends)), None)
    return None
