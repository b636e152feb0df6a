"""Carrying a measurement over to today's code: where a short run gives the same at both commits.

Code changes more often than what it computes, and some parts take hours. A part whose code in `src` has
changed since is run short twice, at the commit that was measured and at today's, with the same data. Where
every value is the same, but for times and memory, what was measured then is kept as today's, and its page
says so: how many definitions are other ones, and how many values were compared. One value that differs, and
it is measured again. So is a part that changed itself, one that promises a ratio or a size, one whose short
run leaves out a row of the complete one, and one whose short run tells little.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from benchmarks import data
from benchmarks.closure import ROOT, checksum, closure
from benchmarks.kept import VERSIONS, Kept, at_commit, path_of, read
from benchmarks.rows import Row
from headscope.errors import HeadscopeError
from headscope.results.reading import counted

TIMES = frozenset({"s", "ms", "CPU s", "s of processor time", "min", "h"})
SIZES = frozenset({"x", "B", "KiB", "MB", "MiB", "GiB"})
"""Units of what a change of code alters without altering what is computed."""
FEWEST = 5
"""So many different numbers, none of them 0, must a short run tell."""
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)")
"""One that stands alone, not in a name."""
Runner = Callable[[str, Path], list[Row]]


def short_run(name: str, root: Path) -> list[Row]:
    """The rows of a short run of a part, by the code below a root, in a process of its own."""
    folder = root / "build" / "evidence" / "measured"
    path_of(name, folder).unlink(missing_ok=True)
    words = [sys.executable, "-m", "benchmarks.evidence", "--part", name, "--reduced"]
    path = os.pathsep.join([str(root / "src"), str(root)])
    done = subprocess.run(words, cwd=root, env={**os.environ, "PYTHONPATH": path}, check=False)
    kept = read(name, folder)
    if kept is None:
        raise HeadscopeError(f"{name}: its short run in {root} kept nothing (exit code {done.returncode})")
    return kept.rows


def carry(name: str, kept: Kept, today: str, root: Path = ROOT, run: Runner = short_run) -> Kept:
    """What was measured as that of today's code, or an error that says why not; today: a commit."""
    if reason := _why_not(kept):
        raise HeadscopeError(f"{name}: {reason}; measure it again")
    with at_commit(kept.machine["commit"], root) as measured:
        if measured is None:
            raise HeadscopeError(f"{name}: git does not have {kept.machine['commit']}; measure it again")
        if not (measured / "benchmarks" / f"{name}.py").exists():
            raise HeadscopeError(f"{name}: {kept.machine['commit']} has no such part; measure it again")
        then, now = closure(f"benchmarks.{name}", measured), closure(f"benchmarks.{name}", root)
        if own := sorted(key for key in _changed(then, now) if key.startswith("benchmarks/")):
            raise HeadscopeError(f"{name}: {', '.join(own)} has changed since; measure it again")
        before, after = (_compared(run(name, place)) for place in (measured, root))
    if closure(f"benchmarks.{name}", root) != now:
        raise HeadscopeError(f"{name}: its code changed while it ran")
    if against := _against(kept.rows, before, after):
        what = "; ".join(against)
        raise HeadscopeError(f"{name}: a short run does not show that it measures the same: {what}")
    return replace(kept, code=checksum(now), note=_note(then, now, today, len(after)))


def _why_not(kept: Kept) -> str:
    """What stands against it before anything is run."""
    here = data.checksums(list(kept.data))
    changed = [file for file, is_of in kept.data.items() if here.get(file) != is_of]
    if changed:
        return f"{', '.join(changed)} has changed since, or is not here"
    if others := [name for name in VERSIONS if kept.machine[name] != version(name)]:
        return f"{others[0]} is {version(others[0])} now"
    costs = [row["name"] for row in kept.rows if row["limit"] and row["unit"] in SIZES]
    return f"it promises what short runs do not show ({costs[0]})" if costs else ""


def _against(
    rows: Sequence[Row], before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]
) -> list[str]:
    """Why values of short runs do not speak for the rows of a complete one."""
    differs = (Counter(before) - Counter(after)) + (Counter(after) - Counter(before))
    if differs:
        return sorted({name for name, _ in differs})
    told = {_without_numbers(name) for name, _ in after}
    left_out = [name for name, _ in _compared(rows) if _without_numbers(name) not in told]
    if left_out:
        return [f"it leaves out {counted(len(left_out), 'row')}, such as {left_out[0]}"]
    return ["it tells too few numbers"] if len(_numbers(after)) < FEWEST else []


def _without_numbers(name: str) -> str:
    """A name of a row without its numbers, which a short run has others of.

    >>> _without_numbers("sentences of 990 reviews, by L5H10")
    'sentences of # reviews, by L#H#'
    """
    return re.sub(r"[\d,.]*\d", "#", name)


def _note(then: Mapping[str, str], now: Mapping[str, str], today: str, values: int) -> str:
    new, gone = now.keys() - then.keys(), then.keys() - now.keys()
    other = len(_changed(then, now) - new - gone)
    return (
        f"Carried over: of {counted(len(then), 'definition')} that it led to, {other:,} changed since and "
        f"{len(gone):,} went, {len(new):,} came; a short run at that commit and one at {today} gave the same "
        f"{counted(values, 'value')}. Times and memory are of the code as it was."
    )


def _changed(then: Mapping[str, str], now: Mapping[str, str]) -> set[str]:
    return {key for key in {*then, *now} if then.get(key) != now.get(key)}


def _compared(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Names and values that do not depend on how fast a machine is, with what is told below them."""
    told = [row for row in rows if row["unit"] not in TIMES | SIZES]
    return [(row["name"], repr((row["value"], row.get("details")))) for row in told]


def _numbers(compared: Sequence[tuple[str, str]]) -> set[float]:
    """The different numbers that values tell, without 0."""
    found = (float(number) for _, value in compared for number in NUMBER.findall(value))
    return {number for number in found if number}
