"""explain: importances of every way beside each other, their agreement and their cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from headscope.analyses.analysis import Setting
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.explainers import Explainer
from headscope.explainers.choosing import chosen
from headscope.models import load
from headscope.questions.asking import AboutCorpus
from headscope.questions.explain.analysis import Explanations
from headscope.questions.explain.examples import Asking, Beginnings
from headscope.questions.explain.opening import check_text, check_wishes, explainable, kind_of, opened
from headscope.questions.explain.options import USUAL, Options
from headscope.questions.explain.tables import (
    Text,
    agreement_table,
    answers_table,
    explained_in,
    explainers_table,
    importance_table,
)
from headscope.results.explanations import explanation_arrays
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text.batches import Progress

SHOWN = 50
"""Texts whose pieces a report colours; tables have all."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model with a head for a task, texts, and the ways to explain."""

    options: Options
    kind: str
    explainers: list[Explainer]
    notes: list[str]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        check_text(options)
        model = load(options.model, **options.loading())
        kind = kind_of(model, options)
        check_wishes(model, kind, options)
        asking = Asking(model, kind, options)
        asking.check_answer()
        explainers, notes = chosen(model, options.by, USUAL, options.seed)
        corpus, left_out = explainable(opened(options, kind), asking)
        words = sum(len(document.words) for document in corpus)
        return cls(options, model, corpus, words, kind, explainers, [*notes, *left_out])

    def decisions(self) -> dict[str, Any]:
        """The task, and the explainers."""
        return {"task": self.kind, "by": [explainer.name for explainer in self.explainers]}


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every answer to every text, explained in each way."""
    options = question.options
    texts = _texts(question, store, progress)
    explained = [each for text in texts for each in explained_in(text.explanation, options.words)]
    tables = {
        "importance": importance_table(explained),
        "answers": answers_table(texts, options.words),
        "agreement": agreement_table(explained, options.top),
        "explainers": explainers_table(texts, question.explainers),
    }
    of_texts = dict.fromkeys(note for text in texts for note in text.explanation.notes)
    notes = [*question.model.notes, *question.notes, *of_texts, *_about(question)]
    arrays = explanation_arrays([text.explanation for text in texts[:SHOWN]])
    return Result("explain", arrays, tables, notes=notes)


def _texts(question: Question, store: RunFolder | None, progress: Progress | None) -> list[Text]:
    """Each text, explained, in the order of the corpus; shards hand them on by length."""
    model, options = question.model, question.options
    names = [explainer.name for explainer in question.explainers]
    # What travels to other processes: they load the model themselves.
    analysis = Explanations(question.kind, replace(options, model="", data=[]), names)
    limit = Asking(model, question.kind, options).limit
    plan = Plan(
        Setting(model, seed=options.seed), [analysis], limit, 1, Beginnings(question.kind),
        characters=options.shard_characters,
    )  # fmt: skip
    done = run(plan, question.corpus, "explain", store, progress)
    texts = analysis.texts(done.tallies[analysis.name])
    order = {document.id: place for place, document in enumerate(question.corpus)}
    return sorted(texts, key=lambda text: order[text.explanation.title])


def _about(question: Question) -> list[str]:
    """What the numbers are, for the reader of a run."""
    unit = "word" if question.options.words else "piece"
    return [
        f"share is a {unit}'s part of the importance of all that is not special, its sign left out; "
        "agreement compares these",
        "tau: Kendall's tau-b, mean over answers; ties of a ranking count for neither side",
    ]
