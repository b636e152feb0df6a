"""What the command line prints: progress, tables, notes, JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table

from headscope.cli.bands import BETWEEN, bands, folded

if TYPE_CHECKING:
    import pandas as pd

    from headscope.engine.effort import Steps
    from headscope.questions.screens import Shown
    from headscope.results.result import Result
    from headscope.text.batches import Progress

# Names such as offset:-1: are no emoji.
console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, emoji=False)
SECONDS_BETWEEN_LINES = 30.0
LONGEST_CELL = 120
_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # controls, and turns of direction


@contextmanager
def announced(
    label: str, steps: Steps, quick: Steps, quiet: bool, clock: Callable[[], float] = monotonic
) -> Iterator[Progress | None]:
    """Progress, and before long work what is done and about how long it takes."""
    from headscope.engine.effort import Announcing, words_of

    def tell(text: str) -> None:
        errors.print(f"{label}: {text}", soft_wrap=True, markup=False)

    with progress_bar(label, words_of(steps), quiet) as progress:
        yield None if progress is None else Announcing(steps, quick, progress, tell, clock)


@contextmanager
def progress_bar(label: str, total: int, quiet: bool) -> Iterator[Progress | None]:
    """Told on standard error, so that output stays clean: a bar, or lines now and then in a log."""
    if quiet:
        yield None
    elif errors.is_terminal:
        with _bar(label, total) as advance:
            yield advance
    else:
        yield _lines(label, total)


@contextmanager
def _bar(label: str, total: int) -> Iterator[Progress]:
    """A bar over words that also counts segments; it vanishes at the end."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("words, {task.fields[segments]} segments"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task(label, total=total, segments=0)
        all_segments = 0

        def advance(segments: int, words: int) -> None:
            nonlocal all_segments
            all_segments += segments
            bar.update(task, advance=words, segments=all_segments)

        yield advance


def _lines(label: str, total: int) -> Progress:
    """Plain lines at most every half minute, for output that goes to a file."""
    all_words = all_segments = 0
    last = monotonic()

    def advance(segments: int, words: int) -> None:
        nonlocal all_words, all_segments, last
        all_words, all_segments = all_words + words, all_segments + segments
        if monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = monotonic()
            counts = f"{all_words:,} of {total:,} words, {all_segments:,} segments"
            errors.print(f"{label}: {counts}", soft_wrap=True)

    return advance


def print_line(text: str) -> None:
    """A line as it is, however long."""
    console.print(text, soft_wrap=True, markup=False)


def print_answer(tables: Iterable[Shown], result: Result, places: Mapping[str, str]) -> None:
    """What was found, what is shown of it, what a reader must know, where everything is, what is next."""
    print_findings(result)
    for title, table in tables:
        if table is None:
            console.print(folded(title, console.width), markup=False)
        else:
            print_table(table, title)
        console.print()
    if result.notes:
        print_notes(result)
    if result.notes and places:
        console.print()
    _print_places(places)


def print_findings(result: Result) -> None:
    """What was found, in sentences, and an empty line."""
    if result.findings:
        _print_list([finding.text for finding in result.findings], "•")
        console.print()


def print_result(result: Result, places: Mapping[str, str]) -> None:
    """A whole result as JSON: what was found, notes, all tables, and what arrays are that no run keeps."""
    tables = {name: table.to_dict("records") for name, table in result.tables.items()}
    shapes = {name: {**array.attrs, "shape": dict(array.sizes)} for name, array in result.arrays.items()}
    arrays = {} if "run" in places else {"arrays": shapes}
    findings = [finding.text for finding in result.findings]
    print_json({**places, "findings": findings, "notes": result.notes, **arrays, **tables})


def _print_places(places: Mapping[str, str]) -> None:
    """Where pictures, tables and models are."""
    for name, place in places.items():
        if name != "run":
            print_line(f"{name:<7} {place}")
            continue
        for folder in (Path(place, "plots"), Path(place, "tables")):
            if folder.is_dir():
                print_line(f"{folder.name:<7} {folder}")


def print_table(table: pd.DataFrame, title: str | None = None) -> None:
    """A table of text and rounded numbers; text is never read as markup."""
    if title is not None:
        console.print(folded(title, console.width), style="italic", markup=False)
    columns = [[str(name), *map(_cell, table.iloc[:, place])] for place, name in enumerate(table.columns)]
    for band in bands(columns, console.width) if columns else ():
        shown = Table(box=None, header_style="bold", pad_edge=False, padding=(0, BETWEEN, 0, 0))
        for number, width in band:
            justify: JustifyMethod = "right" if table.dtypes.iloc[number].kind in "if" else "left"
            shown.add_column(escape(columns[number][0]), justify=justify, overflow="fold", width=width)
        for row in zip(*(columns[number][1:] for number, _ in band), strict=True):
            shown.add_row(*map(escape, row))
        console.print(shown)


def print_notes(result: Result) -> None:
    """What a reader must know."""
    _print_list(result.notes, "·")


def _print_list(sentences: Iterable[str], mark: str) -> None:
    grid = Table.grid(padding=(0, 1))
    for sentence in sentences:
        grid.add_row(mark, escape(folded(_spelled(sentence), console.width - len(mark) - 1)))
    console.print(grid)


def print_json(content: Any) -> None:
    """JSON on standard output, NaN as null."""
    from headscope.results.plain import plain

    json.dump(plain(_without_nan(content)), sys.stdout, indent=2, ensure_ascii=False)
    print()


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and value != value else value


def _cell(value: Any) -> str:
    """A value as it is printed; letters that steer a terminal are spelled out, and a huge word is cut."""
    if isinstance(value, float):
        is_count = value.is_integer() and abs(value) >= 1000
        return "" if value != value else f"{value:,.0f}" if is_count else f"{value:.3g}"
    text = str(value)
    return _spelled(text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…")


def _spelled(text: str) -> str:
    """A text without letters that steer a terminal: they are spelled out."""
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
