"""All runs of a question, and the tables that are made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from headscope.questions.adversary.comparing import MEASURES
from headscope.questions.adversary.giving import OWN, controls_of
from headscope.questions.adversary.recipients import recipients_of
from headscope.questions.adversary.runs import BASE, SAME, SEED, Run, adversaries, beside, frozen
from headscope.questions.adversary.study import Study
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text.batches import Progress

if TYPE_CHECKING:
    from headscope.questions.adversary.answer import Question


def learned(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Train everything, or go on from what the store has: tables and notes."""
    study, options = Study(question, store, progress), question.options
    own = [*adversaries(options), *beside(options, controls_of(study.sites))]
    rows = [_row(run, study.row(run)) for run in own]
    rows += [
        {"kind": SEED, "attention": name, **study.beside_base(model)}
        for name, model in question.against.items()
    ]
    rows.insert(0, {"kind": BASE, "attention": OWN, **study.beside_base(question.model)})
    given = [_given(run, study.row(run)) for run in frozen(options, recipients_of(question.model))]
    tables = {"runs": pd.DataFrame(rows), "given": pd.DataFrame(given)}
    return Result("adversary", {}, tables, notes=[*question.model.notes, *study.notes])


def _row(run: Run, told: dict[str, float] | None) -> dict[str, Any]:
    return {
        "kind": run.kind,
        "attention": run.attention,
        "penalty": run.penalty,
        "seed": run.seed,
        "diverged": told is None,
        **(dict.fromkeys(MEASURES) if told is None else told),
    }


def _given(run: Run, told: dict[str, float] | None) -> dict[str, Any]:
    penalty = None if run.source is None else run.source.penalty
    return {"net": run.net, "maps": run.attention, "penalty": penalty, **_row(run, told)}
