"""attention: the raw maps of one text as a labelled array."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from headscope.errors import InputError, OptionError
from headscope.heads import Head, Stack
from headscope.jobs.looking import look_whole
from headscope.models import load
from headscope.results.files import write_bytes
from headscope.results.look import Special

AXES = ("layer", "head", "query", "key")


def attention(
    model: Any,
    text: str,
    *,
    second: str | None = None,
    target: str | None = None,
    stack: Stack | None = None,
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    words: bool = False,
    special: Special = "shown",
    generate: int = 0,
) -> xr.DataArray:
    """Maps of one text: (layer, head, query, key), labelled with the pieces, or with words if `words`.

    A text longer than the model takes is refused. With `generate`, a decoder or encoder-decoder continues
    by that many pieces, greedily, and the maps go over all of it. stack: encoder, decoder or cross; by
    default the first the model has. second: the other text of a pair. special: whether special tokens are
    shown, hidden, or hidden and rows renormalised. Where layers differ in their number of heads, the maps of
    those that a layer lacks are NaN.

    >>> maps = attention("default", "Heads look.", layers=[0], words=True)
    >>> maps.dims, [str(word) for word in maps["key"].values]
    (('layer', 'head', 'query', 'key'), ['[CLS]', 'Heads', 'look', '.', '[SEP]'])
    """
    loaded = load(model)
    seen = look_whole(
        loaded, text, second=second, target=target, generate=generate,
        stacks=None if stack is None else [stack], layers=layers, heads=heads,
    )  # fmt: skip
    part = seen.part(stack)
    found = {
        (sheet.layer, head): seen.map(Head(part.stack, sheet.layer, head), words, special)
        for sheet in part.sheets
        for head in sheet.heads
    }
    kept_layers, kept_heads = (sorted({place[axis] for place in found}) for axis in (0, 1))
    first = next(iter(found.values()))
    maps = np.full((len(kept_layers), len(kept_heads), *first.weights.shape), np.nan, np.float32)
    for (layer, head), one in found.items():
        maps[kept_layers.index(layer), kept_heads.index(head)] = one.weights
    array = xr.DataArray(
        maps, dims=AXES, name="attention",
        coords={"layer": kept_layers, "head": kept_heads, "query": first.query, "key": first.key},
    )  # fmt: skip
    unit = "word" if words else "piece"
    array.attrs = {"model": loaded.name, "stack": part.stack, "unit": unit, "special": special}
    return array


def save_maps(maps: xr.DataArray, path: str | Path) -> None:
    """Write maps as safetensors; labels and attributes are in its metadata, as JSON."""
    if Path(path).is_dir():
        raise OptionError(
            f"{path} is a folder; name the file to write, such as {Path(path) / 'maps.safetensors'}"
        )
    told = {name: [_plain(value) for value in maps[name].values] for name in AXES}
    metadata = {"headscope": json.dumps({"labels": told, "attributes": dict(maps.attrs)}, ensure_ascii=False)}
    write_bytes(Path(path), save({"attention": np.ascontiguousarray(maps.values)}, metadata))


def open_maps(path: str | Path) -> xr.DataArray:
    """Read maps that `save_maps` wrote."""
    try:
        with safe_open(str(path), "np") as file:
            told = json.loads((file.metadata() or {})["headscope"])
            values = file.get_tensor("attention")
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise InputError(f"{path}: not a file of attention maps ({error})") from error
    return xr.DataArray(values, dims=AXES, coords=told["labels"], name="attention", attrs=told["attributes"])


def strongest_links(maps: xr.DataArray) -> pd.DataFrame:
    """Each head's largest weight between tokens; of those that are shown with special ones, inner tokens."""
    ends = maps.attrs.get("special", "shown") == "shown" and min(maps.shape[2:]) > 2
    inner = maps.isel(query=slice(1, -1), key=slice(1, -1)) if ends else maps
    layer, head = np.nonzero(~np.isnan(inner.values[:, :, 0, 0]))
    flat = inner.values[layer, head].reshape(len(layer), -1)
    query, key = np.unravel_index(flat.argmax(-1), inner.shape[2:])
    names = zip(maps["layer"].values[layer], maps["head"].values[head], strict=True)
    return pd.DataFrame(
        {
            "head": [f"L{one}H{two}" for one, two in names],
            "from": inner["query"].values[query],
            "to": inner["key"].values[key],
            "weight": flat.max(-1),
        }
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
