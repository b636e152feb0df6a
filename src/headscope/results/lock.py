"""One writer per run folder: the right to write ends with its process, so no dead one has to be asked."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock, SoftFileLock, Timeout

from headscope.errors import RunError
from headscope.results.files import explain_refusal

LOCK = ".lock"
_CANNOT = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL}
"""What a file system says that cannot lock files."""


class Lock:
    """The right to write into a folder, until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # A moment is waited for one who is just giving it free.
        self._lock: BaseFileLock = FileLock(path, timeout=0.2, thread_local=False, fallback_to_soft=False)

    @classmethod
    def take(cls, folder: Path) -> Lock:
        """Lock a folder; take over what a dead process left, refuse while a living one writes."""
        lock = cls(folder.resolve() / LOCK)
        with explain_refusal(lock.path):
            try:
                lock._acquire()
            except Timeout:
                raise RunError(
                    f"another headscope is writing to {folder}{_holder(lock.path)}; wait until it has "
                    f"finished; if it runs no more, on any machine, delete {lock.path}"
                ) from None
        return lock

    def _acquire(self) -> None:
        try:
            self._lock.acquire()
        except OSError as error:
            if error.errno not in _CANNOT:
                raise
            # A file that only its maker removes stands in; of a dead process, it is known on this machine.
            if not self.path.read_text("utf-8"):
                self.path.unlink()
            self._lock = SoftFileLock(self.path, timeout=0.2, thread_local=False)
            self._lock.acquire()
        else:
            self.path.write_text(f"{os.getpid()}\n{socket.gethostname()}\n", "utf-8")

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
