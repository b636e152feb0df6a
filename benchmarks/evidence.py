"""Measure what headscope promises, part by part: `python -m benchmarks.evidence`.

What a part measures is kept in docs/evidence/measured and not measured again while the code that it rests on
and its data are unchanged; docs/evidence.md is written from what is kept. The exit code is 1 where a limit
is not kept or a part breaks off.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from os import times
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks import data
from benchmarks.carried import carry
from benchmarks.closure import ROOT
from benchmarks.kept import Kept, code_of, read, reread, state, write
from benchmarks.page import Section, page
from benchmarks.parts import PARTS, Part, load
from benchmarks.rows import show
from headscope.errors import HeadscopeError
from headscope.results.files import write_text


class Places(NamedTuple):
    """The page, and the folder of what is kept."""

    page: Path
    kept: Path


COMPLETE = Places(ROOT / "docs" / "evidence.md", ROOT / "docs" / "evidence" / "measured")
REDUCED = Places(ROOT / "build" / "evidence.md", ROOT / "build" / "evidence" / "measured")


def measure(part: Part, reduced: bool) -> Kept:
    """Run a part, and say all that is known of the run."""
    from benchmarks import machine  # imports torch, which a list of parts does not need

    code, sums, facts = code_of(part.name), data.checksums(part.data), machine.facts()
    started, computed = perf_counter(), sum(times()[:4])
    rows = show(part.title, part.run(**part.reduced) if reduced else part.run())
    minutes = (perf_counter() - started) / 60
    print(f"  {minutes:.1f} minutes, {(sum(times()[:4]) - computed) / 60:.1f} of them computing", flush=True)
    return Kept(part.title, part.says, not reduced, minutes, facts, code, sums, rows)


def run(parts: Sequence[Part], places: Places, reduced: bool = False, again: bool = False) -> list[str]:
    """Measure the parts that are not fresh, one by one, and keep each at once; returns what went wrong."""
    wrong = []
    for part in parts:
        missing = data.missing(part.data)
        if missing:
            print(f"\n{part.title}: not measured, {', '.join(missing)} not found; set HEADSCOPE_DATA")
        elif not again and state(part.name, read(part.name, places.kept)).word == "fresh":
            print(f"\n{part.title}: fresh, not measured again; --again does")
        else:
            try:
                write(part.name, places.kept, measure(part, reduced))
            except Exception:
                traceback.print_exc()
                wrong.append(f"{part.title} broke off")
    return wrong


def read_again(names: Sequence[str], places: Places) -> None:
    """Take the checksums of code anew, where it does what it did."""
    for name in names:
        kept = read(name, places.kept)
        if kept is not None and kept.code is not None:
            write(name, places.kept, reread(name, kept))


def carry_over(names: Sequence[str], places: Places) -> list[str]:
    """Take what was measured as of today's code where short runs give the same; returns what does not."""
    from benchmarks.machine import CHANGED, commit

    if CHANGED in commit():
        raise SystemExit("evidence is carried over to a commit; commit what has changed")
    wrong = []
    for name in names:
        kept = read(name, places.kept)
        if kept is not None and state(name, kept).word == "stale":
            try:
                write(name, places.kept, carry(name, kept, commit()))
            except Exception as error:
                print(error if isinstance(error, HeadscopeError) else traceback.format_exc())
                wrong.append(f"{kept.title} is not carried over")
    return wrong


def sections(names: Sequence[str], places: Places) -> list[Section]:
    """What parts have kept, with their states."""
    found = [(name, read(name, places.kept)) for name in names]
    return [Section(name, kept, state(name, kept)) for name, kept in found]


def list_parts(sections: Sequence[Section]) -> None:
    """Print the state of each part, and when it was measured."""
    for name, kept, (word, why) in sections:
        when = "" if kept is None else f"measured {kept.machine['date']} at {kept.machine['commit']}"
        when += ", carried over" if kept is not None and kept.note else ""
        print(f"{name:12} {word:10} {'; '.join(filter(None, [when, why]))}".rstrip())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, write the page, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--part", action="append", choices=PARTS, metavar="PART", help="this one alone; may be repeated"
    )
    parser.add_argument("--again", action="store_true", help="also what is fresh")
    parser.add_argument(
        "--reduced", action="store_true", help="a short run of everything asked for, into build/"
    )
    parser.add_argument(
        "--parts", action="store_true", help="list the parts with their states; measure nothing"
    )
    parser.add_argument(
        "--reread",
        action="store_true",
        help="after a change of closure.py: compare with the commits that were measured; measure nothing",
    )
    parser.add_argument(
        "--carry",
        action="store_true",
        help="keep what stale parts have measured where a short run, at that commit and now, gives the same",
    )
    parser.add_argument(
        "--page", action="store_true", help="write the page from what is kept; measure nothing"
    )
    chosen = parser.parse_args(arguments)
    places = REDUCED if chosen.reduced else COMPLETE
    if chosen.parts:
        list_parts(sections(PARTS, places))
        return 0
    asked = [name for name in PARTS if name in (chosen.part or PARTS)]
    again = chosen.again or chosen.reduced
    if chosen.reread:
        read_again(asked, places)
    only_written = chosen.page or chosen.reread or chosen.carry
    wrong = carry_over(asked, places) if chosen.carry else []
    wrong += [] if only_written else run([load(name) for name in asked], places, chosen.reduced, again)
    kept = sections(asked if chosen.reduced else PARTS, places)
    write_text(places.page, page(kept, chosen.reduced))
    wrong += [name for section in kept if section.kept for name in section.kept.failed]
    print(f"\n{places.page} written; " + (f"not kept: {'; '.join(wrong)}" if wrong else "all limits kept"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
