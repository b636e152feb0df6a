"""Decisions that questions share: which heads, and how long the segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from headscope.analyses.analysis import Setting
from headscope.attention.site import Unit
from headscope.errors import ModelError, OptionError
from headscope.heads import Stack, check_numbers
from headscope.models import Model
from headscope.models.forecast import check_memory, fitting_batch, forecast, to_reduce


class Choice(Protocol):
    """The options by which every verb limits itself to some heads."""

    @property
    def layers(self) -> Sequence[int] | None: ...

    @property
    def heads(self) -> Sequence[int] | None: ...

    @property
    def seed(self) -> int: ...


BETWEEN_PIECES: tuple[Unit, ...] = ("piece",)
ANY_UNIT: tuple[Unit, ...] = ("piece", "sentence", "text")
ONE_WAY: tuple[Stack, ...] = ("sees_earlier", "sees_later")
"""Stacks that read the same text beside each other, each in one direction."""


def setting_of(model: Model, options: Choice, units: Sequence[Unit] = BETWEEN_PIECES) -> Setting:
    """The heads that were asked for, checked against what the model has; units: whose queries are read."""
    sites = [site for site in model.sites.sites if site.queries in units]
    if not sites:
        raise ModelError(
            f"{model.name} has no head that looks from piece to piece, which is what is read here: in its "
            "pool one query looks at a whole text; maps, show, ablate and prune take such heads"
        )
    stacks = tuple(dict.fromkeys(site.stack for site in sites))
    setting = Setting(
        model,
        check_numbers(options.layers, max(len(model.sites_of(stack)) for stack in stacks), "layer"),
        check_numbers(options.heads, max(site.heads for site in sites), "head"),
        options.seed,
        None if len(sites) == len(model.sites.sites) else stacks,
    )
    if not setting.chosen():
        raise OptionError("no head has both a chosen layer and a chosen number; choose others")
    return setting


def left_out(setting: Setting) -> list[str]:
    """What to say of heads whose queries are no pieces."""
    if setting.only is None or "pool" not in setting.model.stacks():
        return []
    return ["heads of the pool are left out: they look from a whole text, and not from a piece of it"]


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


def sentences_together(model: Model, asked: int | None, most: int, pieces: int) -> int:
    """Sentences of a batch: what was asked, or what the maps of a layer leave room for; refused if too many
    for what is free."""
    batch_size = fitting_batch(model, pieces, most) if asked is None else asked
    check_memory(forecast(model, pieces, batch_size), to_reduce(batch_size=batch_size, pieces=pieces))
    return batch_size


def reading_setting(model: Model, options: Choice) -> tuple[Setting, list[str]]:
    """The heads of the stack that reads the annotated text itself, and what to say about that."""
    setting = setting_of(model, options)
    notes = [*model.notes, *left_out(setting)]
    stack, one_way = model.stacks()[0], [name for name in model.stacks() if name in ONE_WAY]
    setting = replace(setting, only=tuple(one_way) or (stack,))
    if not setting.chosen():
        raise OptionError(f"no head of the {stack} has both a chosen layer and number; choose others")
    if one_way:
        notes.append(f"heads of {' and '.join(one_way)} see words of one side alone")
    elif len(model.stacks()) > 1:
        notes.append(f"only the heads of the {stack} are looked at, which reads the text itself")
    if all(site.causal for site in setting.sites()):
        notes.append("the model is causal: its words see earlier words only")
    return setting, notes
