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
        if "survey" not in run.verbs or "survey" in run.unfinished:
            raise RunError(f"{run.path} has no finished survey; run headscope survey with --out {run.path}")
    surveys = [run.arrays("heads", "survey") for run in opened]
    names = _names(runs)
    for name, survey in zip(names[1:], surveys[1:], strict=True):
        _check_heads(names[0], surveys[0], name, survey)
    available = [str(name) for name in surveys[0]["measure"].values]
    special = [f"to:{name}" for name in surveys[0].attrs["special"]]
    usual = [name for name in (*SHOWN, *special) if name in available and _is_defined(surveys[0], name)]
    chosen = list(measures or usual)
    for name in chosen:
        if name not in available:
            raise OptionError(choose_from("measure", name, available))
        if not _is_defined(surveys[0], name):
            raise OptionError(
                f"the measure '{name}' says nothing about the heads of {names[0]}: none ever has it"
            )
    asked_of = [run.asked("survey")["identity"] for run in opened]
    # A limit is no part of the checksum, but reads another part of the text.
    paired = len({(one["data"]["checksum"], one["options"].get("limit")) for one in asked_of}) == 1
    identity = {"runs": asked_of, "names": names, "measures": chosen, "seed": seed,
                "headscope": version()}  # fmt: skip
    return _Question(surveys, names, chosen, paired, Asked(VERB, identity))


def _check_heads(name: str, survey: xr.Dataset, other_name: str, other: xr.Dataset) -> None:
    """Refuse runs whose heads cannot be paired; one stack's L0H0 is not another's."""
    if any(not survey[part].equals(other[part]) for part in ("stack", "head")):
        raise RunError(
            f"{name} and {other_name} do not have the same heads ({_count(survey)}, and {_count(other)}); "
            "survey both with the same --layers and --heads"
        )


def _count(survey: xr.Dataset) -> str:
    stacks = survey["stack"].to_series().value_counts(sort=False)
    return " and ".join(f"{count} of the {stack}" for stack, count in stacks.items())


def _is_defined(survey: xr.Dataset, measure: str) -> bool:
    """Whether the survey saw the measure at all; a decoder, say, never looks at the next token."""
    return bool(survey["block_count"].sel(measure=measure).any())


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
