"""Where a result comes from: versions, machine, times, and checksums of what was read."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import headscope
from headscope.errors import InputError, located

PACKAGES = (
    *("torch", "transformers", "tokenizers", "safetensors", "numpy", "scipy", "numba"),
    *("pandas", "pyarrow", "xarray", "zarr", "matplotlib"),
)

COMPUTING = ("torch", "transformers", "tokenizers", "numpy", "numba")

written: ContextVar[Path | None] = ContextVar("written", default=None)
"""The run folder that was claimed last; known also after an error, to say where to go on."""


def version() -> str:
    """The version of headscope that is running."""
    return str(getattr(headscope, "__version__", "unknown"))


@cache
def computing() -> dict[str, str]:
    """Versions of what can change a bit of a result, without the build they were made in."""
    python = platform.python_version().rpartition(".")[0]
    versions = {"headscope": version(), "python": python, **_versions(COMPUTING)}
    return {name: number.partition("+")[0] for name, number in versions.items()}


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def stamp(time: datetime) -> str:
    """A time as ISO 8601 in UTC, to the second.

    >>> stamp(datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2024-01-02T03:04:05Z'
    """
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def provenance(
    started: datetime, finished: datetime | None = None, packages: Iterable[str] = PACKAGES
) -> dict[str, Any]:
    """Versions, machine and times of a run; packages are looked up, not imported.

    >>> sorted(provenance(now(), packages=["numpy"]))
    ['finished', 'headscope', 'packages', 'platform', 'python', 'seconds', 'started']
    """
    end = now() if finished is None else finished
    return {
        "headscope": version(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": _versions(packages),
        "started": stamp(started),
        "finished": stamp(end),
        "seconds": round((end - started).total_seconds(), 3),
    }


def checksum(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a file's bytes, or of a folder's file names and bytes; hidden files do not count."""
    place = Path(path)
    try:
        return _of_folder(place) if place.is_dir() else _of_file(place)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(located(error.filename or place, None, f"cannot be read ({reason})")) from error


def _versions(packages: Iterable[str]) -> dict[str, str]:
    versions = {name: _installed(name) for name in packages}
    return {name: number for name, number in versions.items() if number is not None}


@cache
def _installed(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _of_folder(folder: Path) -> str:
    names = sorted(inside.relative_to(folder).as_posix() for inside in folder.rglob("*") if inside.is_file())
    total = hashlib.sha256()
    for name in names:
        if not any(part.startswith(".") for part in name.split("/")):
            # A zero byte cannot be part of a name, so no two folders give the same sequence.
            total.update(os.fsencode(name) + b"\0" + _of_file(folder / name).encode() + b"\0")
    return total.hexdigest()
