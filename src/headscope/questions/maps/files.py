"""Maps as files: safetensors, with labels and attributes as JSON in its metadata."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from headscope.errors import InputError, OptionError
from headscope.results.files import write_bytes

AXES = ("layer", "head", "query", "key")
LEFT = "left"
"""Beside maps with hidden tokens: (layer, head, query), the share of a row's weight that is left."""


def save_maps(maps: xr.DataArray, path: str | Path) -> None:
    """Write maps."""
    if Path(path).is_dir():
        raise OptionError(
            f"{path} is a folder; name the file to write, such as {Path(path) / 'maps.safetensors'}"
        )
    labels = {name: [_plain(value) for value in maps[name].values] for name in AXES}
    metadata = {
        "headscope": json.dumps({"labels": labels, "attributes": dict(maps.attrs)}, ensure_ascii=False)
    }
    arrays = {"attention": maps} | ({LEFT: maps[LEFT]} if LEFT in maps.coords else {})
    contiguous = {name: np.ascontiguousarray(array.values) for name, array in arrays.items()}
    write_bytes(Path(path), save(contiguous, metadata))


def open_maps(path: str | Path) -> xr.DataArray:
    """Read maps that `save_maps` wrote."""
    try:
        with safe_open(str(path), "np") as file:
            about = json.loads((file.metadata() or {})["headscope"])
            values = file.get_tensor("attention")
            left = {LEFT: (AXES[:3], file.get_tensor(LEFT))} if LEFT in file.keys() else {}  # noqa: SIM118
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise InputError(f"{path}: not a file of attention maps ({error})") from error
    labels = about["labels"]
    coords = {**labels, **numbered("query", labels["query"]), **numbered("key", labels["key"]), **left}
    return xr.DataArray(values, dims=AXES, coords=coords, name="attention", attrs=about["attributes"])


def numbered(axis: str, tokens: Sequence[str]) -> dict[str, Any]:
    """An axis of a map, and beside it the number of each token, which tells repeated ones apart."""
    return {axis: list(tokens), f"{axis}_number": (axis, np.arange(len(tokens)))}


def apart(tokens: Iterable[str]) -> np.ndarray:
    """Tokens; those that stand there more than once with their number: "the (1)", "the (2)"."""
    names, before = list(tokens), Counter[str]()
    often = Counter(names)
    for place, token in enumerate(names):
        before[token] += 1
        names[place] = token if often[token] == 1 else f"{token} ({before[token]})"
    return np.array(names, dtype=object)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
