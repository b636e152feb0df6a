"""show: a few heads on one text, ready to be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
import xarray as xr

from headscope.attention import Edit
from headscope.errors import OptionError, choose_from
from headscope.heads import Head, Stack
from headscope.jobs.looking import look
from headscope.models import Model, load
from headscope.results.look import SPECIAL, Axis, Look, Map, Special
from headscope.results.result import Result

VERB = "show"
MOST = 4
"""Heads that fit beside each other."""

Drawing = Literal["lines", "matrix"]
Scale = Literal["linear", "log"]
Named = str | Head


class Seen(NamedTuple):
    """A look at the layers of some heads, those heads, and their names."""

    look: Look
    heads: list[Head]
    names: list[str]


def show(
    model: Any,
    text: str,
    head: Named | Sequence[Named],
    *,
    second: str | None = None,
    target: str | None = None,
    generate: int = 0,
    off: Sequence[Named] = (),
    stack: Stack | None = None,
    words: bool = True,
    special: Special = "shown",
    view: Drawing = "lines",
    scale: Scale = "linear",
) -> Result:
    """The maps of one to four heads on one text, which `headscope.plots.draw("lines", ...)` draws.

    head: such as "L2H8" or "cross:L0H1", one or several. view and scale: how a picture should show them, kept
    with the maps. All else as for `look`.

    >>> result = show("default", "Heads look.", "L2H8", special="hidden")
    >>> result.table("links")["from"].tolist()
    ['Heads', 'look', '.']
    """
    seen = see(load(model), text, head, stack=stack, second=second, target=target, generate=generate, off=off)
    return shown(seen, words=words, special=special, view=view, scale=scale)


def see(
    model: Model,
    text: str,
    head: Named | Sequence[Named],
    *,
    stack: Stack | None = None,
    off: Sequence[Named] = (),
    **options: Any,
) -> Seen:
    """Run the text and keep the layers of the heads."""
    given = [head] if isinstance(head, str | Head) else list(head)
    heads = _heads(model, given, stack)
    if not 1 <= len(heads) <= MOST:
        raise OptionError(f"{len(heads)} heads: a picture shows one to {MOST}")
    stacks = list(dict.fromkeys(one.stack for one in heads))
    if len(stacks) > 1:
        raise OptionError(f"heads of {' and '.join(stacks)} have other tokens beside them; show one stack")
    looked = look(
        model,
        text,
        off=_heads(model, off, stack),
        stacks=stacks,
        layers=[one.layer for one in heads],
        **options,
    )
    return Seen(looked, heads, [model.label(one) for one in heads])


def shown(
    seen: Seen, *, words: bool = True, special: Special = "shown", view: Drawing = "lines",
    scale: Scale = "linear",
) -> Result:  # fmt: skip
    """The maps as a result, with the strongest link of each token and the model's output as tables."""
    for kind, chosen, known in (
        ("special", special, SPECIAL), ("view", view, get_args(Drawing)), ("scale", scale, get_args(Scale)),
    ):  # fmt: skip
        if chosen not in known:
            raise OptionError(choose_from(f"--{kind}", chosen, known))
    maps = [seen.look.map(head, words, special) for head in seen.heads]
    part = seen.look.part(seen.heads[0].stack)
    flags = [
        _special(axis, words) if special == "shown" else np.zeros(len(tokens), bool)
        for axis, tokens in ((part.query, maps[0].query), (part.key, maps[0].key))
    ]
    dataset = xr.Dataset(
        {"weights": (("example", "query", "key"), np.stack([one.weights for one in maps]))},
        coords={
            "head": ("example", seen.names),
            "query_token": ("query", maps[0].query),
            "key_token": ("key", maps[0].key),
            "query_special": ("query", flags[0]),
            "key_special": ("key", flags[1]),
        },
        attrs={
            "model": seen.look.model,
            "stack": part.stack,
            "unit": "word" if words else "piece",
            "special": special,
            "view": view,
            "scale": scale,
        },
    )
    tables = {"links": pd.concat(map(_links, seen.names, maps), ignore_index=True)}
    output = seen.look.output
    if output is not None:
        tables["output"] = pd.DataFrame(output.rows)
    return Result(VERB, {"maps": dataset}, tables, {"options": dict(dataset.attrs)}, list(seen.look.notes))


def _heads(model: Model, names: Iterable[Named], stack: Stack | None) -> list[Head]:
    """Heads by name, each once; refused where the model has none such."""
    default = stack or model.stacks()[0]
    heads = [one if isinstance(one, Head) else Head.parse(one, default) for one in names]
    Edit(heads).check(model.sites.sites)
    return list(dict.fromkeys(heads))


def _special(axis: Axis, words: bool) -> np.ndarray:
    """Which tokens are special, pieces or words."""
    flags = np.zeros(len(axis.names) if words else len(axis.pieces), bool)
    places = np.array(axis.words) if words else np.arange(len(axis.pieces))
    flags[places[axis.special]] = True
    return flags


def _links(name: str, one: Map) -> pd.DataFrame:
    """Where each token looks most; nowhere, if all its weight lies on what is hidden."""
    best = one.weights.argmax(1)
    weight = one.weights.max(1)
    to = [one.key[place] if most > 0 else "" for place, most in zip(best, weight, strict=True)]
    return pd.DataFrame({"head": name, "from": one.query, "to": to, "weight": weight})
