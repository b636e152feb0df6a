"""Run folders that are taken back: what was new and holds no work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headscope.errors import InputError, OptionError
from headscope.results.record import NAME as RECORD


@contextmanager
def withdrawn_without_work(path: Path) -> Iterator[None]:
    """Remove a folder that was new and in which an error or an interruption left no work.

    Nor is it work what was done before data or options were refused: the same command would be refused again.
    """
    is_new = not (path / RECORD).exists()
    try:
        yield
    except BaseException as error:
        is_refusal = isinstance(error, InputError | OptionError)
        if is_new and path.is_dir() and (is_refusal or not _has_work(path)):
            _remove(path)
        raise


def _has_work(path: Path) -> bool:
    return any(inside.is_file() and inside.name != RECORD for inside in path.rglob("*"))


def _remove(path: Path) -> None:
    """Remove a run folder, its record last: without it, what is left would be taken for foreign."""
    for inside in path.iterdir():
        if inside.is_dir():
            shutil.rmtree(inside)
    (path / RECORD).unlink(missing_ok=True)
    path.rmdir()
