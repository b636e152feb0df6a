"""Attaching: put a model on the core inside a `with`, and leave it exactly as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import nn

from headscope.attention.blocks import RowBlocks
from headscope.attention.bypass import BypassSites, bypass
from headscope.attention.edit import Edit, WeightEdit
from headscope.attention.function import BLOCKS, EAGER_BLOCKS, WHOLE, sessions
from headscope.attention.listen import Listener
from headscope.attention.session import Session
from headscope.attention.site import SiteMap
from headscope.errors import ModelError

Sites = SiteMap | BypassSites


@contextmanager
def attach(
    model: nn.Module,
    sites: Sites,
    listeners: Iterable[Listener] = (),
    edits: Iterable[Edit] = (),
    *,
    blocks: RowBlocks | None = None,
    gradients: bool = False,
) -> Iterator[None]:
    """Listen to and edit a model's attention for the length of a `with`.

    With `blocks`, the model keeps its fast kernel and listeners hear blocks of query rows. With
    `gradients`, the maps take part in the graph even where no parameter needs a gradient.
    Attachments nest; after the last one, also after an exception, nothing stays attached.
    """
    listeners, edits = list(listeners), list(edits)
    for edit in edits:
        edit.check(sites.sites)
        _check_reached(edit, sites, type(model).__name__)
    if isinstance(sites, BypassSites):
        if blocks is not None:
            raise ModelError(
                f"{type(model).__name__} computes attention outside the shared function, so it cannot be "
                "heard in blocks; shorten the input or use a model of another family"
            )
        with using_implementation(model, "eager"), bypass(model, sites, listeners, edits):
            yield
        return
    modules = sites.modules()
    session = next((sessions[module] for module in modules if module in sessions), None)
    if session is not None:
        if (session.blocks is None) != (blocks is None):
            raise ModelError("the model is attached already, the other way: whole maps and blocks do not mix")
        with session.joined(listeners, edits, gradients):
            yield
        return
    kernel = _kernel(next(iter(modules)))
    session = Session(sites, kernel, blocks)
    name = WHOLE if blocks is None else EAGER_BLOCKS if kernel == "eager" else BLOCKS
    with (
        opened(modules, session),
        session.joined(listeners, edits, gradients),
        using_implementation(model, name),
    ):
        yield


def _check_reached(edit: Edit, sites: Sites, family: str) -> None:
    """Refuse an edit that would not reach its heads, or would reach more than them."""
    edited = [site for site in sites.sites if edit.at(site)]
    reason = sites.facts.why_no_edits(family, edited)
    if reason is None and isinstance(edit, WeightEdit):
        reason = sites.facts.why_no_weight_edits(family, edited)
        if isinstance(sites, BypassSites):
            reason = f"{family} computes attention outside the shared function; its weights cannot be edited"
    if reason is not None:
        raise ModelError(f"{type(edit).__name__}: {reason}")


@contextmanager
def opened(modules: Iterable[nn.Module], session: Session) -> Iterator[None]:
    modules = list(modules)
    sessions.update(dict.fromkeys(modules, session))
    try:
        yield
    finally:
        for module in modules:
            del sessions[module]
        if session.sites is not None:
            session.sites.restart()


@contextmanager
def using_implementation(model: nn.Module, name: str) -> Iterator[None]:
    """Switch every configuration in the model to a named attention function, and back."""
    configs = {id(config): config for config in map(_config, model.modules()) if config is not None}
    before = {key: config._attn_implementation_internal for key, config in configs.items()}
    try:
        for config in configs.values():
            config._attn_implementation_internal = name
        yield
    finally:
        for key, config in configs.items():
            config._attn_implementation_internal = before[key]


def _config(module: nn.Module) -> Any:
    config = getattr(module, "config", None)
    return config if hasattr(config, "_attn_implementation_internal") else None


def _kernel(module: nn.Module) -> str:
    """The implementation that a module uses now."""
    return getattr(_config(module), "_attn_implementation_internal", None) or "eager"


@contextmanager
def in_eval_mode(model: nn.Module) -> Iterator[None]:
    """Switch dropout off for the length of a `with`, and each module back to the mode it was in."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True
