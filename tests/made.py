"""What is made once for all processes that run the tests."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The file or folder of that name, which the first process to come makes for all; not to be changed."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    path, unfinished = shared / "made" / name, shared / "unfinished" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished.parent.mkdir(parents=True, exist_ok=True)
            make(unfinished)
            unfinished.rename(path)
    return path
