"""Looks at a few sentences kept beside a result: the maps of all heads, one byte a weight."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
import xarray as xr

from headscope.errors import RunError
from headscope.results.look import Axis, Look, Part, Sheet
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
    return {f"sentence_{number}_{part.stack}": _stack(text, look.model, part) for part in look.parts}


def read_sentences(arrays: Mapping[str, xr.Dataset]) -> list[tuple[str, Look]]:
    """The text and the look of each sentence, in their order."""
    parts: dict[int, list[xr.Dataset]] = {}
    for name, dataset in arrays.items():
        found = _NAME.fullmatch(name)
        if found is not None:
            parts.setdefault(int(found[1]), []).append(dataset)
    try:
        return [_sentence(parts[number]) for number in sorted(parts)]
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(
            f"the example sentences are not as headscope writes them ({error!r}); "
            "restore arrays.zarr, or run the command again with another --out"
        ) from error


def _stack(text: str, model: str, part: Part) -> xr.Dataset:
    weights = np.concatenate([sheet.weights for sheet in part.sheets])
    layers = [sheet.layer for sheet in part.sheets for _ in sheet.heads]
    indices = [index for sheet in part.sheets for index in sheet.heads]
    told = {"text": text, "model": model, "stack": part.stack, "query": asdict(part.query),
            "key": asdict(part.key), "unit": f"square root of the weight, in {STEPS} steps"}  # fmt: skip
    return xr.Dataset(
        {"weights": (("head", "query", "key"), quantise(weights))},
        coords={"layer": ("head", layers), "index": ("head", indices)},
        attrs=told,
    )


def _sentence(stacks: list[xr.Dataset]) -> tuple[str, Look]:
    first = stacks[0].attrs
    return str(first["text"]), Look(str(first["model"]), [_part(one) for one in stacks])


def _part(stored: xr.Dataset) -> Part:
    query, key = (Axis(**stored.attrs[name]) for name in ("query", "key"))
    weights, layer, index = (stored[name].values for name in ("weights", "layer", "index"))
    if weights.dtype != np.uint8 or weights.shape[1:] != (len(query.pieces), len(key.pieces)):
        raise ValueError(f"weights of {weights.dtype} {weights.shape} do not fit the tokens")
    numbers = list(dict.fromkeys(layer.tolist()))
    sheets = [Sheet(one, index[layer == one].tolist(), restore(weights[layer == one])) for one in numbers]
    return Part(stored.attrs["stack"], query, key, sheets)
