"""Runs that are interrupted, and what must come out the same."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import contents


class Stop:
    """A progress callback that counts, and interrupts after so many calls."""

    def __init__(self, after: int | None = None) -> None:
        self.after, self.calls, self.segments, self.words = after, 0, 0, 0

    def __call__(self, segments: int, words: int) -> None:
        self.calls += 1
        self.segments += segments
        self.words += words
        if self.calls == self.after:
            raise KeyboardInterrupt


def results(run: Path, more_than: int = 10) -> dict[str, bytes]:
    """All that a run wrote but when and how long, which is told in run.json; more than so many files."""
    found = contents(run)
    assert found.pop("run.json") and len(found) > more_than
    return found
