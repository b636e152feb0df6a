"""Small disks of their own, which can be filled."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk_at(place: Path, size: str) -> Iterator[Path]:
    """A disk in memory of that size; where none can be mounted, the test is skipped."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no small disk can be mounted here ({error})")
    try:
        yield place
    finally:
        _unmount(place)


def _unmount(place: Path) -> None:
    """A thread that wrote there may be gone only a moment later."""
    for _ in range(50):
        if subprocess.run(["umount", str(place)], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
