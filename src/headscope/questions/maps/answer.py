"""maps: the raw maps of a text as a labelled array."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from headscope.heads import Head
from headscope.questions.asking import AboutModel
from headscope.questions.maps.files import AXES, LEFT, apart, numbered, save_maps
from headscope.questions.maps.hiding import hidden_tokens, hiding_notes, marked
from headscope.questions.maps.looking import look_whole
from headscope.questions.maps.options import Options
from headscope.results.look import Look
from headscope.results.result import Result
from headscope.results.rows import is_alone, is_scant


@dataclass(frozen=True)
class Question(AboutModel):
    """A model and a text, or several."""

    options: Options
    steps: tuple[()] = ()


def answer(question: Question, store: None = None, progress: None = None) -> Result:
    """Maps of each text: (layer, head, query, key), labelled with its pieces or words; and of one, its links.

    A text longer than the model takes is refused. Where layers differ in their number of heads, the maps of
    those that a layer lacks are NaN.
    """
    options, model = question.options, question.model
    looks = [look_whole(model, options, text) for text in options.texts]
    notes = [note for look in looks for note in (*look.notes, *_hiding_notes(look, options))]
    maps = [_array(look, options) for look in looks]
    shapes = [f"maps {one.shape}: {', '.join(AXES)}" for one in maps]
    notes = [*options.remarks(), *model.notes, *dict.fromkeys(notes), *shapes]
    arrays = {_name(number): one.to_dataset() for number, one in enumerate(maps)}
    tables = {} if options.has_several else {"links": _links(maps[0], looks[0], options)}
    return Result("maps", arrays, tables, notes=notes)


def hand_over(question: Question, result: Result, path: None) -> xr.DataArray | Any:
    """The array itself; of a list of texts, a list of arrays, which a type checker need not be told apart."""
    arrays = [dataset["attention"] for dataset in result.arrays.values()]
    return arrays if question.options.has_several else arrays[0]


def save(result: Result, path: Path) -> None:
    """Write the maps."""
    save_maps(result.arrays["maps"]["attention"], path)


def _name(number: int) -> str:
    """What the arrays of a text are called."""
    return "maps" if number == 0 else f"maps_{number}"


def _hiding_notes(look: Look, options: Options) -> list[str]:
    return hiding_notes(look.stack(options.stack), options.special, options.first_token, options.words)


def _array(look: Look, options: Options) -> xr.DataArray:
    stack, shown = look.stack(options.stack), (options.words, options.special, options.first_token)
    by_head = {
        (sheet.layer, head): look.map(Head(stack.stack, sheet.layer, head), *shown)
        for sheet in stack.sheets
        for head in sheet.heads
    }
    layers, heads = (sorted({place[axis] for place in by_head}) for axis in (0, 1))
    first = next(iter(by_head.values()))
    weights = np.full((len(layers), len(heads), *first.weights.shape), np.nan, np.float32)
    left = np.full(weights.shape[:3], np.nan, np.float32)
    for (layer, head), map in by_head.items():
        place = layers.index(layer), heads.index(head)
        weights[place], left[place] = map.weights, map.left
    unit = "word" if options.words else "piece"
    tokens = {**numbered("query", first.query), **numbered("key", first.key)}
    beside = {} if options.special == "shown" else {LEFT: (AXES[:3], left)}
    hidden = hidden_tokens(stack, options.special, options.first_token)
    return xr.DataArray(
        weights, dims=AXES, name="attention",
        coords={"layer": layers, "head": heads, **tokens, **beside},
        attrs={
            "model": look.model, "stack": stack.stack, "unit": unit,
            "special": options.special, "hidden": hidden,
        },
    )  # fmt: skip


def _links(maps: xr.DataArray, look: Look, options: Options) -> pd.DataFrame:
    """The strongest links between tokens that are not special."""
    return strongest_links(_without_special(maps, look, options) if options.special == "shown" else maps)


def _without_special(maps: xr.DataArray, look: Look, options: Options) -> xr.DataArray:
    """The part between tokens that are not special; everything where there are no such tokens."""
    stack = marked(look.stack(options.stack), options.first_token)
    places = [axis.ordinary(options.words) for axis in (stack.query, stack.key)]
    return maps.isel(query=places[0], key=places[1]) if all(map(len, places)) else maps


def strongest_links(maps: xr.DataArray) -> pd.DataFrame:
    """Each head's largest weight between tokens; from a row of which little is left, or of a token that sees
    itself alone, only if all are so."""
    layer, head = np.nonzero(~np.isnan(maps.values[:, :, 0, 0]))
    weights = maps.values[layer, head]
    left = maps[LEFT].values[layer, head] if LEFT in maps.coords else np.ones(weights.shape[:2], np.float32)
    scant, alone = is_scant(left), is_alone(weights)
    passed_over = _unless_all(scant) | _unless_all(scant | alone)
    flat = np.where(passed_over[..., None], -1.0, weights).reshape(len(layer), -1)
    query, key = np.unravel_index(flat.argmax(-1), maps.shape[2:])
    names = zip(maps["layer"].values[layer], maps["head"].values[head], strict=True)
    return pd.DataFrame(
        {
            "head": [f"L{layer}H{head}" for layer, head in names],
            "from": apart(maps["query"].values)[query],
            "to": apart(maps["key"].values)[key],
            "weight": flat.max(-1),
            "left": left[np.arange(len(left)), query],
        }
    )


def _unless_all(rows: np.ndarray) -> np.ndarray:
    """These rows, (head, query) bool; none of a head of which all are."""
    return np.asarray(rows & ~rows.all(-1, keepdims=True))
