"""coref: which heads link a mention to its antecedent, beside simple rules and random twins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from headscope.engine.planning import reading_setting
from headscope.engine.running import run
from headscope.engine.shards import shards
from headscope.engine.twins import run_twins
from headscope.engine.work import Plan
from headscope.errors import InputError
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast
from headscope.questions.asking import AboutCorpus
from headscope.questions.coref.analysis import Coref, asked_of
from headscope.questions.coref.known import known_table
from headscope.questions.coref.mentions import Prepared, about
from headscope.questions.coref.options import Options
from headscope.questions.coref.tables import baselines_table, fit_heads, heads_table, types_table
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text import Document, Windows, read, with_trees
from headscope.text.batches import Progress

PIECES_OF_A_WORD = 8
"""A window may have so many pieces for each of its words before it is shortened."""

ROLES = "known_mentions"


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, a corpus with coreference, and how to run."""

    options: Options
    documents: Prepared
    plan: Plan
    notes: list[str]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        skip = options.skip_broken
        corpus = read(options.corpus, skip_broken=skip)
        if options.trees is not None:
            corpus = with_trees(corpus, read(options.trees, skip_broken=skip))
        corpus = corpus if options.limit is None else corpus.limited(options.limit)
        # A broken line at the end of a corpus is found now, not after hours of work.
        words = (1 + options.twins) * sum(len(document.words) for document in corpus)
        model = load(options.model, **options.loading())
        plan, notes = make_plan(model, options)
        documents = Prepared(corpus, options.head_finder, options.singletons)
        _check_scorable(plan, documents)
        return cls(options, model, corpus, words, documents, plan, notes)


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every head of a model, scored on finding antecedents."""
    options, plan, documents = question.options, question.plan, question.documents
    cut = shards(documents)
    done = run(plan, cut, "coref", store, progress)
    (dataset,) = plan.arrays(done)
    twins = [twin for (twin,) in run_twins(plan, options.twins, cut, "coref", store, progress)]
    if twins:
        scores = np.stack([fit_heads(twin).accuracy() for twin in twins])
        dataset["twin_accuracy"] = (("twin", "type"), scores)
    types = types_table(dataset, twins, options.seed)
    tables = {
        "coref_types": types,
        "coref_baselines": baselines_table(dataset, options.seed),
        "coref_heads": heads_table(dataset),
        ROLES: known_table(types),
    }
    notes = [*question.notes, *about(dataset, done, documents.census(), options)]
    return Result("coref", {"heads": dataset}, tables, notes=notes, roles=ROLES)


def make_plan(model: Model, options: Options) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    setting, notes = reading_setting(model, options)
    most = PIECES_OF_A_WORD * options.window + model.tokenizer.num_special_tokens_to_add(pair=False)
    pieces = min(most, model.longest or most)
    usual = min(pieces, 2 * options.window)
    needed = forecast(model, usual, options.batch_size)
    check_memory(needed, {"--batch-size": options.batch_size, "--window": options.window})
    cutter = Windows(options.window, options.first, options.spaced)
    return Plan(setting, [Coref(options.candidates)], pieces, options.batch_size, cutter), notes


def _check_scorable(plan: Plan, documents: Iterable[Document]) -> None:
    """Refuse a corpus without anything to score, before a run folder is made for it."""
    for document in documents:
        segments = list(plan.segments([document]))
        if segments and len(asked_of(segments, "words")[0].word):
            return
    raise InputError(
        "no mention has an antecedent in its window, so there is nothing to score; "
        "use longer windows, or a corpus with coreference"
    )
