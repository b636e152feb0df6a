"""coref: which heads link a mention to its antecedent, beside simple rules and random twins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from headscope.engine.effort import passes_over
from headscope.engine.kept import kept
from headscope.engine.planning import reading_setting
from headscope.engine.running import run
from headscope.engine.twins import run_twins
from headscope.engine.work import Plan
from headscope.errors import InputError
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast, to_reduce
from headscope.questions.asking import AboutCorpus
from headscope.questions.coref.analysis import Coref, asked_of
from headscope.questions.coref.known import known_table
from headscope.questions.coref.mentions import Census, Preparing, about
from headscope.questions.coref.options import Options
from headscope.questions.coref.tables import baselines_table, fit_heads, heads_table, types_table
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text import Corpus, Document, Windows, read, with_trees
from headscope.text.batches import Progress

PIECES_OF_A_WORD = 8
"""A window may have so many pieces for each of its words before it is shortened."""

ROLES = "known_mentions"


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, a corpus with coreference, and how to run."""

    options: Options
    preparing: Preparing
    census: Census
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
        model = load(options.model, **options.loading())
        plan, notes = make_plan(model, options)
        preparing = Preparing(options.head_finder, options.singletons)
        census = _read(corpus, preparing, plan)
        steps = [passes_over(census.words, 1 + options.twins)]
        return cls(options, model, corpus, steps, preparing, census, plan, notes)


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every head of a model, scored on finding antecedents."""
    options, plan = question.options, question.plan
    made, characters = question.preparing, options.shard_characters
    with kept(question.corpus, "coref/text", store, made, characters=characters) as documents:
        done = run(plan, documents, "coref", store, progress)
        (dataset,) = plan.arrays(done)
        twins = [twin for (twin,) in run_twins(plan, options.twins, documents, "coref", store, progress)]
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
    notes = [*question.notes, *about(dataset, done, question.census, options)]
    return Result("coref", {"heads": dataset}, tables, notes=notes, roles=ROLES)


def make_plan(model: Model, options: Options) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    setting, notes = reading_setting(model, options)
    most = PIECES_OF_A_WORD * options.window + model.tokenizer.num_special_tokens_to_add(pair=False)
    pieces = min(most, model.longest or most)
    usual = min(pieces, 2 * options.window)
    needed = forecast(model, usual, options.batch_size)
    check_memory(needed, to_reduce(batch_size=options.batch_size, window=options.window))
    cutter = Windows(options.window, options.first, options.spaced)
    characters = options.shard_characters
    analysis = Coref(options.candidates)
    return Plan(setting, [analysis], pieces, options.batch_size, cutter, characters=characters), notes


def _read(corpus: Corpus, preparing: Preparing, plan: Plan) -> Census:
    """Count what is there: a broken line at the end is found now, not after hours of work.

    A corpus without anything to score is refused, before a run folder is made for it.
    """
    census, scorable = Census(), False
    for headed in preparing.headed(corpus):
        census.count(headed)
        scorable = scorable or _is_scorable(preparing.ready(headed), plan)
    if scorable:
        return census
    raise InputError(
        "no mention has an antecedent in its window, so there is nothing to score; "
        "use longer windows, or a corpus with coreference"
    )


def _is_scorable(document: Document, plan: Plan) -> bool:
    segments = list(plan.segments([document]))
    return bool(segments) and len(asked_of(segments, "words")[0].word) > 0
