"""One writer per run folder: a lock file that names the process which holds it."""

from __future__ import annotations

import atexit
import json
import os
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from headscope.errors import RunError
from headscope.results.files import TEMPORARY, explain_refusal

LOCK = ".lock"
_SECONDS_TO_WRITE = 10.0
_TRIES = 20

_held: set[Path] = set()
_guard = threading.Lock()


@dataclass(frozen=True)
class Holder:
    """Who wrote a lock file; the pid is 0 while (or because) its text is not there."""

    pid: int
    host: str
    age: float

    def is_gone(self, path: Path) -> bool:
        """Whether the lock was left behind by a process that no longer runs."""
        if self.pid == 0:
            return self.age > _SECONDS_TO_WRITE
        if self.host != socket.gethostname():
            return False
        if self.pid == os.getpid():
            return path not in _held
        return not _is_running(self.pid)

    def __str__(self) -> str:
        elsewhere = "" if self.host == socket.gethostname() else f" on {self.host}"
        return f"pid {self.pid}{elsewhere}" if self.pid else "pid not yet known"


class Lock:
    """The right to write into a folder, until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._owner = os.getpid()
        _held.add(path)
        atexit.register(self.release)

    @classmethod
    def take(cls, folder: Path) -> Lock:
        """Lock a folder; take over what a dead process left, refuse while a living one writes."""
        path = folder.resolve() / LOCK
        with _guard, explain_refusal(path):
            for _ in range(_TRIES):
                if _create(path):
                    return cls(path)
                holder = _holder(path)
                if holder is not None and not holder.is_gone(path):
                    raise RunError(
                        f"another headscope is writing to {folder} ({holder}); wait until it has finished; "
                        f"if it no longer runs, delete {path}"
                    )
                if holder is not None:
                    _remove(path, holder)
        raise RunError(f"{path} keeps changing hands; run the same command again")

    def release(self) -> None:
        """Give the folder free; a second call, or one from a forked process, does nothing."""
        if self._owner != os.getpid() or self.path not in _held:
            return
        _held.discard(self.path)
        atexit.unregister(self.release)
        self.path.unlink(missing_ok=True)


def _create(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except FileExistsError:
        return False
    try:
        os.write(descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
    finally:
        os.close(descriptor)
    return True


def _holder(path: Path) -> Holder | None:
    try:
        age = time.time() - path.stat().st_mtime
        text = path.read_text("utf-8", errors="replace")
    except FileNotFoundError:
        return None
    try:
        content = json.loads(text)
        return Holder(int(content["pid"]), str(content["host"]), age)
    except (ValueError, TypeError, KeyError):
        return Holder(0, "", age)


def _remove(path: Path, holder: Holder) -> None:
    """Remove a lock left behind, unless another process was quicker and it is now that one's."""
    aside = path.with_name(f"{TEMPORARY}{uuid4().hex}")
    try:
        os.rename(path, aside)  # noqa: PTH104
    except FileNotFoundError:
        return
    moved = _holder(aside)
    if moved is not None and (moved.pid, moved.host) != (holder.pid, holder.host):
        os.rename(aside, path)  # noqa: PTH104
    else:
        aside.unlink(missing_ok=True)


def _is_running(pid: int) -> bool:
    if os.name == "nt":
        return True  # there, os.kill ends a process even with signal 0
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
