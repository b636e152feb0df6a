"""A verb's run, whole and stopped: what its folder holds must come out the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL
from typing import Any

from headscope.results.folder import RunFolder
from tests.faults.commands import Commands, Ended, left
from tests.faults.points import linked


class Verb:
    """A command line, and everything that it leaves if nobody stops it."""

    def __init__(self, commands: Commands, words: Callable[[Path], list[str]], place: Path) -> None:
        self.place = place
        self.path = place / "run"
        self._commands, self._words = commands, words
        done = self._run()
        assert done.code == 0, done.said
        self.points = done.points
        self.states: list[object] = []
        self._whole = left(self.path)

    def copies(self) -> list[Path]:
        """What the end of the process at each point would leave; where it would be nothing, no folder."""
        copies = self.place / "copies"
        done = self._run(copies=str(copies))
        assert left(self.path) == self._whole
        return [copies / str(number) for number, _ in enumerate(done.points, start=1)]

    def kill(self, number: int) -> bool:
        """Kill a new run at a point; False if it has finished before, since threads come in any order."""
        done = self._run(kill_at=number)
        assert done.code in (-SIGKILL, 0), done.said
        return done.code != 0

    def take(self, copy: Path) -> None:
        """Have a copy as the run's folder, as if the process had ended this moment."""
        self._remove()
        if copy.exists():
            copy.rename(self.path)

    def check_goes_on(self) -> None:
        """What a killed run left must lead to the same bits as a run that nobody stopped.

        The next attempt first clears away what was left half written, and what it does then depends on
        nothing but what it finds: so each state that it may find is gone on from once, by the same command
        and by `resume` in turn.
        """
        found = self._cleared()
        if found in self.states:
            return
        self.states.append(found)
        resumes = len(self.states) % 2 and (self.path / "run.json").exists()
        done = self._commands.run(["resume", self.path] if resumes else self._words(self.path), self.path)
        assert done.code == 0, done.said
        assert left(self.path) == self._whole

    def _run(self, **what: Any) -> Ended:
        self._remove()
        return self._commands.run(self._words(self.path), self.path, **what)

    def _remove(self) -> None:
        if self.path.exists():
            shutil.rmtree(self.path)

    def _cleared(self) -> object:
        """What the next attempt finds."""
        if not self.path.exists():
            return None
        cleared = self.place / "cleared"
        shutil.copytree(self.path, cleared, copy_function=linked)
        RunFolder(cleared).tidy()
        found = left(cleared)
        shutil.rmtree(cleared)
        return found
