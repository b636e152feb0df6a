"""Processor time that is kept over stops."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from benchmarks.timing import counted, seconds_of


def busy(seconds: float) -> None:
    until = process_time() + seconds
    while process_time() < until:
        pass


def test_the_time_of_all_tries_is_added_up(tmp_path: Path) -> None:
    assert seconds_of(tmp_path, "run") == 0
    with pytest.raises(KeyboardInterrupt), counted(tmp_path, "run"):
        busy(0.02)
        raise KeyboardInterrupt
    first = seconds_of(tmp_path, "run")
    with counted(tmp_path, "run"):
        busy(0.02)
    assert first >= 0.02 and seconds_of(tmp_path, "run") >= first + 0.02
