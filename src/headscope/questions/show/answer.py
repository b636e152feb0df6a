"""show: a few heads on one text, and what mattered in it, ready to be drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from headscope.attention import Edit
from headscope.drawing.files import writer
from headscope.errors import OptionError
from headscope.heads import Head, Named, Stack
from headscope.models import Model, load
from headscope.questions.asking import AboutModel
from headscope.questions.explain.offers import explain_text, token_table
from headscope.questions.maps.offers import apart, hidden_tokens, hiding_notes, look, marked
from headscope.questions.naming import answer_name
from headscope.questions.pictures import draw
from headscope.questions.show.options import Options
from headscope.questions.show.pictures import words
from headscope.results.files import write_atomically
from headscope.results.look import Axis, Explanation, Look, LookView, Map
from headscope.results.result import Result
from headscope.results.rows import SCANT, is_alone, is_scant
from headscope.tasks.choice import kind_for


@dataclass(frozen=True)
class Question(AboutModel):
    """A model, a text, and the heads to show."""

    options: Options
    heads: list[Head]
    steps: tuple[()] = ()

    @classmethod
    def of(cls, options: Options) -> Question:
        """Check the heads against what the model has."""
        model = load(options.model, **options.loading())
        heads = _heads(model, options.head, options.stack)
        stacks = list(dict.fromkeys(head.stack for head in heads))
        if len(stacks) > 1:
            raise OptionError(
                f"heads of {' and '.join(stacks)} have other tokens beside them; show one stack"
            )
        return cls(options, model, heads)


def answer(question: Question, store: None = None, progress: None = None) -> Result:
    """The maps of one to four heads on one text, with the strongest link of each token and the output; and
    how much each token mattered for it, by up to four ways."""
    options, heads, model = question.options, question.heads, question.model
    asked: dict[str, Any] = {"second": options.second, "target": options.target, "generate": options.generate}
    off = _heads(model, options.off, options.stack)
    layers = [head.layer for head in heads]
    looked = look(model, options.text, off=off, stacks=[heads[0].stack], layers=layers, **asked)
    told = explain_text(model, options.text, by=options.ways, off=off, **asked) if options.ways else None
    hiding = hiding_notes(
        looked.stack(heads[0].stack), options.special, options.first_token, not options.pieces
    )
    tables, arrays = _shown_heads(looked, question)
    if told is not None:
        tables["importance"] = token_table(told, not options.pieces)
        task = kind_for(model, None)
        names = [answer_name(task, each.label, each.probability) for each in told.answers]
        arrays["maps"].attrs["answers"] = names
    if looked.output is not None:
        rows = pd.DataFrame(looked.output.rows)
        tables["output"] = rows.assign(place=range(len(rows)))[["place", *rows.columns]]
    notes = [*options.remarks(), *looked.notes, *hiding, *_scant_notes(arrays["maps"])]
    notes += [] if told is None else told.notes
    result = Result("show", arrays, tables, notes=notes, view=_view(looked, told, question))
    return replace(result, notes=[*notes, *words.not_drawn(result)]) if options.draws_words else result


def _shown_heads(looked: Look, question: Question) -> tuple[dict[str, pd.DataFrame], dict[str, xr.Dataset]]:
    """The links and the maps of the heads."""
    options, heads = question.options, question.heads
    names = [question.model.label(head) for head in heads]
    shown = (not options.pieces, options.special, options.first_token)
    maps = [looked.map(head, *shown) for head in heads]
    special = _special_tokens(looked, question, maps[0])
    links = [_links(name, map, *special) for name, map in zip(names, maps, strict=True)]
    arrays = {"maps": _dataset(looked, names, maps, question, special)}
    return {"links": pd.concat(links, ignore_index=True)}, arrays


def save(result: Result, path: Path) -> None:
    """Draw the heads, or what mattered, into a file."""
    figure = draw(result.arrays["maps"].attrs["view"], result)
    write_atomically(path, writer(figure, path.suffix.lower().removeprefix(".")))


def _view(looked: Look, told: Explanation | None, question: Question) -> LookView:
    """The look as a page shows it: the heads of the first one's layer, and the words above them."""
    options, first = question.options, question.heads[0]
    return LookView(
        look=looked,
        stack=first.stack,
        layer=first.layer,
        heads=[head.index for head in question.heads if head.layer == first.layer],
        title=options.text,
        words=not options.pieces,
        special=options.special,
        first_token=options.first_token,
        scale=options.scale,
        drawing="matrix" if options.view == "matrix" else "lines",
        explanation=told,
    )


def _special_tokens(looked: Look, question: Question, map: Map) -> tuple[np.ndarray, np.ndarray]:
    """Which tokens of a map are special: (query,) and (key,) bool; none, where they are hidden."""
    options = question.options
    if options.special != "shown":
        return np.zeros(len(map.query), bool), np.zeros(len(map.key), bool)
    stack = marked(looked.stack(question.heads[0].stack), options.first_token)
    return _special(stack.query, not options.pieces), _special(stack.key, not options.pieces)


def _dataset(
    looked: Look,
    names: list[str],
    maps: list[Map],
    question: Question,
    special: tuple[np.ndarray, np.ndarray],
) -> xr.Dataset:
    options, stack = question.options, looked.stack(question.heads[0].stack)
    shown = marked(stack, options.first_token)
    return xr.Dataset(
        {
            "weights": (("example", "query", "key"), np.stack([map.weights for map in maps])),
            "left": (("example", "query"), np.stack([map.left for map in maps])),
        },
        coords={
            "head": ("example", names),
            "query_token": ("query", maps[0].query),
            "key_token": ("key", maps[0].key),
            "query_special": ("query", special[0]),
            "key_special": ("key", special[1]),
            "query_by_model": ("query", _by_model(shown.query, options)),
            "key_by_model": ("key", _by_model(shown.key, options)),
        },
        attrs={
            "model": looked.model,
            "stack": stack.stack,
            "unit": "piece" if options.pieces else "word",
            "special": options.special,
            "hidden": hidden_tokens(stack, options.special, options.first_token),
            "view": options.view,
            "scale": options.scale,
            "measured": "" if looked.output is None else looked.output.title,
            "measured_in": "" if looked.output is None else looked.output.unit,
        },
    )


def _scant_notes(maps: xr.Dataset) -> list[str]:
    """Of how many rows of each head too little is left to say anything."""
    counts = zip(maps["head"].values, is_scant(maps["left"]).sum(1), strict=True)
    told = f"under {100 * SCANT:g} % of the weight lies on tokens that are shown; pictures have them grey"
    rows = maps.sizes["query"]
    return [f"{head}: {count} of {rows} rows say little, as {told}" for head, count in counts if count]


def _heads(model: Model, names: Iterable[Named], stack: Stack | None) -> list[Head]:
    """Heads by name, each once; refused where the model has none such."""
    heads = [Head.of(name, stack or model.stacks()[0]) for name in names]
    Edit(heads).check(model.sites.sites)
    return list(dict.fromkeys(heads))


def _special(axis: Axis, words: bool) -> np.ndarray:
    """Which tokens are special, pieces or words."""
    flags = np.ones(len(axis.names) if words else len(axis.pieces), bool)
    flags[axis.ordinary(words)] = False
    return flags


def _by_model(axis: Axis, options: Options) -> np.ndarray:
    """Which of the tokens that are shown the model wrote itself, bool."""
    words = not options.pieces
    wrote = axis.by_model(words)
    return wrote if options.special == "shown" else wrote[axis.ordinary(words)]


def _links(name: str, map: Map, query_special: np.ndarray, key_special: np.ndarray) -> pd.DataFrame:
    """Where each token looks most; nowhere, if all its weight lies on what is hidden."""
    best = map.weights.argmax(1)
    weight = map.weights.max(1)
    keys = apart(map.key)
    return pd.DataFrame(
        {
            "head": name,
            "place": range(len(map.query)),
            "from": apart(map.query),
            "to": [keys[place] if most > 0 else "" for place, most in zip(best, weight, strict=True)],
            "weight": weight,
            "left": map.left,
            "special": query_special | key_special[best],
            "alone": is_alone(map.weights),
        }
    )
