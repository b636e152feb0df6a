"""Labelled arrays on disk: arrays.zarr/VERB/NAME, one xarray dataset each, Zarr format 3."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import xarray as xr
import zarr

from headscope.errors import RunError, located
from headscope.results.files import RESTORE, replace_folder, write_json
from headscope.results.plain import plain

STORE = "arrays.zarr"
_FLAT = {"chunk_key_encoding": {"name": "default", "separator": "."}}
"""A chunk is a file beside its array's description, not in a folder for each axis: less to make and sync."""


def write_arrays(folder: Path, verb: str, arrays: Mapping[str, xr.Dataset]) -> None:
    """Write all arrays of a verb in one step."""
    store = folder / STORE
    if not (store / "zarr.json").exists():
        write_json(store / "zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {}})

    def fill(temporary: Path) -> None:
        zarr.create_group(temporary, zarr_format=3)
        for name, dataset in arrays.items():
            ready = _storable(name, dataset)
            flat = dict.fromkeys(ready.variables, _FLAT)
            ready.to_zarr(temporary, group=name, zarr_format=3, consolidated=False, encoding=flat)

    replace_folder(store / verb, fill)


def read_arrays(folder: Path, verb: str, name: str) -> xr.Dataset:
    """Read one dataset into memory; text comes back as Python strings, variables in order of their names."""
    store, group = folder / STORE, f"{verb}/{name}"
    try:
        with xr.open_dataset(store, engine="zarr", group=group, consolidated=False) as opened:
            dataset = opened.load()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        message = f"cannot be read ({error}); {RESTORE}"
        raise RunError(located(store / group, None, message)) from error
    texts = {
        key: variable.astype(object)
        for key, variable in dataset.variables.items()
        if variable.dtype.kind == "T"
    }
    read = dataset.assign(texts).drop_encoding()
    ordered = {key: read[key] for key in sorted(read.data_vars, key=str)}
    return xr.Dataset(ordered, coords=read.coords, attrs=read.attrs)


def _storable(name: str, dataset: xr.Dataset) -> xr.Dataset:
    """Text as Zarr's string type, the only one that is specified; attributes as plain values."""
    texts = {
        key: variable.astype(np.dtypes.StringDType())
        for key, variable in dataset.variables.items()
        if _is_text(f"{name}.{key}", variable)
    }
    ready = dataset.drop_encoding().assign(texts)
    ready.attrs = plain(ready.attrs)
    for variable in ready.variables.values():
        variable.attrs = plain(variable.attrs)
    return ready


def _is_text(name: str, variable: xr.Variable) -> bool:
    if variable.dtype.kind == "O" and not all(isinstance(item, str) for item in variable.values.flat):
        raise TypeError(f"array {name} holds objects that are not text; store numbers or strings")
    return variable.dtype.kind in "UO"
