"""Points of a process at which it changes files below a folder, and what may happen at one."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FOLDER_AT = {"os.remove": 1, "os.rmdir": 1, "os.mkdir": 2, "os.chmod": 2, "os.utime": 3}
"""Where an event of the interpreter names the descriptor of the folder that its path starts from."""
_OF_TWO = {"os.rename", "os.link"}


class Points:
    """Listens to the interpreter from now on; `then` is called before each change, while other threads wait.

    seen: what was done at each point. unsynced: files that the disk was not yet asked to keep.
    """

    def __init__(self, folder: Path, then: Callable[[Points], None]) -> None:
        self.folder = str(folder)
        self.seen: list[str] = []
        self.unsynced: set[str] = set()
        self._then = then
        self._turn = threading.RLock()
        self._acting = False
        self._fsync = os.fsync
        os.fsync = self._announced_fsync  # of which the interpreter does not tell
        sys.addaudithook(self._hear)

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[0], str | Path) and given[2] & _WRITING:
            path = _place(given[0])
            if self._reach(event, path):
                self.unsynced.add(path)
        elif event in _FOLDER_AT:
            self._reach(event, _place(given[0], given[_FOLDER_AT[event]]))
        elif event in _OF_TWO:
            old, new = _place(given[0]), _place(given[1])
            if self._reach(event, old):
                self.unsynced = {path.replace(old, new, 1) for path in self.unsynced}

    def _announced_fsync(self, descriptor: int) -> None:
        path = os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115
        self._reach("fsync", path)
        self._fsync(descriptor)
        self.unsynced.discard(path)

    def _reach(self, event: str, path: str) -> bool:
        """Whether it is a point of the folder; the hook is then called."""
        if path != self.folder and not path.startswith(f"{self.folder}/"):
            return False
        with self._turn:
            if not self._acting:
                self._acting = True
                self.seen.append(f"{event} {path.removeprefix(self.folder)}")
                self._then(self)
                self._acting = False
        return True


def pass_on(points: Points) -> None:
    """Only count."""


def kill_at(number: int) -> Callable[[Points], None]:
    """End this process at the point with that number."""

    def kill(points: Points) -> None:
        if len(points.seen) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return kill


def fill_at(number: int, filler: Path) -> Callable[[Points], None]:
    """Let another program's file take all room of the disk at the point with that number."""

    def fill(points: Points) -> None:
        if len(points.seen) == number:
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))

    return fill


def copy_into(place: Path) -> Callable[[Points], None]:
    """Keep what the end of this process at each point would leave, in folders with the numbers of the points.

    Files that the disk was not asked to keep are halved, as after a power cut.
    """

    def copy(points: Points) -> None:
        def one(source: str, target: str) -> None:
            # Another thread may be between being told of and having done what takes the file away.
            with suppress(FileNotFoundError):
                if source in points.unsynced:
                    content = Path(source).read_bytes()
                    Path(target).write_bytes(content[: len(content) // 2])
                else:
                    linked(source, target)

        if os.path.isdir(points.folder):  # noqa: PTH112
            shutil.copytree(points.folder, place / str(len(points.seen)), copy_function=one)

    return copy


def linked(source: str, target: str) -> None:
    """A copy that costs nothing: no file of a run is changed in place."""
    os.link(source, target)


def _place(path: Any, folder: int = -1) -> str:
    start = os.getcwd() if folder == -1 else os.readlink(f"/proc/self/fd/{folder}")  # noqa: PTH109, PTH115
    return os.path.join(start, os.fspath(path))  # noqa: PTH118
