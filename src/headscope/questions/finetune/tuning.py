"""The work of finetune: prepare the examples, train, score once, and say what a reader must know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from headscope.models.task_heads import frozen_embeddings
from headscope.questions.finetune.labelled import Contents
from headscope.questions.finetune.tables import Scored, finetuned_table, training_table
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.checkpoints import Checkpoints
from headscope.tasks.course import Descent
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import FineTuning
from headscope.text.batches import Progress, pad_id

if TYPE_CHECKING:
    from headscope.questions.finetune.answer import Question

USES = {"train": "train on", "dev": "choose the weights", "test": "score"}
"""What each data set is for."""


def tune(
    question: Question, store: Checkpoints, progress: Progress | None = None
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Train the question's model, or go on from what the store has: tables and notes.

    The model ends with the weights that did best on the dev part; only then is the test part looked at.
    """
    model, task, options = question.headed.model, question.task, question.options
    examples = {
        name: ExampleBatches(model, task, corpus, question.pieces, options.batch_size)
        for name, corpus in question.data.items()
    }
    train = Examples.of(examples["train"])
    others = {name: list(batches) for name, batches in examples.items() if name != "train"}
    padding = pad_id(model.tokenizer) or 0
    training = FineTuning(
        model.module, task, train, others["dev"], question.course, Descent(options.rate), padding
    )
    with frozen_embeddings(model.module) if options.freeze_embeddings else nullcontext():
        marks = training.run(store, progress)
    scored = [
        Scored.of(name, question.data[name], model.module, task, train, prepared, progress)
        for name, prepared in others.items()
    ]
    tables = {
        "training": training_table(marks),
        "finetuned": finetuned_table(scored, task.metric, options.seed),
    }
    sizes = {"train": len(train), **{data.data: len(data.evaluation.statistics) for data in scored}}
    skipped = {name: batches.skipped for name, batches in examples.items()}
    return tables, about(question, sizes, skipped, len(marks))


def about(
    question: Question, sizes: dict[str, int], skipped: dict[str, Counter[str]], looks: int
) -> list[str]:
    """What the numbers are, for the reader of a run."""
    model = question.headed.model
    notes = [*model.notes, ", ".join(f"{size:,} examples to {USES[name]}" for name, size in sizes.items())]
    if model.sees_padding:
        notes.append("it was trained on padded texts all the same; only its scores are of unpadded ones")
    if "dev" not in question.contents:
        share = question.options.held_out
        notes.append(
            f"{share:.0%} of the different texts are held out to choose the weights; none is in both"
        )
    notes += repeated(question.contents)
    notes += [
        f"{words:,} words of the {name} part are skipped: {reason}"
        for name, reasons in skipped.items()
        for reason, words in sorted(reasons.items())
    ]
    new = question.headed.new
    if new:
        names = ", ".join(new[:3]) + (", ..." if len(new) > 3 else "")
        notes.append(f"{len(new)} weights were drawn from the seed before training: {names}")
    if question.options.freeze_embeddings:
        notes.append("word embeddings were not trained (--no-freeze-embeddings trains them)")
    notes.append(
        f"the weights are the best of {looks} evaluations on the dev part, so its score is a little too high"
        + ("; the test part was looked at once, with these weights" if "test" in sizes else "")
    )
    notes.append(
        "low and high: 95 % bootstrap interval over examples; majority: the most frequent label's score"
    )
    return notes


def repeated(contents: Mapping[str, Contents]) -> list[str]:
    """What to say of texts of the other files that are in the training file too."""
    known = contents["train"].texts
    counts = {
        name: int(np.isin(other.texts, known).sum()) for name, other in contents.items() if name != "train"
    }
    return [
        f"{count:,} texts of the {name} data are in the training data too: scores on them say little"
        for name, count in counts.items()
        if count
    ]
