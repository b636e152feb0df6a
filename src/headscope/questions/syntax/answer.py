"""syntax: which heads know which grammatical relations, beside fixed offsets and random twins."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import xarray as xr

from headscope.analyses.labels import counted, plain
from headscope.engine.planning import longest_segment, reading_setting, sentences_together
from headscope.engine.running import run
from headscope.engine.twins import run_twins
from headscope.engine.work import Done, Plan
from headscope.errors import InputError
from headscope.models import Model, load
from headscope.questions.asking import AboutCorpus
from headscope.questions.syntax.analysis import Syntax
from headscope.questions.syntax.examples import examples
from headscope.questions.syntax.known import known_table
from headscope.questions.syntax.options import Options
from headscope.questions.syntax.published import about_published, beside_published
from headscope.questions.syntax.relations import (
    ALL,
    attachment_table,
    head_relations_table,
    readings_table,
    relations_table,
    scores,
    summary_table,
    with_all,
)
from headscope.questions.treebank import Source, count_relations
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.results.vocabulary import DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT, HEAD_TO_DEPENDENT
from headscope.text import Sentences
from headscope.text.batches import Progress

PIECES, BATCH = 256, 128
ROLES = "known_relations"


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, a treebank, and how to run."""

    options: Options
    source: Source
    plan: Plan
    notes: list[str]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        source = Source.of(options)
        model = load(options.model, **options.loading())
        plan, notes = make_plan(model, options, source.relations)
        steps = source.steps(1 + options.twins)
        return cls(options, model, source.corpus, steps, source, plan, notes)

    def decisions(self) -> dict[str, Any]:
        """The length of sentences, and how many run together."""
        return {"pieces": self.plan.pieces, "batch_size": self.plan.batch_size}


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every head of a model, scored on every relation of a treebank."""
    options, plan = question.options, question.plan
    with question.source.kept("syntax/text", store, progress) as trees:
        if question.source.relations is None:
            plan = replace(plan, analyses=[relations_scored(count_relations(trees), options)])
        done = run(plan, trees, "syntax", store, progress)
        dataset = with_all(*plan.arrays(done))
        twins = [with_all(*twin) for twin in run_twins(plan, options.twins, trees, "syntax", store, progress)]
        relations = relations_table(dataset, twins, options.least, options.seed)
        arrays = {"relations": scores(dataset), "relation_examples": examples(plan, trees, relations)}
    tables = {
        "relations": relations,
        "readings": readings_table(dataset, twins, options.least, options.seed),
        "attachment": attachment_table(dataset, options.seed),
        "head_relations": head_relations_table(dataset),
        "published": beside_published(relations, options.possessive),
        ROLES: known_table(relations),
        "relations_summary": summary_table(relations),
    }
    notes = [*question.notes, *about(dataset, done, options, relations)]
    return Result("syntax", arrays, tables, notes=notes, roles=ROLES)


def make_plan(model: Model, options: Options, relations: Counter[str] | None) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it; relations: None before a text is parsed."""
    setting, notes = reading_setting(model, options)
    pieces = longest_segment(model, options.pieces, PIECES)
    batch_size = sentences_together(model, options.batch_size, BATCH, pieces)
    analyses = [] if relations is None else [relations_scored(relations, options)]
    cutter, characters = Sentences(options.spaced), options.shard_characters
    return Plan(setting, analyses, pieces, batch_size, cutter, characters=characters), notes


def relations_scored(relations: Counter[str], options: Options) -> Syntax:
    """The analysis of those relations that are to be scored; refused where there are none."""
    labels = [label for label in relations if counted(label, options.punctuation)]
    scored = {label: label if options.subtypes else plain(label) for label in labels}
    if not scored:
        raise InputError("the treebank has no relation to score: all its words are roots or punctuation")
    if ALL in scored.values():
        raise InputError(f"a relation of the treebank is called '{ALL}', as their sum is here; rename it")
    return Syntax(scored, options.reach, options.possessive)


def about(dataset: xr.Dataset, done: Done, options: Options, relations: pd.DataFrame) -> list[str]:
    """What the numbers are, for the reader of a run."""
    scored = int(dataset["pairs"].sel(relation=ALL, bearer="dependent"))
    left_out = "roots" if options.punctuation else "roots and punctuation"
    notes = [
        f"{done.segments:,} sentences of {dataset.attrs['documents']:,} documents; {scored:,} of "
        f"{done.words:,} words are scored: {left_out} are left out"
    ]
    notes += [f"{words:,} words are skipped: {reason}" for reason, words in sorted(done.skipped.items())]
    notes += [
        f"{DEPENDENT_TO_HEAD}: the dependent attends most to its head; {HEAD_FROM_DEPENDENT}: of all words, "
        f"the head attends most to the dependent; {HEAD_TO_DEPENDENT}: the head word attends most to one of "
        "its dependents",
        "accuracy is that of head and reading chosen on the other half of the documents, offset_accuracy "
        "that of the best offset on the same words, kept inside the sentence; same_data that of head and "
        "offset chosen and scored on the same words, as the papers print it; intervals over documents",
        "p: is the head right more often than every offset? by blocks of documents, Holm over relations; "
        "found: p_holm below 0.05, and no random twin as good",
    ]
    notes.append(about_published(relations, options.possessive))
    if not len(relations):
        notes.append(f"no relation has {options.least:,} words; --least takes less")
    if relations["accuracy"].isna().any():
        notes.append(
            "accuracy is missing where one half of the documents lacks the relation, so that nothing could "
            "be chosen there; give more documents (# newdoc parts those of a treebank, a blank line those of "
            "a text)"
        )
    if (relations["coverage"] < 1).any():
        notes.append("coverage is the share of pairs that the model can see: the attending word comes later")
    if options.possessive:
        notes.append("possessors are asked through the 's behind them")
    return notes
