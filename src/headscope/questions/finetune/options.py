"""What finetune can be asked with."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Literal

from headscope.questions.groups import KeepsRun, OfColumns, OfData, OfModel
from headscope.questions.marks import COMPUTING, Argument, At, Between, Group


@dataclass(frozen=True, kw_only=True)
class Options(OfModel, OfColumns, OfData, KeepsRun):
    """Train a model for a task of your own.

    Puts a new head on the model and trains both on labelled texts, pairs of texts, or words with tags. The
    best weights are chosen on other data, and the model is saved in the folder `model` of the run,
    as transformers loads it. `headscope ablate RUN/model DATA` then asks which heads the task needs.

    Example: headscope finetune default train.tsv --dev dev.tsv --test test.tsv
    """

    data: Annotated[Any, Argument(1, "DATA")]
    """Labelled data to train on: a table (.csv, .tsv), JSON lines, a data set, or words with a tag each
    (.iob, .bio, .tags, or any file with `--task tagging`); each also .gz, .xz or .bz2."""

    dev: Any = None
    """Data to choose the best weights on. Default: a part of DATA, held out."""

    held_out: Annotated[float, Between(0, 1)] = 0.1
    """The part that is held out without --dev."""

    test: Any = None
    """Data to score once, at the end."""

    task: Literal["classification", "pairs", "tagging"] | None = None
    """Default: tagging for words with tags, pairs where there is a second text, else classification."""

    epochs: Annotated[int, At(1)] = 3
    """How often to go through the data."""

    rate: Annotated[float, Between(0, inf)] = 1e-4
    """Highest learning rate."""

    freeze_embeddings: bool = True
    """Leave the word embeddings as they are, which is faster."""

    evaluations: Annotated[int, At(1)] = 4
    """Look at the dev data so often in an epoch."""

    patience: Annotated[int | None, At(1)] = None
    """Stop after so many evaluations without a better one."""

    pieces: Annotated[int | None, At(1), Group(COMPUTING)] = None
    """Longest text in pieces. Default: 128, or what fits."""

    batch_size: Annotated[int, At(1), Group(COMPUTING)] = 32
    """Examples in a step."""
