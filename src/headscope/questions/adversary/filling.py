"""All runs of a question, and the tables that are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from headscope.questions.adversary.giving import controls_of
from headscope.questions.adversary.instances import instances_table
from headscope.questions.adversary.kinds import BASE, FROZEN, MEASURES, OWN, PLAINER, SEED
from headscope.questions.adversary.recipients import recipients_of
from headscope.questions.adversary.runs import Run, adversaries, beside, frozen
from headscope.questions.adversary.study import Study
from headscope.questions.adversary.tables import collapse_table, curve_table, frozen_table, regimes_table
from headscope.questions.adversary.verdicts import verdict_table
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text.batches import Progress

if TYPE_CHECKING:
    from headscope.questions.adversary.answer import Question

_SHARED = ("kind", "attention", "penalty", "models")
_DRAWN = ("score", "variation", "jsd_matched")


def learned(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Train everything, or go on from what the store has: tables and notes."""
    study, options = Study(question, store, progress), question.options
    own = [*adversaries(options), *beside(options, controls_of(study.sites))]
    # A copy that is given maps of the model is given its own: only fresh nets tell what they carry.
    others = list(frozen(options, recipients_of(question.model))) if study.beginning.fresh else []
    study.keep([run.source for run in others if run.source is not None])
    # One seed after the other, so that what a stopped run has kept is of every kind; plain nets come last.
    for run in sorted([*own, *others], key=lambda run: (run.kind == FROZEN, run.net in PLAINER, run.seed)):
        study.row(run)
    runs = runs_table(study, own)
    made = {"runs": runs, "curve": curve_table(runs)}
    given = pd.DataFrame([_given(run, study.row(run)) for run in others])
    if len(given):
        made |= {"frozen_runs": given, "frozen": frozen_table(given)}
    made |= {"collapse": collapse_table(runs, options.seed), "regimes": regimes_table(runs, options.seed)}
    examples = sum(len(sides.segments) for sides in study.prepared["data"])
    made["verdict"] = verdict_table(made, examples, options.margin, study.beginning.fresh)
    if options.instances and not options.quick:
        how = study.prepared["data"], options.instances, options.batch_size, options.seed
        made["instances"] = instances_table(question.model, question.task, question.scope, *how)
    if question.beside:
        made["beside"] = beside_table(question.beside)
    order = (
        "verdict",
        "curve",
        "frozen",
        "collapse",
        "regimes",
        "instances",
        "beside",
        "runs",
        "frozen_runs",
    )
    tables = {name: made[name] for name in order if name in made and len(made[name])}
    return Result("adversary", {}, tables, notes=[*question.model.notes, *study.notes, *_about(study)])


def runs_table(study: Study, own: Sequence[Run]) -> pd.DataFrame:
    """The model itself, adversaries, other seeds and controls."""
    question = study.question
    rows = [_told(BASE, OWN, None, None, study.beside_base(question.model))]
    rows += [_told(run.kind, run.attention, run.penalty, run.seed, study.row(run)) for run in own]
    rows += [
        _told(SEED, name, None, None, study.beside_base(model)) for name, model in question.against.items()
    ]
    table = pd.DataFrame(rows)
    table.insert(5, "metric", question.task.metric.name)
    return table.astype({"penalty": float, "seed": float})


def _told(
    kind: str, attention: str, penalty: float | None, seed: int | None, told: dict[str, float] | None
) -> dict[str, Any]:
    row = {"kind": kind, "attention": attention, "penalty": penalty, "seed": seed, "diverged": told is None}
    return row | (dict.fromkeys(MEASURES, float("nan")) if told is None else told)


def _given(run: Run, told: dict[str, float] | None) -> dict[str, Any]:
    penalty = float("nan") if run.source is None or run.source.penalty is None else run.source.penalty
    row = {"net": run.net, "maps": run.attention, "penalty": penalty, "seed": run.seed}
    row["diverged"] = told is None
    return row | {name: float("nan") if told is None else told[name] for name in ("score", "f1", "loss")}


def beside_table(runs: dict[str, Result]) -> pd.DataFrame:
    """The curves of other runs, under their names."""
    columns = [*_SHARED, *(f"{name}{end}" for name in _DRAWN for end in ("", "_lowest", "_highest"))]
    parts = [result.table("curve")[columns].assign(run=name) for name, result in runs.items()]
    return pd.concat(parts, ignore_index=True)[["run", *columns]]


def _about(study: Study) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options = study.question.options
    sizes = {name: sum(len(sides.segments) for sides in study.prepared[name]) for name in study.prepared}
    start = (
        "every net starts from fresh weights; its word vectors are "
        + ("those of the model" if options.vectors is None else f"of {Path(options.vectors).name}")
        if study.beginning.fresh
        else "every model starts from a copy of the model"
    )
    notes = [
        f"{sizes['train']:,} examples are learned from, {sizes['dev']:,} choose the weights, "
        f"{sizes['data']:,} are scored",
        start,
        "adversaries learn what the model answers, all others the labels; "
        f"the loss is {options.distance} less the penalty times {options.divergence} of each query's weights",
    ]
    if options.quick:
        notes.append(
            f"--quick: {len(options.grid)} penalties, one model of each, {options.passes} epochs, at most "
            f"{options.texts:,} texts to learn from; no controls, nothing frozen, whatever else was asked for"
        )
    if options.with_frozen and not study.beginning.fresh:
        notes.append("no maps are given: a copy of the model would be given back its own")
    if not study.base.keeps_maps:
        notes.append("maps of the model are computed anew for each batch, as there are too many to keep")
    return notes
