"""The work of train: for each seed, prepare the examples, train, score once; then tables and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from headscope.models import Model, Sides
from headscope.models.task_heads import frozen_embeddings
from headscope.questions.finetune.offers import Scored, finetuned_table, repeated, training_table
from headscope.questions.train.keeping import Keeper
from headscope.questions.train.tables import checkpoints_table, seeds_table
from headscope.results.folder import RunFolder
from headscope.tasks.apart import Apart
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.checkpoints import Memory
from headscope.tasks.choice import task_for
from headscope.tasks.course import Course, Descent
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import FineTuning
from headscope.tasks.predictions import IGNORED
from headscope.text.batches import Progress, pad_id

if TYPE_CHECKING:
    from headscope.questions.train.answer import Question


def learn(
    question: Question, store: RunFolder | None, progress: Progress | None
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Train a model for each seed, or go on from what the store has: tables and notes."""
    courses, scores, rows = [], [], []
    sizes: dict[str, int] = {}
    skipped: Mapping[str, Counter[str]] = {}
    for seed in question.seeds:
        keeper = Keeper(store, question.blueprint.build(seed), seed, question.options.every)
        keeper.begin()
        course, scored, sizes, skipped = _learn_one(question, keeper, store, progress)
        keeper.finish(int(course["epoch"].max()))
        question.models[seed] = keeper.model
        courses.append(_by_seed(course, seed))
        scores.append(_by_seed(scored, seed))
        rows += keeper.rows
    trained = pd.concat(scores, ignore_index=True)
    training = pd.concat(courses, ignore_index=True)
    tables = {"trained": trained, "seeds": seeds_table(trained), "training": training}
    if rows:
        tables["checkpoints"] = checkpoints_table(rows, training)
    elif question.options.every is not None:
        return tables, [
            *_about(question, sizes, skipped),
            "without a run folder (out=) no checkpoint is kept",
        ]
    return tables, _about(question, sizes, skipped)


def _learn_one(
    question: Question, keeper: Keeper, store: RunFolder | None, progress: Progress | None
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, int], Mapping[str, Counter[str]]]:
    """One model: the course of its training, its scores, sizes of the data, and what was left out."""
    options, model, seed = question.options, keeper.model, keeper.seed
    task = task_for(model, question.blueprint.kind)
    batches = {
        name: ExampleBatches(model, task, corpus, options.pieces, options.batch_size)
        for name, corpus in question.data.items()
    }
    train = Examples.of(_with_answers(batches["train"]))
    others = {name: list(prepared) for name, prepared in batches.items() if name != "train"}
    training = FineTuning(
        model.module,
        task,
        train,
        others["dev"],
        Course(options.chosen("epochs"), options.batch_size, 1, options.patience, seed),
        Descent(
            options.chosen("rate"),
            options.optimiser,
            options.chosen("schedule"),
            options.decay,
            rho=options.rho,
            eps=options.eps,
        ),
        pad_id(model.tokenizer) or 0,
        keeper.kept,
        Apart(model, options.apart) if options.apart else None,
        options.smoothing,
    )
    place = Memory() if store is None else store.part(f"train/seed-{seed}")
    with frozen_embeddings(model.module) if question.blueprint.freezes else nullcontext():
        marks = training.run(place, progress)
    final = task_for(model, "translation", "BLEU") if task.name == "translation" else task
    scored = [
        Scored.of(name, question.data[name], model.module, final, train, prepared, progress)
        for name, prepared in others.items()
    ]
    sizes = {"train": len(train), **{data.data: len(data.evaluation.statistics) for data in scored}}
    left_out = {name: prepared.skipped for name, prepared in batches.items()}
    return training_table(marks), finetuned_table(scored, final.metric, options.seed), sizes, left_out


def _with_answers(prepared: Iterable[Sides]) -> Iterator[Sides]:
    """Batches whose pieces without other answers are held to the piece that follows each."""
    for sides in prepared:
        if sides.labels is not None:
            yield sides
            continue
        ids, real = sides.inputs["input_ids"], sides.inputs["attention_mask"]
        labels = ids.roll(-1, 1).masked_fill(real.roll(-1, 1) == 0, IGNORED)
        labels[:, -1] = IGNORED
        yield replace(sides, labels=labels)


def _by_seed(table: pd.DataFrame, seed: int) -> pd.DataFrame:
    table.insert(0, "seed", seed)
    return table


def _about(question: Question, sizes: dict[str, int], skipped: Mapping[str, Counter[str]]) -> list[str]:
    """What the numbers are, for the reader of a run."""
    model: Model = next(iter(question.models.values()))
    weights = sum(weight.numel() for weight in model.module.parameters())
    vectors = model.module.get_input_embeddings().weight.numel()
    notes = [
        f"{weights - vectors:,} weights beside {vectors:,} of word vectors",
        *question.blueprint.notes(),
        ", ".join(f"{size:,} {name} examples" for name, size in sizes.items()),
    ]
    if "dev" not in question.contents:
        notes.append(f"{question.options.held_out:.0%} of the different texts are held out as dev data")
    notes += repeated(question.contents)
    notes += [
        f"{words:,} words of the {name} part are skipped: {reason}"
        for name, reasons in skipped.items()
        for reason, words in sorted(reasons.items())
    ]
    if question.options.apart:
        notes.append("training losses hold the penalty on features that look alike; dev losses do not")
    notes.append(
        "the weights are of the epoch that did best on the dev data, so that score is a little too high; "
        "low and high: 95 % bootstrap interval over examples"
    )
    return notes
