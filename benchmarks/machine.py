"""On what something was measured."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psutil
import torch
import transformers

CHANGED = "with uncommitted changes"
"""Behind a commit whose source files are not what lies there."""


def facts() -> dict[str, str]:
    """Commit, date, machine and versions."""
    return {
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{processor()}, {psutil.cpu_count()} cores",
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "load before": f"{psutil.getloadavg()[0]:.2f}",
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "transformers": transformers.__version__,
    }


def commit() -> str:
    """The commit that is checked out, and whether source files differ from it."""
    root = Path(__file__).parents[1]
    try:
        name = _git(root, "rev-parse", "--short=12", "HEAD")
        changed = _git(root, "status", "--porcelain", "src", "benchmarks")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name} {CHANGED}" if changed else name


def _git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def processor() -> str:
    """The processor's name; its family where the system does not tell."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
