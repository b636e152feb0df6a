"""What docs/cluster.md tells of costs: how a survey's time grows, and what a large text would take.

`python -m docs.sized` measures (some minutes of one core, `benchmarks/sizing.py`) and keeps the rows in
docs/evidence/sized.json; `python -m docs.writing` writes the tables of the page from them.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from benchmarks import kept, machine
from benchmarks.kept import Kept
from docs.blocks import filled, table_of

EVIDENCE = Path(__file__).parent / "evidence"
PAGE = Path(__file__).with_name("cluster.md")
NAME = "sized"
COLUMNS = {
    "forward pass": "forward pass alone",
    "survey `--no-distances`": "survey without distances",
    "survey": "survey",
}
TOKENS = ", 1,000 tokens"
PIECES, SEGMENT = 6_000_000_000, 128
"""Word pieces that we assume of the English Wikipedia, and those of a segment."""
CORES = 64


def with_sizes(page: str) -> str:
    """The text of docs/cluster.md with both of its tables."""
    sizes = kept.read(NAME, EVIDENCE)
    assert sizes is not None, "docs/evidence/sized.json is committed"
    day, commit = sizes.machine["date"].split()[0], sizes.machine["commit"]
    when = f"Measured {day} at {commit} ({sizes.machine['processor']}). {sizes.note}".strip()
    page = filled(page, "sizes", f"{table_of(costs(sizes))}\n\n{when}", PAGE.name)
    return filled(page, "wikipedia", table_of(of_wikipedia(sizes)), PAGE.name)


def costs(sizes: Kept) -> list[list[str]]:
    """A line for each model and length: seconds for 1,000 pieces of each work."""
    seconds = _seconds(sizes)
    names = dict.fromkeys(name for name, _ in seconds)
    body = [[name, *(f"{seconds[name, work]:.2f}" for work in COLUMNS.values())] for name in names]
    return [["model and length of segments", *COLUMNS], *body]


def of_wikipedia(sizes: Kept) -> list[list[str]]:
    """What BERT-base would take for the whole of it, from its seconds for 1,000 pieces."""
    seconds = _seconds(sizes)
    name = next(name for name, _ in seconds if name.startswith("BERT-base") and name.endswith(f" {SEGMENT}"))
    lines = [["", f"core time, from the constants above; on {CORES} cores"]]
    for column, work in list(COLUMNS.items())[1:]:
        one = seconds[name, work]
        hours = PIECES / 1000 * one / 3600
        words = f"{PIECES // 1000:,} x {one:.2f} s = {hours:,.0f} core hours; {hours / CORES:.0f} hours"
        lines.append([column, words])
    return lines


def _seconds(sizes: Kept) -> dict[tuple[str, str], float]:
    found = {}
    for row in sizes.rows:
        if row["name"].endswith(TOKENS):
            name, _, work = row["name"].removesuffix(TOKENS).rpartition(": ")
            found[name, work] = float(row["value"])
    return found


def measure() -> None:
    """Measure, and keep."""
    from benchmarks import sizing  # torch is not needed to write pages

    known, began = machine.facts(), perf_counter()
    rows = sizing.run()
    says = "Seconds of one core for 1,000 pieces, random weights, text of full segments, batches of 16."
    minutes = (perf_counter() - began) / 60
    code = kept.code_of("sizing")
    kept.write(NAME, EVIDENCE, Kept("Sizes", says, True, minutes, known, code, {}, rows))


if __name__ == "__main__":
    measure()
