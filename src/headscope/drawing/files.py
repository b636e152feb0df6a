"""Figures as files: the same figure always gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headscope.drawing.style import styled
from headscope.errors import OptionError, choose_from
from headscope.results.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Dates and version strings would make two saves of one figure differ.
FORMATS: dict[str, dict[str, Any]] = {
    "png": {"dpi": 200, "metadata": {"Software": None}},
    "svg": {"dpi": 300, "metadata": {"Date": None, "Creator": None}},
    "pdf": {"dpi": 300, "metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


def save(
    figure: Figure, folder: Path | str, name: str, formats: Sequence[str] = tuple(FORMATS)
) -> list[Path]:
    """Write `folder/name.format` for each format."""
    paths = [Path(folder) / f"{name}.{kind}" for kind in formats]
    for path, write in zip(paths, [writer(figure, kind) for kind in formats], strict=True):
        write_atomically(path, write)
    return paths


def writer(figure: Figure, kind: str) -> Callable[[Path], None]:
    """What writes a figure in one format to a path."""
    if kind not in FORMATS:
        raise OptionError(choose_from("picture format", kind, FORMATS))

    def write(path: Path) -> None:
        with styled():
            figure.savefig(path, format=kind, **FORMATS[kind])

    return write
