"""compare: paired differences between surveys of two or more models or checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xarray as xr

from headscope.analyses import comparison
from headscope.errors import OptionError, RunError, choose_from
from headscope.jobs.running import Asked, into_folder
from headscope.results.paths import next_run_path
from headscope.results.provenance import version
from headscope.results.result import Result
from headscope.results.run import open as open_run

VERB = "compare"
SHOWN = ("entropy", "offset:-1", "offset:1", "offset:0", "first", "strongest")


def compare(
    runs: Sequence[str | Path],
    *,
    measures: Sequence[str] | None = None,
    out: str | Path | None = None,
    seed: int = 0,
    plots: bool = True,
) -> Result:
    """Compare surveys: each run with the first, head by head; the order given is the order of the curves.

    measures: names of the survey's `measure` axis; by default the main ones and the special tokens.
    """
    question = _question(runs, measures, seed)

    def compute(store: Any) -> Result:
        arrays = comparison.compare(
            question.surveys, question.names, question.paired, question.measures, seed
        )
        table = comparison.differences_table(arrays["differences"])
        return Result(VERB, arrays, {"differences": table}, question.asked.finished(), notes(question.paired))

    return compute(None) if out is None else into_folder(Path(out), question.asked, compute, plots)


def compare_path(
    runs: Sequence[str | Path], measures: Sequence[str] | None, seed: int, root: str | Path = "runs"
) -> Path:
    """Where a comparison goes that names no folder."""
    question = _question(runs, measures, seed)
    return next_run_path(root, VERB, "-".join(question.names), {"identity": question.asked.identity})


@dataclass(frozen=True)
class _Question:
    surveys: list[xr.Dataset]
    names: list[str]
    measures: list[str]
    paired: bool
    asked: Asked


def _question(runs: Sequence[str | Path], measures: Sequence[str] | None, seed: int) -> _Question:
    """Open and check the runs."""
    if len(runs) < 2:
        raise OptionError("compare needs at least two runs")
    opened = [open_run(path) for path in runs]
    for run in opened:
        if "survey" not in run.verbs:
            raise RunError(f"{run.path} has no finished survey")
    surveys = [run.arrays("heads", "survey") for run in opened]
    available = [str(name) for name in surveys[0]["measure"].values]
    special = [f"to:{name}" for name in surveys[0].attrs["special"]]
    chosen = list(measures or [name for name in (*SHOWN, *special) if name in available])
    for name in chosen:
        if name not in available:
            raise OptionError(choose_from("measure", name, available))
    asked_of = [run.asked("survey")["identity"] for run in opened]
    paired = len({one["data"]["checksum"] for one in asked_of}) == 1
    names = _names(runs)
    identity = {"runs": [one["model"] for one in asked_of], "names": names, "measures": chosen, "seed": seed,
                "headscope": version()}  # fmt: skip
    return _Question(surveys, names, chosen, paired, Asked(VERB, identity))


def notes(paired: bool) -> list[str]:
    """How to read the table."""
    how = (
        "the runs read the same text, so blocks of documents are paired"
        if paired
        else "the runs read different texts, so the difference of two independent means is shown"
    )
    bounds = (
        "low and high bound one head's difference (95 %); significant means that the interval for all heads "
        "of the measure at once leaves out 0"
    )
    return [how, bounds]


def _names(runs: Sequence[str | Path]) -> list[str]:
    """Folder names, with their parents where they would be the same."""
    paths = [Path(run).resolve() for run in runs]
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [f"{path.parent.name}/{path.name}" for path in paths]
