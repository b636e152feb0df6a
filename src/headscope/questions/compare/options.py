"""What compare can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from headscope.questions.groups import KeepsRun, OfSeed
from headscope.questions.marks import Argument


@dataclass(frozen=True, kw_only=True)
class Options(OfSeed, KeepsRun):
    """What changed between models or checkpoints, head by head, with intervals.

    Each run is compared with the first; give checkpoints in their order to get curves. A survey with
    --checkpoints is a series by itself. Runs over the same text are paired by blocks of documents.

    Example: headscope compare runs/base runs/finetuned --measure entropy
    """

    runs: Annotated[tuple[Path, ...], Argument(0, "RUN RUN ...")]
    """Folders of finished surveys, or one with --checkpoints."""

    measure: tuple[str, ...] = ()
    """A measure to compare; may be given several times. Default: the main ones."""
