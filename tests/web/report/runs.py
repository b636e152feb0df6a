"""Run folders written by hand, as verbs would leave them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr

from headscope.results.declaration import Declaration
from headscope.results.folder import Plot, RunFolder
from headscope.results.result import Finding, Result
from headscope.results.run import Run

IDENTITY: dict[str, Any] = {
    "model": {"name": "tiny", "origin": "models/tiny", "class": "TinyModel", "revision": None},
    "data": {"name": "owls.txt", "source": "texts/owls.txt", "checksum": "f00"},
    "options": {"pieces": 32, "layers": None, "distances": True, "gradients": False, "seed": 0},
}


def write_run(
    path: Path,
    verb: str = "survey",
    tables: Mapping[str, pd.DataFrame] | None = None,
    arrays: Mapping[str, xr.Dataset] | None = None,
    plots: Mapping[str, bytes] | None = None,
    notes: list[str] | None = None,
    identity: dict[str, Any] | None = None,
    roles: str | None = None,
    declared: Mapping[str, Declaration] | None = None,
    findings: list[Finding] | None = None,
) -> Run:
    """A folder in which one more verb has finished."""
    asked = {"identity": identity or IDENTITY}
    told = {"headscope": "0.1.0", "packages": {"torch": "2.0"}, "seconds": 1.5}
    result = Result(
        verb, dict(arrays or {}), dict(tables or {}), {"provenance": told}, notes or [], roles,
        dict(declared or {}), findings or [],
    )  # fmt: skip
    drawn = {name: Plot("What is drawn", _writer(content)) for name, content in (plots or {}).items()}
    with RunFolder.claim(path, verb, asked) as folder:
        folder.write_result(result, drawn)
    return Run(path)


def begin_run(path: Path, verb: str) -> Run:
    """A folder in which one more verb was stopped."""
    RunFolder.claim(path, verb, {"identity": IDENTITY}).release()
    return Run(path)


def _writer(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write
