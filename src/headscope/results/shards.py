"""The state of each finished shard, kept until its run has finished."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from headscope.errors import RunError, located
from headscope.results.files import explain_refusal, write_bytes
from headscope.results.plain import plain

Arrays = dict[str, np.ndarray]
_SUFFIX = ".safetensors"


def write_shard(folder: Path, number: int, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> None:
    """Write arrays of any shape (numbers or booleans) and plain values as one checked file."""
    # The format takes the bytes as they lie, so a view in another order would come back garbled.
    ordered = {
        name: np.array(array, array.dtype.newbyteorder("="), order="C") for name, array in arrays.items()
    }
    text = json.dumps(plain(meta), allow_nan=False)
    metadata = {"meta": text, "sha256": _digest(number, ordered, text)}
    write_bytes(shard_path(folder, number), save(ordered, metadata=metadata))


def read_shard(folder: Path, number: int) -> tuple[Arrays, dict[str, Any]] | None:
    """The arrays and plain values of a shard, bit for bit; None where there is none."""
    path = shard_path(folder, number)
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            arrays: Arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        text = metadata["meta"]
        intact = metadata["sha256"] == _digest(number, arrays, text)
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if not intact:
        raise _damaged(path, "its checksum does not match")
    return arrays, json.loads(text)


def list_shards(folder: Path) -> list[int]:
    """The numbers of the shards that are there, in order."""
    stems = (path.stem for path in folder.glob(f"*{_SUFFIX}"))
    return sorted(int(stem) for stem in stems if stem.isdecimal())


def drop_shards(folder: Path) -> None:
    """Remove all shards of one verb, and the folder around them once it is empty."""
    with explain_refusal(folder):
        if folder.exists():
            shutil.rmtree(folder)
        if folder.parent.exists() and not any(folder.parent.iterdir()):
            folder.parent.rmdir()


def shard_path(folder: Path, number: int) -> Path:
    """Where a shard lies.

    >>> shard_path(Path("shards/survey"), 12).as_posix()
    'shards/survey/000012.safetensors'
    """
    return folder / f"{number:06d}{_SUFFIX}"


def _digest(number: int, arrays: Arrays, meta: str) -> str:
    names = sorted(arrays)
    layout = [(name, arrays[name].dtype.str, arrays[name].shape) for name in names]
    total = hashlib.sha256(json.dumps([number, meta, layout]).encode())
    for name in names:
        total.update(arrays[name].tobytes())
    return total.hexdigest()


def _damaged(path: Path, reason: str) -> RunError:
    message = (
        f"this shard is damaged ({reason}); delete the file and run the same command again to recompute it"
    )
    return RunError(located(path, None, message))
