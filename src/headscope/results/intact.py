"""Whether what a verb wrote is still as it wrote it: an array that lost a file would be read as zeros."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from headscope.errors import InputError, RunError, located
from headscope.results.arrays import STORE
from headscope.results.files import RESTORE
from headscope.results.provenance import checksum
from headscope.results.result import Result
from headscope.results.tables import place_of_table


def place_of_arrays(verb: str, name: str) -> str:
    """Where labelled arrays lie within a run folder."""
    return f"{STORE}/{verb}/{name}"


def checksums_of(folder: Path, result: Result) -> dict[str, str]:
    """The checksum of everything in a result that is read back, by its place within the run folder."""
    places = [place_of_arrays(result.verb, name) for name in result.arrays]
    places += [place_of_table(result.verb, name) for name in result.tables]
    return {place: checksum(folder / place) for place in places}


def check_intact(folder: Path, checksums: Mapping[str, str], place: str) -> None:
    """Refuse what was changed, truncated or lost since it was written."""
    path = folder / place
    try:
        changed = place in checksums and checksum(path) != checksums[place]
    except InputError as error:
        raise RunError(f"{error}; {RESTORE}") from error
    if changed:
        raise RunError(located(path, None, f"has changed since it was written; {RESTORE}"))
