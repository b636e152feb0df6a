"""Families that compute attention outside the shared function: heard through their own outputs.

Their maps come with `output_attentions`; a head's output can be changed where it enters the output
projection, which the counting pass finds by following the tensors. Weights cannot be edited there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from headscope.attention.edit import Edit, OutputEdit
from headscope.attention.listen import Heard, Listener
from headscope.attention.site import Facts, Site
from headscope.attention.slices import Slices
from headscope.attention.weights import check_weights
from headscope.errors import ModelError

FIELDS = ("encoder_attentions", "decoder_attentions", "cross_attentions", "attentions")


@dataclass(frozen=True, eq=False)
class BypassSites:
    """The sites of such a family in the order of its outputs, with the slices of its heads where found."""

    sites: list[Site]
    slices: dict[Site, Slices]
    facts: Facts = field(default_factory=Facts)


@contextmanager
def bypass(
    model: nn.Module, sites: BypassSites, listeners: list[Listener], edits: list[Edit]
) -> Iterator[None]:
    """Listen through the model's outputs and edit before the output projections."""
    with ExitStack() as hooks:
        if listeners:
            asked: list[bool] = []
            asking = _asking(asked, settled_first=sites.facts.restless)
            hooks.callback(model.register_forward_pre_hook(asking, with_kwargs=True).remove)
            # In front of those of outer attachments: the outermost takes the maps out of the outputs.
            telling = model.register_forward_hook(
                _telling(sites, listeners, asked), with_kwargs=True, prepend=True
            )
            hooks.callback(telling.remove)
        for site, slices in sites.slices.items():
            here = [edit for edit in edits if isinstance(edit, OutputEdit) and edit.at(site)]
            if here:
                hooks.callback(slices.module.register_forward_pre_hook(slices.editing(here, site)).remove)
        yield


def _asking(asked: list[bool], settled_first: bool) -> Any:
    """A hook that asks for the maps and remembers whether the caller had asked too."""

    def ask(module: nn.Module, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if module.training:
            raise ModelError("this family shows its attention after dropout; call model.eval() first")
        if settled_first:
            # It may exchange its parts for this length of text, after the wish for maps was laid into them.
            with torch.no_grad():
                module.forward(*given, **options)
        asked.append(bool(options.get("output_attentions")))
        return given, {**options, "output_attentions": True, "return_dict": True}

    return ask


def _telling(sites: BypassSites, listeners: list[Listener], asked: list[bool]) -> Any:
    def tell(module: nn.Module, given: tuple[Any, ...], options: dict[str, Any], outputs: Any) -> Any:
        maps = _checked(shown_maps(outputs), sites, type(module).__name__, options)
        for site, weights in zip(sites.sites, maps, strict=True):
            rows = torch.arange(weights.shape[2], device=weights.device)
            for listener in listeners:
                listener.hear(Heard(site, weights, rows, None, None))
        if asked.pop():
            return outputs
        return type(outputs)(**{name: value for name, value in outputs.items() if name not in FIELDS})

    return tell


def _checked(
    maps: list[torch.Tensor], sites: BypassSites, family: str, options: Mapping[str, Any]
) -> list[torch.Tensor]:
    """The maps between the pieces of this text; refused where there are none: its length may decide that."""
    texts = [options[name] for name in ("decoder_input_ids", "input_ids") if options.get(name) is not None]
    lengths = [text.shape[1] for text in texts]
    if len(texts) == 1:
        maps = [_without_filling(weights, lengths[0]) for weights in maps]
    fits = [weights.ndim == 4 and (not texts or {*weights.shape[2:]} <= {*lengths}) for weights in maps]
    if len(maps) != len(sites.sites) or not all(fits):
        raise ModelError(
            f"{family} shows no maps between the pieces of a text of {max(lengths, default=0)} pieces, so "
            "headscope cannot listen to it there"
        )
    mask = options.get("attention_mask")
    whole = 0 if mask is None else int(mask.sum(1).argmax())
    if mask is None or bool(mask[whole].all()):  # what queries of padding look at is nobody's business
        check_weights([weights[whole : whole + 1] for weights in maps], family)
    return maps


def _without_filling(weights: torch.Tensor, length: int) -> torch.Tensor:
    """A map without what a family itself puts behind a text to fill its blocks, if nothing looks there."""
    queries, keys = weights.shape[-2:]
    if weights.ndim != 4 or queries != keys or keys <= length or bool(weights[:, :, :length, length:].any()):
        return weights
    return weights[:, :, :length, :length]


def shown_maps(outputs: Any) -> list[torch.Tensor]:
    """The maps among a model's outputs, by stack."""
    stacks = [getattr(outputs, name, None) or () for name in FIELDS]
    return [weights for maps in stacks for weights in maps if weights is not None]
