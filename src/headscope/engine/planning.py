"""Decisions that questions share: which heads, and how long the segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from headscope.analyses.analysis import Setting
from headscope.errors import OptionError
from headscope.heads import check_numbers
from headscope.models import Model


class Choice(Protocol):
    """The options by which every verb limits itself to some heads."""

    @property
    def layers(self) -> Sequence[int] | None: ...

    @property
    def heads(self) -> Sequence[int] | None: ...

    @property
    def seed(self) -> int: ...


def setting_of(model: Model, options: Choice) -> Setting:
    """The heads that were asked for, checked against what the model has."""
    layers = max(len(model.sites_of(stack)) for stack in model.stacks())
    heads = max(site.heads for site in model.sites.sites)
    setting = Setting(
        model,
        check_numbers(options.layers, layers, "layer"),
        check_numbers(options.heads, heads, "head"),
        options.seed,
    )
    if not setting.chosen():
        raise OptionError("no head has both a chosen layer and a chosen number; choose others")
    return setting


def longest_segment(model: Model, asked: int | None, default: int, pair: bool = False) -> int:
    """Segment length in pieces: what was asked, refused above the model's limit."""
    if asked is None:
        return min(default, model.longest or default)
    if model.longest is not None and asked > model.longest:
        raise OptionError(f"--pieces {asked} is above the model's limit of {model.longest} pieces")
    special = model.tokenizer.num_special_tokens_to_add(pair=pair)
    if asked <= special:
        raise OptionError(f"--pieces {asked} leaves no room beside {special} special tokens")
    return asked


def reading_setting(model: Model, options: Choice) -> tuple[Setting, list[str]]:
    """The heads of the stack that reads the annotated text itself, and what to say about that."""
    stack = model.stacks()[0]
    setting = replace(setting_of(model, options), only=(stack,))
    if not setting.chosen():
        raise OptionError(f"no head of the {stack} has both a chosen layer and number; choose others")
    notes = list(model.notes)
    if len(model.stacks()) > 1:
        notes.append(f"only the heads of the {stack} are looked at, which reads the text itself")
    if all(site.causal for site in setting.sites()):
        notes.append("the model is causal: its words see earlier words only")
    return setting, notes
