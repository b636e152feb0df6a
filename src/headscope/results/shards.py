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
ShardState = tuple[Arrays, dict[str, Any]]
"""What a shard leaves: arrays by name, and plain values."""
_SUFFIX = ".safetensors"
_AGAIN = "delete the file and run the same command again to recompute it"


def write_shard(
    path: Path, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any], owner: str = ""
) -> None:
    """Write arrays of any shape (numbers or booleans) and plain values as one checked file.

    owner: names the run that the shard belongs to, see `owner_of`.
    """
    # The format takes the bytes as they lie, so a view in another order would come back garbled.
    ordered = {
        name: np.array(array, array.dtype.newbyteorder("="), order="C") for name, array in arrays.items()
    }
    text = json.dumps(plain(meta), allow_nan=False)
    metadata = {"meta": text, "run": owner, "sha256": _digest(path, ordered, text, owner)}
    write_bytes(path, save(ordered, metadata=metadata))


def read_shard(path: Path, owner: str = "") -> ShardState | None:
    """The arrays and plain values of a shard, bit for bit; None where there is none.

    A shard of another run is refused, so that no two runs are ever mixed.
    """
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            arrays: Arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        text, run = metadata["meta"], metadata["run"]
        intact = metadata["sha256"] == _digest(path, arrays, text, run)
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if not intact:
        raise _damaged(path, "its checksum does not match")
    if run != owner:
        raise RunError(located(path, None, f"this shard belongs to another run; {_AGAIN}"))
    return arrays, json.loads(text)


def owner_of(name: str, identity: Any) -> str:
    """What marks the shards under a name of a run; another model, data, option or version gives another.

    >>> owner_of("survey", {"seed": 0}) == owner_of("survey", {"seed": 1})
    False
    """
    return hashlib.sha256(json.dumps([name, identity], sort_keys=True).encode()).hexdigest()


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


def merged_path(folder: Path) -> Path:
    """Where the state lies that took the place of the first shards.

    >>> merged_path(Path("shards/survey")).as_posix()
    'shards/survey/000000-merged.safetensors'
    """
    return folder / f"000000-merged{_SUFFIX}"


def _digest(path: Path, arrays: Arrays, meta: str, owner: str) -> str:
    names = sorted(arrays)
    layout = [(name, arrays[name].dtype.str, arrays[name].shape) for name in names]
    total = hashlib.sha256(json.dumps([path.stem, owner, meta, layout]).encode())
    for name in names:
        total.update(arrays[name].tobytes())
    return total.hexdigest()


def _damaged(path: Path, reason: str) -> RunError:
    return RunError(located(path, None, f"this shard is damaged ({reason}); {_AGAIN}"))
