"""The counting pass: a few pieces through a model show where it attends, and what to know of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from headscope.attention.attach import Sites, in_eval_mode, opened, using_implementation
from headscope.attention.bypass import BypassSites, shown_maps
from headscope.attention.calls import Counted
from headscope.attention.function import WHOLE
from headscope.attention.session import Session
from headscope.attention.site import Facts, Site, SiteMap, number_sites
from headscope.attention.slices import Read, Slices, find_slices
from headscope.attention.unchanged import unchanged
from headscope.attention.weights import check_weights
from headscope.errors import ModelError

Inputs = Mapping[str, torch.Tensor]


def find_sites(model: nn.Module, inputs: Inputs) -> Sites:
    """Number the attention sites of a model with a forward pass over a few pieces, and leave it as it was.

    Source and target must differ in length, so that the shapes tell the stacks apart.
    """
    session = Session(sites=None)
    with unchanged(model) as kept:
        with (
            torch.no_grad(),
            in_eval_mode(model),
            using_implementation(model, WHOLE),
            opened(model.modules(), session),
        ):
            model(**inputs)
        sites: Sites
        if session.calls:
            sites = _called(model, session.calls, inputs)
        else:
            with torch.enable_grad(), in_eval_mode(model), using_implementation(model, "eager"):
                sites = _shown(model, inputs)
        restless = kept.differs()
    facts = replace(sites.facts, restless=restless)
    if isinstance(sites, BypassSites):
        return replace(sites, facts=facts)
    sites.facts = facts
    return sites


def _called(model: nn.Module, calls: Sequence[Counted], inputs: Inputs) -> SiteMap:
    """The sites of a model that attends through the shared function."""
    family = type(model).__name__
    maps = [call.weights for call in calls]
    sited = [getattr(call.module, "site", None) for call in calls]
    declared = [site for site in sited if isinstance(site, Site)]
    sites = declared if len(declared) == len(calls) else number_sites(maps, *_lengths(inputs), family)
    notes = [] if sites is declared else _notes_on(maps, family)  # a mask that is declared may hide all
    entangled = frozenset(site for call, site in zip(calls, sites, strict=True) if not call.apart)
    beyond = frozenset(site for call, site in zip(calls, sites, strict=True) if not call.plain)
    if beyond:
        notes.append(
            f"in {len(beyond)} of {len(sites)} layers a head hands on more than its weights times its "
            "values, so its map does not tell all of it"
        )
    return SiteMap([call.module for call in calls], sites, Facts(notes, entangled, beyond))


def _notes_on(maps: Sequence[torch.Tensor], family: str) -> list[str]:
    less = check_weights(maps, family)
    if not less:
        return []
    return [
        f"in {less} of {len(maps)} layers the weights of a query sum to less than 1: the rest goes to no "
        "piece of the text"
    ]


def _lengths(inputs: Inputs) -> tuple[int, int | None]:
    target = inputs.get("decoder_input_ids")
    return inputs["input_ids"].shape[1], None if target is None else target.shape[1]


class _Watch:
    """What the modules of a model took and returned in one pass, in the order in which they were done."""

    def __init__(self) -> None:
        self.events: list[tuple[nn.Module, torch.Tensor | None, tuple[Any, ...]]] = []

    def note(self, module: nn.Module, given: tuple[Any, ...], result: Any) -> Any:
        is_leaf = next(module.children(), None) is None and next(module.parameters(), None) is not None
        read = given[0] if is_leaf and given and isinstance(given[0], torch.Tensor) else None
        self.events.append((module, read, result if isinstance(result, tuple) else ()))
        if isinstance(module, nn.Embedding) and isinstance(result, torch.Tensor):
            # Also a frozen model then has a graph to follow; it may write into what it embedded.
            return result.detach().requires_grad_().clone()
        return None

    def returned(self, weights: torch.Tensor) -> int | None:
        """The place of the module that was the first to return a map."""
        places = (
            place
            for place, (_, _, result) in enumerate(self.events)
            if any(item is weights for item in result)
        )
        return next(places, None)

    def reads(self, first: int, last: int) -> list[Read]:
        """What was read between two events, and once more behind them."""
        reads = [
            (place, module, read) for place, (module, read, _) in enumerate(self.events) if read is not None
        ]
        inside = [(module, read) for place, module, read in reads if first <= place <= last]
        behind = [(module, read) for place, module, read in reads if place > last]
        return inside + behind[:1]


def _shown(model: nn.Module, inputs: Inputs) -> BypassSites:
    """The sites of a model that shows maps of its own."""
    family, watch = type(model).__name__, _Watch()
    with ExitStack() as hooks:
        for module in model.modules():
            hooks.callback(module.register_forward_hook(watch.note).remove)
        try:
            maps = shown_maps(model(**inputs, output_attentions=True))
        except TypeError:
            maps = []
    if not maps or all(weights.ndim < 4 for weights in maps):
        raise ModelError(_nothing_heard(model))
    sites = number_sites(maps, *_lengths(inputs), family)
    notes = _notes_on(maps, family)
    places = [watch.returned(weights) for weights in maps]
    slices = _slices(watch, sites, maps, places)
    return BypassSites(sites, slices, Facts(notes, frozenset(sites) - slices.keys()))


def _slices(
    watch: _Watch, sites: Sequence[Site], maps: Sequence[torch.Tensor], places: Sequence[int | None]
) -> dict[Site, Slices]:
    """The slices of each site whose output projection serves it alone."""
    ends = [place for place in places if place is not None]
    found: dict[Site, Slices] = {}
    for site, weights, place in zip(sites, maps, places, strict=True):
        if place is not None:
            start = max((end + 1 for end in ends if end < place), default=0)
            slices = find_slices(weights, watch.reads(start, place))
            if slices is not None:
                found[site] = slices
    serves = Counter(slices.module for slices in found.values())
    return {site: slices for site, slices in found.items() if serves[slices.module] == 1}


def _nothing_heard(model: nn.Module) -> str:
    """Why there is nothing to listen to."""
    family, config = type(model).__name__, getattr(model, "config", None)
    if config is not None and not getattr(config, "num_attention_heads", None):
        return f"{family} has no attention: it mixes pieces in another way, so there are no heads to look at"
    return (
        f"{family} has no attention that headscope can hear: it neither calls the shared attention function "
        "nor shows maps between pieces"
    )
