"""The named parts of a run's store: the states of finished shards, kept until the run has finished."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Part:
    """A part of a run's store: states by number, several processes may write different ones at once.

    owner: names the run that they belong to, see `owner_of`, so that no two runs are ever mixed.
    """

    folder: Path
    owner: str = ""

    def path(self, number: int) -> Path:
        """Where a state lies.

        >>> Part(Path("shards/survey")).path(12).as_posix()
        'shards/survey/000012.safetensors'
        """
        return self.folder / f"{number:06d}{_SUFFIX}"

    def numbers(self) -> list[int]:
        """The numbers of the states that are there, in order."""
        stems = (path.stem for path in self.folder.glob(f"*{_SUFFIX}"))
        return sorted(int(stem) for stem in stems if stem.isdecimal())

    @property
    def is_alone(self) -> bool:
        """Whether nothing else is kept in the folder that it lies in, by its verb or by other parts of it."""
        others = (path for path in self.folder.parent.rglob(f"*{_SUFFIX}") if self.folder not in path.parents)
        return next(others, None) is None

    def has(self, number: int) -> bool:
        return self.path(number).exists()

    def write(self, number: int, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> None:
        """Keep arrays of any shape (numbers or booleans) and plain values as one checked file."""
        self._write(self.path(number), arrays, meta)

    def read(self, number: int) -> ShardState | None:
        """The arrays and plain values of a state, bit for bit; None where there is none."""
        return self._read(self.path(number))

    def write_merged(self, past: int, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> None:
        """Keep one state in place of those up to the one before `past`, which go."""
        self._write(self._merged, arrays, {"meta": meta, "past": past})
        for number in self.numbers():
            if number < past:
                self.path(number).unlink(missing_ok=True)

    def read_merged(self) -> tuple[ShardState, int] | None:
        """What `write_merged` kept: the state and `past`; None if there is none."""
        state = self._read(self._merged)
        return None if state is None else ((state[0], state[1]["meta"]), state[1]["past"])

    def drop(self) -> None:
        """Remove all states, and the folder around them once it is empty."""
        with explain_refusal(self.folder):
            if self.folder.exists():
                shutil.rmtree(self.folder)
            if self.folder.parent.exists() and not any(self.folder.parent.iterdir()):
                self.folder.parent.rmdir()

    @property
    def _merged(self) -> Path:
        return self.folder / f"000000-merged{_SUFFIX}"

    def _write(self, path: Path, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> None:
        # The format takes the bytes as they lie, so a view in another order would come back garbled.
        ordered = {
            name: np.asarray(array, array.dtype.newbyteorder("="), order="C")
            for name, array in arrays.items()
        }
        text = json.dumps(plain(meta), allow_nan=False)
        metadata = {"meta": text, "run": self.owner, "sha256": _digest(path, ordered, text, self.owner)}
        write_bytes(path, save(ordered, metadata=metadata))

    def _read(self, path: Path) -> ShardState | None:
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
        if run != self.owner:
            raise RunError(located(path, None, f"this shard belongs to another run; {_AGAIN}"))
        return arrays, json.loads(text)


def owner_of(name: str, identity: Any) -> str:
    """What marks the shards under a name of a run; another model, data, option or version gives another.

    >>> owner_of("survey", {"seed": 0}) == owner_of("survey", {"seed": 1})
    False
    """
    return hashlib.sha256(json.dumps([name, identity], sort_keys=True).encode()).hexdigest()


def _digest(path: Path, arrays: Arrays, meta: str, owner: str) -> str:
    names = sorted(arrays)
    layout = [(name, arrays[name].dtype.str, arrays[name].shape) for name in names]
    total = hashlib.sha256(json.dumps([path.stem, owner, meta, layout]).encode())
    for name in names:
        total.update(np.ascontiguousarray(arrays[name]).data)
    return total.hexdigest()


def _damaged(path: Path, reason: str) -> RunError:
    return RunError(located(path, None, f"this shard is damaged ({reason}); {_AGAIN}"))
