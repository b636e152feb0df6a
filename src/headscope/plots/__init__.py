"""Pictures: a result in, a figure out. One file per picture, and none is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from headscope.errors import OptionError, choose_from
from headscope.results.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from headscope.results.result import Result

PICTURES: dict[str, str] = {
    "examples": "headscope.plots.examples",
    "shares": "headscope.plots.shares",
    "gradients": "headscope.plots.gradients",
    "entropy": "headscope.plots.entropy",
    "headmap": "headscope.plots.headmap",
    "roles": "headscope.plots.roles",
    "offsets": "headscope.plots.offsets",
    "divergences": "headscope.plots.divergences",
    "relations": "headscope.plots.relations",
    "relation_grid": "headscope.plots.relation_grid",
    "relation_examples": "headscope.plots.relation_examples",
    "coref": "headscope.plots.coref",
    "probes": "headscope.plots.probes",
    "probe_heads": "headscope.plots.probe_heads",
    "training": "headscope.plots.training",
    "ablation": "headscope.plots.ablation",
    "ablation_layers": "headscope.plots.ablation_layers",
    "ablation_agreement": "headscope.plots.ablation_agreement",
    "importance": "headscope.plots.importance",
    "pruning": "headscope.plots.pruning",
    "pruning_speed": "headscope.plots.pruning_speed",
    "comparison": "headscope.plots.comparison",
    "curves": "headscope.plots.curves",
    "lines": "headscope.plots.lines",
    "matrix": "headscope.plots.matrix",
}

# Dates and version strings would make two saves of one figure differ.
FORMATS: dict[str, dict[str, Any]] = {
    "png": {"dpi": 200, "metadata": {"Software": None}},
    "svg": {"dpi": 300, "metadata": {"Date": None, "Creator": None}},
    "pdf": {"dpi": 300, "metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


def available(result: Result) -> list[str]:
    """Name the pictures that can be drawn from what this result holds."""
    return [name for name in PICTURES if _module(name).needs(result)]


def draw(name: str, result: Result) -> Figure:
    """Draw one picture; `available` names those that this result can give."""
    from headscope.plots.style import settled

    if name not in PICTURES:
        raise OptionError(choose_from("picture", name, PICTURES))
    module = _module(name)
    if not module.needs(result):
        possible = ", ".join(available(result)) or "none"
        raise OptionError(
            f"picture '{name}': this '{result.verb}' result does not hold the numbers it shows."
            f" Pictures it can give: {possible}"
        )
    figure: Figure = settled(lambda: module.draw(result))
    return figure


def save(
    figure: Figure, folder: Path | str, name: str, formats: Sequence[str] = ("png", "svg", "pdf")
) -> list[Path]:
    """Write `folder/name.format` for each format; the same figure always gives the same bytes."""
    paths = [Path(folder) / f"{name}.{kind}" for kind in formats]
    for path, write in zip(paths, [writer(figure, kind) for kind in formats], strict=True):
        write_atomically(path, write)
    return paths


def writer(figure: Figure, kind: str) -> Callable[[Path], None]:
    """What writes a figure in one format to a path."""
    from headscope.plots.style import styled

    if kind not in FORMATS:
        raise OptionError(choose_from("picture format", kind, FORMATS))

    def write(path: Path) -> None:
        with styled():
            figure.savefig(path, format=kind, **FORMATS[kind])

    return write


def _module(name: str) -> ModuleType:
    return import_module(PICTURES[name])
