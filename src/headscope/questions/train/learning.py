"""The work of train: for each seed, prepare the examples, train, score once; then tables and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from headscope.models import Model, Sides
from headscope.models.task_heads import frozen_embeddings
from headscope.questions.finetune.offers import Scored, finetuned_table, repeated, training_table
from headscope.questions.train.keeping import Keeper
from headscope.questions.train.tables import checkpoints_table, seeds_table
from headscope.questions.train.written import (
    WORDS,
    Written,
    bleu_table,
    score_written,
    translations_table,
)
from headscope.results.folder import RunFolder
from headscope.tasks.apart import Apart
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.checkpoints import Memory
from headscope.tasks.choice import task_for
from headscope.tasks.course import Course, Descent
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import FineTuning
from headscope.tasks.metrics import BLEU, Metric
from headscope.tasks.predictions import IGNORED
from headscope.tasks.task import Task
from headscope.tasks.translation import Translation
from headscope.text.batches import Progress, pad_id

if TYPE_CHECKING:
    from headscope.questions.train.answer import Question


class Learned(NamedTuple):
    """What one model leaves: the course of its training, its scores, what it wrote of each data set where it
    writes, sizes of the data, and what was left out of them.
    """

    course: pd.DataFrame
    scores: pd.DataFrame
    written: Mapping[str, Sequence[Written]]
    sizes: dict[str, int]
    skipped: Mapping[str, Counter[str]]


def learn(
    question: Question, store: RunFolder | None, progress: Progress | None
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Train a model for each seed, or go on from what the store has: tables and notes."""
    learned, rows = {}, []
    for seed in question.seeds:
        keeper = Keeper(store, question.blueprint.build(seed), seed, question.options.every)
        keeper.begin()
        learned[seed] = _learn_one(question, keeper, store, progress)
        keeper.finish(int(learned[seed].course["epoch"].max()))
        question.models[seed] = keeper.model
        rows += keeper.rows
    tables = _tables(learned)
    last = learned[question.seeds[-1]]
    notes = _about(question, last.sizes, last.skipped)
    if rows:
        tables["checkpoints"] = checkpoints_table(rows, tables["training"])
    elif question.options.every is not None:
        notes.append("without a run folder (out=) no checkpoint is kept")
    return tables, notes


def _tables(learned: Mapping[int, Learned]) -> dict[str, pd.DataFrame]:
    """Tables of all seeds, those of translations where there are some."""
    trained = _by_seed({seed: each.scores for seed, each in learned.items()})
    training = _by_seed({seed: each.course for seed, each in learned.items()})
    tables = {"trained": trained, "seeds": seeds_table(trained), "training": training}
    written = {seed: each.written for seed, each in learned.items() if each.written}
    if written:
        tables["bleu"] = _by_seed({seed: bleu_table(made) for seed, made in written.items()})
        # Of the data that were scored last: the test data, if there are some.
        last = {seed: [*made.items()][-1] for seed, made in written.items()}
        tables["translations"] = _by_seed({seed: translations_table(*made) for seed, made in last.items()})
    return tables


def _learn_one(
    question: Question, keeper: Keeper, store: RunFolder | None, progress: Progress | None
) -> Learned:
    """Train one model with all that it needs, and score it once."""
    options, model, seed = question.options, keeper.model, keeper.seed
    task = task_for(model, question.blueprint.kind)
    batches = {
        name: ExampleBatches(model, task, corpus, options.chosen("pieces"), options.batch_size)
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
    scored, written, metric = _score(question, model, task, train, others, progress)
    sizes = {"train": len(train), **{data.data: len(data.evaluation.statistics) for data in scored}}
    left_out = {name: prepared.skipped for name, prepared in batches.items()}
    scores = finetuned_table(scored, metric, options.seed)
    return Learned(training_table(marks), scores, written, sizes, left_out)


def _score(
    question: Question,
    model: Model,
    task: Task,
    train: Examples,
    others: Mapping[str, Sequence[Sides]],
    progress: Progress | None,
) -> tuple[list[Scored], dict[str, list[Written]], Metric]:
    """The scores of every other data set, and what was written of it; its translations decide by BLEU."""
    data = question.data
    if not isinstance(task, Translation):
        scored = [
            Scored.of(name, data[name], model.module, task, train, prepared, progress)
            for name, prepared in others.items()
        ]
        return scored, {}, task.metric
    writing = replace(task, metric=BLEU)
    both = {
        name: score_written(name, data[name], model.module, writing, prepared, progress)
        for name, prepared in others.items()
    }
    return [scored for scored, _ in both.values()], {name: made for name, (_, made) in both.items()}, BLEU


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


def _by_seed(tables: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """Tables of models as one, with the seed of each row."""
    for seed, table in tables.items():
        table.insert(0, "seed", seed)
    return pd.concat(tables.values(), ignore_index=True)


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
    if question.options.net == "translator" and question.options.smoothing:
        notes.append("training losses are of smoothed answers; dev losses are not")
    if question.options.apart:
        notes.append("training losses hold the penalty on features that look alike; dev losses do not")
    if question.blueprint.kind == "translation":
        notes.append(
            "translations are written greedily, and dev scores are shares of pieces that are foreseen; BLEU "
            f"is of 1 to 4 words, tokenisation {WORDS}; a word that is not known matches none"
        )
    notes.append(
        "the weights are of the epoch that did best on the dev data, so that score is a little too high; "
        "low and high: 95 % bootstrap interval over examples"
    )
    return notes
