"""The run folder: what a verb was asked and answered, readable without headscope."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from headscope.errors import RunError, choose_from
from headscope.results import record
from headscope.results.arrays import read_arrays, write_arrays
from headscope.results.files import TEMPORARY, explain_refusal, remove_leftovers, write_atomically
from headscope.results.intact import check_intact, checksums_of
from headscope.results.lock import LOCK, Lock
from headscope.results.plain import plain
from headscope.results.provenance import now, stamp
from headscope.results.record import Entry, Record
from headscope.results.result import Result, check_name
from headscope.results.shards import Part, owner_of
from headscope.results.tables import read_table, write_table

SHARDS = "shards"
_KINDS = {
    "model": ("of another model", "give the old model"),
    "data": ("over other data", "give the old data"),
    "computing": ("that was begun with other packages", "install those versions"),
    "headscope": ("of another version of headscope", "install that version"),
}
"""What may differ between two runs beside options, and what to do about it."""


class Plot(NamedTuple):
    """A picture's file: what the picture shows, and what writes it, such as a figure's savefig."""

    caption: str
    write: Callable[[Path], None]


class RunFolder:
    """A folder with run.json, arrays.zarr, tables/, plots/, and shards/ while a verb is unfinished.

    `RunFolder(path)` reads results; `RunFolder.claim` begins or continues a verb and holds the folder's lock
    until `release`, the end of a `with` block, or the end of the process. Shards carry the mark of the run
    that was claimed.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._lock: Lock | None = None
        self._identity: Any = None

    @classmethod
    def claim(cls, path: str | os.PathLike[str], verb: str, asked: Mapping[str, Any]) -> RunFolder:
        """Begin a verb in a folder, or continue it; asked["identity"] says what makes it the same command.

        If the same command has finished here, `finished(verb)` is true and nothing is locked.
        """
        check_name("verb", verb)
        folder = cls(path)
        _prepare(folder.path)
        if folder._has_finished(verb, asked):
            folder.tidy()
            return folder
        folder._lock = Lock.take(folder.path)
        try:
            with explain_refusal(folder.path):
                folder._clear()
                folder._begin(verb, asked)
        except BaseException:
            folder.release()
            raise
        return folder

    def release(self) -> None:
        """Let others write into the folder."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def tidy(self) -> None:
        """Clear away what a killed process left here; nothing happens while another one writes."""
        names = [path.name for path in self.path.iterdir()]
        if not any(name in (LOCK, SHARDS) or name.startswith(TEMPORARY) for name in names):
            return
        # What is held by another process, or may not be written to, can be read all the same.
        with suppress(RunError):
            lock = Lock.take(self.path)
            try:
                with explain_refusal(self.path):
                    self._clear()
            finally:
                lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def record(self) -> Record:
        """What run.json says."""
        return Record.read(self.path)

    def finished(self, verb: str) -> bool:
        """Whether the verb has its result here."""
        entry = self.record().verbs.get(verb)
        return entry is not None and entry.finished

    def part(self, name: str) -> Part:
        """A named part of what the run keeps while it is unfinished, such as `syntax` or `syntax/twin-1`."""
        names = [check_name("part", part) for part in name.split("/")]
        return Part(self.path.joinpath(SHARDS, *names), owner_of(name, self._identity))

    def write_result(self, result: Result, plots: Mapping[str, Plot] | None = None) -> None:
        """Write everything, run.json last: until then the verb is unfinished and can be continued.

        `plots` are by file name, such as heads.png.
        """
        drawn = {check_name("plot", name): plot for name, plot in (plots or {}).items()}
        written = self.record()
        entry = _claimed(self.path, written, result.verb)
        _refuse_foreign(written, result.verb, drawn)
        if result.arrays:
            write_arrays(self.path, result.verb, result.arrays)
        for name, table in result.tables.items():
            write_table(self.path, result.verb, name, table, result.declaration(name))
        for name, plot in drawn.items():
            write_atomically(self.path / "plots" / name, plot.write)
        written.verbs[result.verb] = Entry(
            asked=plain({**entry.asked, **result.asked, "identity": entry.asked["identity"]}),
            started=entry.started,
            finished=True,
            ended=stamp(now()),
            notes=list(result.notes),
            arrays=list(result.arrays),
            tables={name: result.declaration(name) for name in result.tables},
            plots=list(drawn),
            roles=result.roles,
            findings=result.findings,
            captions={Path(name).stem: plot.caption for name, plot in drawn.items()},
            checksums=checksums_of(self.path, result),
        )
        written.write(self.path)
        self.part(result.verb).drop()

    def read_result(self, verb: str) -> Result:
        """The stored result of a finished verb."""
        verbs = self.record().verbs
        if verb not in verbs:
            raise RunError(f"{self.path}: {choose_from('verb', verb, verbs)}")
        entry = verbs[verb]
        if not entry.finished:
            raise RunError(f"{self.path}: {verb} has not finished; run the same command again to continue it")
        for place in entry.checksums:
            check_intact(self.path, entry.checksums, place)
        return Result(
            verb,
            arrays={name: read_arrays(self.path, verb, name) for name in entry.arrays},
            tables={name: read_table(self.path, verb, name) for name in entry.tables},
            asked=entry.asked,
            notes=entry.notes,
            roles=entry.roles,
            declared=entry.tables,
            findings=entry.findings,
        )

    def _clear(self) -> None:
        remove_leftovers(self.path)
        if (self.path / record.NAME).exists():
            for verb, entry in self.record().verbs.items():
                if entry.finished:
                    self.part(verb).drop()

    def _has_finished(self, verb: str, asked: Mapping[str, Any]) -> bool:
        if not (self.path / record.NAME).exists():
            return False
        entry = self.record().verbs.get(verb)
        if entry is None:
            return False
        _refuse_other(self.path, verb, entry, asked)
        return entry.finished

    def _begin(self, verb: str, asked: Mapping[str, Any]) -> None:
        written = self.record() if (self.path / record.NAME).exists() else Record()
        if verb in written.verbs:
            _refuse_other(self.path, verb, written.verbs[verb], asked)
        else:
            written.verbs[verb] = Entry.begin(dict(asked))
            written.write(self.path)
        # As it was recorded: 1 and 1.0 are the same option, but are not written alike.
        self._identity = written.verbs[verb].asked["identity"]


def _prepare(path: Path) -> None:
    """Make the folder, or refuse one that is not ours."""
    if path.is_symlink() or path.exists():
        if not path.is_dir():
            raise RunError(f"{path} is a file, so no run can be written there; choose another --out")
        with explain_refusal(path):
            inside = sorted(place.name for place in path.iterdir())
        foreign = [name for name in inside if name != LOCK and not name.startswith(TEMPORARY)]
        if foreign and record.NAME not in foreign:
            raise RunError(
                f"{path} holds other files ({foreign[0]}, ...) and no {record.NAME}, so it is not a run; "
                "choose an empty or new folder with --out"
            )
    with explain_refusal(path):
        path.mkdir(parents=True, exist_ok=True)


def _refuse_other(path: Path, verb: str, entry: Entry, asked: Mapping[str, Any]) -> None:
    old, new = entry.asked, plain(asked)
    difference = record.difference(old["identity"], new["identity"])
    if difference is None and not entry.finished and "computing" in old and "computing" in new:
        difference = record.difference({"computing": old["computing"]}, {"computing": new["computing"]})
    if difference is not None:
        name, was, is_now = difference
        article = "an" if verb[0] in "aeiou" else "a"
        what, remedy = _KINDS.get(name.partition(".")[0], ("with other options", "repeat the old options"))
        raise RunError(
            f"{path} has {article} {verb} run {what}: {name} was {was}, now {is_now}; "
            f"{remedy}, or choose another folder with --out"
        )


def _claimed(path: Path, written: Record, verb: str) -> Entry:
    entry = written.verbs.get(verb)
    if entry is None:
        raise RunError(f"{path}: {verb} was not claimed here, so its result cannot be written")
    if entry.finished:
        raise RunError(f"{path}: {verb} has finished here; its result is not written twice")
    return entry


def _refuse_foreign(written: Record, verb: str, plots: Iterable[str]) -> None:
    """No verb may overwrite a plot of another."""
    for other, entry in written.verbs.items():
        shared = [name for name in plots if other != verb and name in entry.plots]
        if shared:
            raise RunError(f"{verb} would overwrite the plot {shared[0]!r} of {other}; give it another name")
