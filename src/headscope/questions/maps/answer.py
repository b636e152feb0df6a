"""maps: the raw maps of one text as a labelled array."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from headscope.heads import Head
from headscope.questions.asking import AboutModel
from headscope.questions.maps.files import AXES, numbered, save_maps
from headscope.questions.maps.looking import look_whole
from headscope.questions.maps.options import Options
from headscope.results.look import Look
from headscope.results.result import Result


@dataclass(frozen=True)
class Question(AboutModel):
    """A model and a text."""

    options: Options
    words: int = 0


def answer(question: Question, store: None = None, progress: None = None) -> Result:
    """Maps of one text: (layer, head, query, key), labelled with its pieces or words.

    A text longer than the model takes is refused. Where layers differ in their number of heads, the maps of
    those that a layer lacks are NaN.
    """
    options = question.options
    look = look_whole(question.model, options)
    maps = _array(look, options)
    notes = [*question.model.notes, f"maps {maps.shape}: {', '.join(AXES)}"]
    links = strongest_links(maps if options.special != "shown" else _without_special(maps, look, options))
    return Result("maps", {"maps": maps.to_dataset()}, {"links": links}, notes=notes)


def hand_over(question: Question, result: Result, path: None) -> xr.DataArray:
    """The array itself."""
    return result.arrays["maps"]["attention"]


def save(result: Result, path: Path) -> None:
    """Write the maps."""
    save_maps(result.arrays["maps"]["attention"], path)


def _array(look: Look, options: Options) -> xr.DataArray:
    stack = look.stack(options.stack)
    by_head = {
        (sheet.layer, head): look.map(Head(stack.stack, sheet.layer, head), options.words, options.special)
        for sheet in stack.sheets
        for head in sheet.heads
    }
    layers, heads = (sorted({place[axis] for place in by_head}) for axis in (0, 1))
    first = next(iter(by_head.values()))
    weights = np.full((len(layers), len(heads), *first.weights.shape), np.nan, np.float32)
    for (layer, head), map in by_head.items():
        weights[layers.index(layer), heads.index(head)] = map.weights
    unit = "word" if options.words else "piece"
    tokens = {**numbered("query", first.query), **numbered("key", first.key)}
    return xr.DataArray(
        weights, dims=AXES, name="attention",
        coords={"layer": layers, "head": heads, **tokens},
        attrs={"model": look.model, "stack": stack.stack, "unit": unit, "special": options.special},
    )  # fmt: skip


def _without_special(maps: xr.DataArray, look: Look, options: Options) -> xr.DataArray:
    """The part between tokens that are not special; everything where there are no such tokens."""
    stack = look.stack(options.stack)
    places = [axis.ordinary(options.words) for axis in (stack.query, stack.key)]
    return maps.isel(query=places[0], key=places[1]) if all(map(len, places)) else maps


def strongest_links(maps: xr.DataArray) -> pd.DataFrame:
    """Each head's largest weight between tokens."""
    layer, head = np.nonzero(~np.isnan(maps.values[:, :, 0, 0]))
    flat = maps.values[layer, head].reshape(len(layer), -1)
    query, key = np.unravel_index(flat.argmax(-1), maps.shape[2:])
    names = zip(maps["layer"].values[layer], maps["head"].values[head], strict=True)
    return pd.DataFrame(
        {
            "head": [f"L{layer}H{head}" for layer, head in names],
            "from": _apart(maps["query"].values)[query],
            "to": _apart(maps["key"].values)[key],
            "weight": flat.max(-1),
        }
    )


def _apart(tokens: np.ndarray) -> np.ndarray:
    """Tokens, with the number of those that stand there more than once: "the", "the (2)"."""
    before: Counter[str] = Counter()
    names = []
    for token in tokens.tolist():
        before[token] += 1
        names.append(token if before[token] == 1 else f"{token} ({before[token]})")
    return np.array(names, dtype=object)
