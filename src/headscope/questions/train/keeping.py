"""What a run of train keeps: a folder for each seed's model, and for each of its checkpoints."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from headscope.models import Model
from headscope.models.task_heads import save_model
from headscope.results.files import replace_folder
from headscope.results.folder import RunFolder
from headscope.tasks.journey import Mark

MODEL, CHECKPOINTS = "models", "checkpoints"
"""The folders inside the run folder."""


def folder_of(run: Path, seed: int) -> Path:
    """Where the model of a seed lies."""
    return run / MODEL / f"seed-{seed}"


@dataclass
class Keeper:
    """Writes a model's checkpoints while it is trained; `kept` is what training tells of every point.

    run: without a run folder nothing is kept. every: epochs from one checkpoint to the next, None for none.
    rows: of the table of checkpoints.
    """

    run: RunFolder | None
    model: Model
    seed: int
    every: int | None
    rows: list[tuple[int, int, str]] = field(default_factory=list)

    def begin(self) -> None:
        """Keep the untrained model; it is the same whenever training is taken up again."""
        if self.every is not None:
            self._write(0)

    def kept(self, name: str, mark: Mark, weights: Any) -> None:
        """Keep the weights of a point, which the model has now."""
        if self.every is not None and round(mark.epoch) % self.every == 0:
            self._write(round(mark.epoch))

    def finish(self, epochs: int) -> None:
        """Write the model with its best weights, and name the checkpoints of so many epochs."""
        if self.run is not None:
            replace_folder(folder_of(self.run.path, self.seed), partial(save_model, self.model))
            if self.every is not None:
                kept = range(0, epochs + 1, self.every)
                self.rows += [(self.seed, epoch, self._place(epoch)) for epoch in kept]

    def _write(self, epoch: int) -> None:
        if self.run is not None:
            replace_folder(self.run.path / self._place(epoch), partial(save_model, self.model))

    def _place(self, epoch: int) -> str:
        return f"{CHECKPOINTS}/seed-{self.seed}/epoch-{epoch}"
