"""What every verb does around its computation: say what was asked, keep a run folder, draw."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headscope import plots
from headscope.results.folder import RunFolder
from headscope.results.provenance import command_line, computing, now, provenance, version, written
from headscope.results.record import NAME as RECORD
from headscope.results.result import Result

if TYPE_CHECKING:
    from headscope.models import Model
    from headscope.text import Corpus


@dataclass
class Asked:
    """What a run was asked to do: the identity decides whether a stopped run may go on."""

    verb: str
    identity: dict[str, Any]
    started: datetime = field(default_factory=now)
    machine: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, verb: str, model: Model, corpus: Corpus, options: dict[str, Any]) -> Asked:
        """The question of a verb over a model and a corpus."""
        # A verb without a model, such as compare, does not wait for these.
        import torch

        from headscope.models.fingerprint import fingerprint, settings_fingerprint, tokenizer_fingerprint

        identity = {
            "model": {
                "name": model.name,
                "origin": model.origin,
                "revision": model.revision,
                "class": type(model.module).__name__,
                "weights": fingerprint(model.module),
                "settings": settings_fingerprint(model.module),
                "tokenizer": tokenizer_fingerprint(model.tokenizer),
                "dtype": str(model.module.dtype).removeprefix("torch."),
                "device": model.asked_device,
            },
            "data": {"name": corpus.name, "source": corpus.source, "checksum": corpus.checksum},
            "options": options,
            "headscope": version(),
        }
        return cls(verb, identity, machine={"threads": torch.get_num_threads()})

    def begun(self) -> dict[str, Any]:
        """With what a stopped run needs to go on: versions, and what was typed."""
        return {"identity": self.identity, "computing": computing(), **command_line()}

    def finished(self) -> dict[str, Any]:
        """With provenance: versions, machine, times."""
        told = provenance(self.started, now())
        return {"identity": self.identity, "provenance": {**told, **self.machine}}


def into_folder(path: Path, asked: Asked, compute: Callable[[RunFolder], Result], draw: bool) -> Result:
    """Compute into a run folder: a finished one is read, a stopped one goes on."""
    written.set(path)
    with (
        _withdrawn_without_work(path),
        RunFolder.claim(path, asked.verb, asked.begun()) as folder,
    ):
        if folder.finished(asked.verb):
            return folder.read_result(asked.verb)
        result = compute(folder)
        folder.write_result(result, pictures(result) if draw else None)
        return result


@contextmanager
def _withdrawn_without_work(path: Path) -> Iterator[None]:
    """Remove a folder that was new and in which an error or an interruption left no work."""
    is_new = not (path / RECORD).exists()
    try:
        yield
    except BaseException:
        if is_new and path.is_dir() and {part.name for part in path.rglob("*") if part.is_file()} <= {RECORD}:
            _remove(path)
        raise


def _remove(path: Path) -> None:
    """Remove a run folder, its record last: without it, what is left would be taken for foreign."""
    for part in path.iterdir():
        if part.is_dir():
            shutil.rmtree(part)
    (path / RECORD).unlink(missing_ok=True)
    path.rmdir()


def pictures(result: Result) -> dict[str, Callable[[Path], None]]:
    """File name to writer, for every picture that a result allows, in every format."""
    figures = {name: plots.draw(name, result) for name in plots.available(result)}
    return {
        f"{name}.{form}": plots.writer(figure, form)
        for name, figure in figures.items()
        for form in plots.FORMATS
    }
