"""Cutters and a crew that do on a worker what a test wants to happen there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headscope.engine.crew import Crew
from headscope.errors import InputError
from headscope.text import Document, Segment, Skipped, Spans


@dataclass(frozen=True)
class Troubled:
    """Cuts as usual, but the document `trouble` fails, dies, or waits until a file is there."""

    kind: str
    until: Path | None = None

    def __call__(self, document: Document, tokenizer: Any, pieces: int) -> Iterator[Segment | Skipped]:
        if document.id == "trouble":
            if self.kind == "mistake":
                raise InputError("a.txt:7: a cut line")
            if self.kind == "disk":
                raise OSError(5, "the disk of that machine is broken")
            if self.kind == "death":
                os.kill(os.getpid(), signal.SIGKILL)
            while self.until is not None and not self.until.exists():
                time.sleep(0.01)
        return Spans(pair=False)(document, tokenizer, pieces)


class Fatal(Crew):
    """A crew whose worker dies when it is to forget it."""

    def teardown(self, worker: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)
