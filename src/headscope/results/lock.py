"""One writer per run folder: a lock file that names the process which holds it."""

from __future__ import annotations

import atexit
import errno
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from headscope.errors import RunError
from headscope.results.files import TEMPORARY, explain_refusal

if sys.platform != "win32":
    import fcntl

LOCK = ".lock"
_SECONDS_TO_WRITE = 10.0
_TRIES = 20
_NO_LINKS = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EINVAL}

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
        with _guard, explain_refusal(path), _in_turn(path.parent):
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
                    path.unlink(missing_ok=True)
        raise RunError(f"{path} keeps changing hands; run the same command again")

    def release(self) -> None:
        """Give the folder free; a second call, or one from a forked process, does nothing."""
        if self._owner != os.getpid() or self.path not in _held:
            return
        _held.discard(self.path)
        atexit.unregister(self.release)
        self.path.unlink(missing_ok=True)


def _create(path: Path) -> bool:
    """Make the lock, unless there is one; its text is there from the beginning, also if we are killed now."""
    written = path.with_name(f"{TEMPORARY}{uuid4().hex}")
    try:
        _write(written)
        os.link(written, path)
    except FileExistsError:
        return False
    except FileNotFoundError:
        # Another process, which has the lock, has cleared the folder of what looked left behind.
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return _create_in_two_steps(path)
    finally:
        written.unlink(missing_ok=True)
    return True


def _create_in_two_steps(path: Path) -> bool:
    """Make the lock where a file cannot have two names: for a moment it has no text."""
    try:
        _write(path)
    except FileExistsError:
        return False
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return True


def _write(path: Path) -> None:
    with path.open("x", encoding="utf-8") as file:
        json.dump({"pid": os.getpid(), "host": socket.gethostname()}, file)
        file.flush()
        os.fsync(file.fileno())


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


@contextmanager
def _in_turn(folder: Path) -> Iterator[None]:
    """Processes of this machine look at a folder's lock one after the other, where the disk can do that."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if sys.platform != "win32":
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


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
