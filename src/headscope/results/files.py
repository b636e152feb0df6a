"""Write files and folders so that a reader sees the old content or the new, never half of it."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any
from uuid import uuid4

from headscope.errors import RunError
from headscope.results.plain import plain

TEMPORARY = ".tmp-"
RESTORE = "restore the file or run the command again with another --out"
"""What to do about a result that cannot be trusted."""
_REPLACED = ".old-"
_FULL = {errno.ENOSPC, errno.EDQUOT}
_REFUSED = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.EFBIG),
    *(errno.ENOTDIR, errno.EISDIR),
}


@contextmanager
def explain_refusal(path: Path) -> Iterator[None]:
    """Turn a full disk or a refused write into an error that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise RunError(
                f"no space left on {path.parent}; free some and run the same command again: "
                "finished work is kept"
            ) from error
        if error.errno in _REFUSED:
            raise RunError(
                f"{path}: cannot be written ({os.strerror(error.errno)}); choose another place with --out"
            ) from error
        raise


def write_atomically(path: str | os.PathLike[str], write: Callable[[Path], None]) -> None:
    """Let `write` fill a temporary file beside `path`, then put it in place in one step.

    The temporary name keeps the suffix, so that writers which choose a format by suffix work.
    """
    target = Path(path)
    with explain_refusal(target):
        _make_folder(target.parent)
        temporary = _temporary_beside(target)
        try:
            temporary.touch(exist_ok=False)
            mode = temporary.stat().st_mode
            write(temporary)
            # Some writers put a private file in its place; the result should follow the user's umask.
            if temporary.stat().st_mode != mode:
                temporary.chmod(mode & 0o777)
            _sync(temporary)
            os.replace(temporary, target)  # noqa: PTH105
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync(target.parent)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes atomically."""

    def write(temporary: Path) -> None:
        temporary.write_bytes(content)

    write_atomically(path, write)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 atomically, with line ends as they are.

    Half of a surrogate pair, as in a path that is not UTF-8, is written as its escape, which JSON reads back.
    """
    write_bytes(path, text.encode("utf-8", errors="backslashreplace"))


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Write a value as indented JSON atomically."""
    write_text(path, json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def replace_folder(path: str | os.PathLike[str], fill: Callable[[Path], None]) -> None:
    """Let `fill` fill an empty folder beside `path`, then swap it in; the old one stays until then."""
    target = Path(path)
    with explain_refusal(target):
        _make_folder(target.parent)
        recover_folder(target)
        temporary = _temporary_beside(target)
        temporary.mkdir()
        try:
            fill(temporary)
            for inside in temporary.rglob("*"):
                _sync(inside)
            _sync(temporary)
            if target.exists():
                os.rename(target, _replaced(target))  # noqa: PTH104
            os.rename(temporary, target)  # noqa: PTH104
        except BaseException:
            _remove_for_good(temporary)
            recover_folder(target)
            raise
        _sync(target.parent)
        recover_folder(target)


def recover_folder(path: str | os.PathLike[str]) -> None:
    """Finish an interrupted swap: put the old folder back if no new one came, else remove it."""
    target = Path(path)
    old = _replaced(target)
    if not old.exists():
        return
    if target.exists():
        shutil.rmtree(old)
    else:
        os.rename(old, target)  # noqa: PTH104


def remove_leftovers(folder: Path) -> None:
    """Clear away what a killed process left in a folder; call it only while no other process writes there."""
    for old in list(folder.rglob(f"{_REPLACED}*")):
        recover_folder(old.with_name(old.name.removeprefix(_REPLACED)))
    for temporary in list(folder.rglob(f"{TEMPORARY}*")):
        if temporary.is_dir():
            shutil.rmtree(temporary)
        else:
            temporary.unlink(missing_ok=True)


def _remove_for_good(folder: Path) -> None:
    """Remove a folder of a failed write: the array library's threads may still be putting files there."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        sleep(0.05)
        if not folder.exists():
            return


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:  # a file is in the way
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path)) from error


def _temporary_beside(target: Path) -> Path:
    return target.with_name(f"{TEMPORARY}{uuid4().hex}{target.suffix}")


def _replaced(target: Path) -> Path:
    return target.with_name(f"{_REPLACED}{target.name}")


def _sync(path: Path) -> None:
    """Ask the disk to keep a file or a folder's entries, where the system can."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
