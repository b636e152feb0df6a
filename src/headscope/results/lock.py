"""One writer per run folder: the right to write ends with its process, so no dead one has to be asked."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, SoftFileLock, Timeout

from headscope.errors import RunError
from headscope.results.files import explain_refusal

LOCK = ".lock"


class Lock:
    """The right to write into a folder, until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path, blocking=False, thread_local=False)

    @classmethod
    def take(cls, folder: Path) -> Lock:
        """Lock a folder; take over what a dead process left, refuse while a living one writes."""
        lock = cls(folder.resolve() / LOCK)
        with explain_refusal(lock.path):
            try:
                lock._lock.acquire()
            except Timeout:
                raise RunError(
                    f"another headscope is writing to {folder}{_holder(lock.path)}; "
                    "wait until it has finished"
                ) from None
            if not isinstance(lock._lock, SoftFileLock):  # which names its process itself
                lock.path.write_text(f"{os.getpid()}\n{socket.gethostname()}\n", "utf-8")
        return lock

    def release(self) -> None:
        """Give the folder free; a second call, or one from a forked process, does nothing."""
        if self._lock.is_locked:
            # While it is held: who waits for the file that goes sees that, and makes another.
            try:
                with suppress(PermissionError):
                    self.path.unlink(missing_ok=True)
            finally:
                self._lock.release()


def _holder(path: Path) -> str:
    """Who wrote the lock, as far as it can be read."""
    try:
        pid, host, *_ = path.read_text("utf-8").split("\n")
    except (OSError, ValueError):
        return ""
    elsewhere = "" if host == socket.gethostname() else f" on {host}"
    return f" (pid {pid}{elsewhere})"
