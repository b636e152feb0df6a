"""What a part has measured, kept in a file, and whether that still speaks of the code and data of today."""

from __future__ import annotations

import json
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks import data
from benchmarks.closure import ROOT, checksum, closure
from benchmarks.rows import Row
from headscope.results.files import write_json

VERSIONS = ("torch", "transformers")
"""Packages whose versions decide what is measured as much as our own code."""


@dataclass(frozen=True)
class Kept:
    """The rows of one run of a part, and all that is known of that run.

    complete: or reduced. minutes: how long it took. machine: as `machine.facts` tells. code: checksum of
    what the part rests on; data: checksums of those it read. note: what else a reader should know, such as
    that it was carried over to later code.
    """

    title: str
    says: str
    complete: bool
    minutes: float | None
    machine: dict[str, str]
    code: str | None
    data: dict[str, str]
    rows: list[Row]
    note: str = ""

    @property
    def failed(self) -> list[str]:
        """Rows that do not keep their limits."""
        return [f"{self.title}: {row['name']}" for row in self.rows if not row["passed"]]


class State(NamedTuple):
    """fresh, stale or never run; why it is stale."""

    word: str
    why: str = ""


def path_of(name: str, folder: Path) -> Path:
    """The file of a part."""
    return folder / f"{name}.json"


def read(name: str, folder: Path) -> Kept | None:
    """What a part has measured, if it ever has."""
    path = path_of(name, folder)
    return Kept(**json.loads(path.read_text("utf-8"))) if path.exists() else None


def write(name: str, folder: Path, kept: Kept) -> None:
    """Keep what a part has measured, for people to read too."""
    write_json(path_of(name, folder), asdict(kept))


def code_of(name: str, root: Path = ROOT) -> str:
    """Checksum of all that a part rests on."""
    return checksum(closure(f"benchmarks.{name}", root))


def reread(name: str, kept: Kept, root: Path = ROOT) -> Kept:
    """With today's checksum, where the code of the commit that was measured does what today's does.

    For measurements whose checksum was made when `closure` read code in another way.
    """
    with at_commit(kept.machine["commit"], root) as then:
        was_there = then is not None and (then / "benchmarks" / f"{name}.py").exists()
        is_same = then is not None and was_there and code_of(name, then) == code_of(name, root)
    return replace(kept, code=code_of(name, root)) if is_same else kept


@contextmanager
def at_commit(commit: str, root: Path = ROOT) -> Iterator[Path | None]:
    """A folder with `src` and `benchmarks` as they were at a commit; nothing where git does not have it."""
    command = ["git", "archive", commit, "src", "benchmarks"]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if done.returncode:
        yield None
        return
    with TemporaryDirectory(prefix="headscope-") as folder:
        with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def state(name: str, kept: Kept | None, root: Path = ROOT) -> State:
    """Whether what was kept is what the part would measure now; data that are not here are not judged."""
    if kept is None:
        return State("never run")
    if kept.code is None:
        return State("stale", "of the code that was measured, only the commit is known")
    why = [] if kept.code == code_of(name, root) else ["the code has changed since"]
    here = data.checksums(list(kept.data))
    why += [f"{file} has changed since" for file in here if here[file] != kept.data[file]]
    why += [
        f"{package} is {version(package)} now"
        for package in VERSIONS
        if kept.machine[package] != version(package)
    ]
    return State("stale", "; ".join(why)) if why else State("fresh")
