"""Carrying a measurement over to today's code: where a short run gives the same at both commits.

Code changes more often than what it computes, and some parts take hours. A part whose code has changed since
is run short twice, at the commit that was measured and at today's, with the same data. Where every value is
the same, but for times and memory, what was measured then is kept as today's, and its page says so: how many
definitions have changed, and how many values were compared. One value that differs, and it is measured again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import data
from benchmarks.closure import ROOT, closure
from benchmarks.kept import Kept, at_commit, code_of, read
from benchmarks.rows import Row
from headscope.errors import HeadscopeError

COSTS = frozenset({"s", "ms", "CPU s", "min", "h", "x", "B", "KiB", "MiB", "GiB"})
"""Units of what may differ from run to run."""
Runner = Callable[[str, Path], list[Row]]


def short_run(name: str, root: Path) -> list[Row]:
    """The rows of a short run of a part, by the code below a root, in a process of its own."""
    words = [sys.executable, "-m", "benchmarks.evidence", "--part", name, "--reduced"]
    path = os.pathsep.join([str(root / "src"), str(root)])
    done = subprocess.run(words, cwd=root, env={**os.environ, "PYTHONPATH": path}, check=False)
    kept = read(name, root / "build" / "evidence" / "measured")
    if kept is None:
        raise HeadscopeError(f"{name}: its short run in {root} kept nothing (exit code {done.returncode})")
    return kept.rows


def carry(name: str, kept: Kept, today: str, root: Path = ROOT, run: Runner = short_run) -> Kept:
    """What was measured as that of today's code, or an error that names what differs; today: a commit."""
    changed = [file for file, is_of in data.checksums(list(kept.data)).items() if is_of != kept.data[file]]
    if changed:
        raise HeadscopeError(f"{name}: {', '.join(changed)} has changed since; measure it again")
    with at_commit(kept.machine["commit"], root) as measured:
        if measured is None:
            raise HeadscopeError(f"{name}: git does not have {kept.machine['commit']}; measure it again")
        if not (measured / "benchmarks" / f"{name}.py").exists():
            raise HeadscopeError(f"{name}: {kept.machine['commit']} has no such part; measure it again")
        then, now = closure(f"benchmarks.{name}", measured), closure(f"benchmarks.{name}", root)
        before, after = (_compared(run(name, place)) for place in (measured, root))
    differs = sorted({row for row, _ in set(before) ^ set(after)})
    if differs or not before:
        what = "; ".join(differs) or "nothing but times is in it"
        raise HeadscopeError(f"{name}: a short run does not show that it measures the same: {what}")
    others = sum(then.get(key) != now.get(key) for key in {*then, *now})
    note = (
        f"Since then {others:,} of the {len(now):,} definitions that it leads to have changed; a short run "
        f"at that commit and one at {today} gave the same {len(before):,} values, times and memory aside."
    )
    return replace(kept, code=code_of(name, root), note=note)


def _compared(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Names and values that do not depend on how fast a machine is."""
    return [(row["name"], repr(row["value"])) for row in rows if row["unit"] not in COSTS]
