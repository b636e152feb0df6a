"""Looks at a few sentences kept beside a result: the maps of all heads, one byte a weight."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
import xarray as xr

from headscope.errors import RunError
from headscope.results.look import Axis, Look, Sheet, StackMaps
from headscope.results.quantised import STEPS, quantise, restore

_NAME = re.compile(r"sentence_(\d+)_(encoder|decoder|cross)")


def is_sentence(name: str) -> bool:
    """Whether arrays of that name are a stack of a kept sentence.

    >>> is_sentence("sentence_0_encoder"), is_sentence("heads")
    (True, False)
    """
    return _NAME.fullmatch(name) is not None


def sentence_arrays(number: int, text: str, look: Look) -> dict[str, xr.Dataset]:
    """A look as arrays by name, one for each stack: weights (head, query, key)."""
    return {f"sentence_{number}_{maps.stack}": _stored(text, look.model, maps) for maps in look.stacks}


def read_sentences(arrays: Mapping[str, xr.Dataset]) -> list[tuple[str, Look]]:
    """The text and the look of each sentence, in their order."""
    sentences: dict[int, list[xr.Dataset]] = {}
    for name, dataset in arrays.items():
        match = _NAME.fullmatch(name)
        if match is not None:
            sentences.setdefault(int(match[1]), []).append(dataset)
    try:
        return [_sentence(sentences[number]) for number in sorted(sentences)]
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(
            f"the example sentences are not as headscope writes them ({error!r}); "
            "restore arrays.zarr, or run the command again with another --out"
        ) from error


def _stored(text: str, model: str, maps: StackMaps) -> xr.Dataset:
    weights = np.concatenate([sheet.weights for sheet in maps.sheets])
    layers = [sheet.layer for sheet in maps.sheets for _ in sheet.heads]
    indices = [index for sheet in maps.sheets for index in sheet.heads]
    return xr.Dataset(
        {"weights": (("head", "query", "key"), quantise(weights))},
        coords={"layer": ("head", layers), "index": ("head", indices)},
        attrs={
            "text": text,
            "model": model,
            "stack": maps.stack,
            "query": asdict(maps.query),
            "key": asdict(maps.key),
            "unit": f"square root of the weight, in {STEPS} steps",
        },
    )


def _sentence(stacks: list[xr.Dataset]) -> tuple[str, Look]:
    first = stacks[0].attrs
    return str(first["text"]), Look(str(first["model"]), [_restored(stored) for stored in stacks])


def _restored(stored: xr.Dataset) -> StackMaps:
    query, key = (Axis(**stored.attrs[name]) for name in ("query", "key"))
    weights, layer, index = (stored[name].values for name in ("weights", "layer", "index"))
    if weights.dtype != np.uint8 or weights.shape[1:] != (len(query.pieces), len(key.pieces)):
        raise ValueError(f"weights of {weights.dtype} {weights.shape} do not fit the tokens")
    numbers = list(dict.fromkeys(layer.tolist()))
    sheets = [
        Sheet(number, index[layer == number].tolist(), restore(weights[layer == number]))
        for number in numbers
    ]
    return StackMaps(stored.attrs["stack"], query, key, sheets)
