"""explain: importances of every way beside each other, their agreement and their cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from headscope.analyses.analysis import Analysis, Setting
from headscope.engine.effort import Step
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.explainers import Explainer
from headscope.explainers.choosing import chosen
from headscope.models import load
from headscope.models.unembedding import Unembedding
from headscope.questions.asking import AboutCorpus
from headscope.questions.explain.analysis import Explanations
from headscope.questions.explain.by_sentence import SUMMED, sentences_table, splitting_for
from headscope.questions.explain.examples import Asking, Beginnings
from headscope.questions.explain.heads import Made, MadeBy, heads_array, made_by_table, parts_table
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
from headscope.results.explanations import EXPLANATIONS
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text.batches import Progress
from headscope.text.sentences import TOLD, Splitting

SHOWN = 50
"""Texts whose pieces a report colours; tables have all."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model with a head for a task, texts, and the ways to explain."""

    options: Options
    kind: str
    explainers: list[Explainer]
    notes: list[str]
    splitting: Splitting | None

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
        sizes = [len(document.words) for document in corpus]
        steps = [Step(f"{len(sizes):,} texts by {len(explainers)} explanations", sum(sizes))]
        splitting = splitting_for(model, corpus) if options.by_sentence else None
        return cls(options, model, corpus, steps, kind, explainers, [*notes, *left_out], splitting)

    def decisions(self) -> dict[str, Any]:
        """The task, the explainers, and what parts sentences."""
        parted = {} if self.splitting is None else {"sentences": self.splitting}
        return {"task": self.kind, "by": [explainer.name for explainer in self.explainers], **parted}


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every answer to every text, explained in each way."""
    options = question.options
    texts, made = _texts(question, store, progress)
    explained = [
        each for text in texts for each in explained_in(text.explanation, options.words, text.sentences)
    ]
    tables = {
        "importance": importance_table(explained),
        "answers": answers_table(texts, options.words),
        "agreement": agreement_table(explained, options.top),
        "explainers": explainers_table(texts, question.explainers),
    }
    if options.by_sentence:
        tables["sentences"] = sentences_table(tables["importance"], texts)
    if made:
        tables |= {"made_by": made_by_table(question.model, made), "logits": parts_table(made)}
    of_texts = dict.fromkeys(note for text in texts for note in text.explanation.notes)
    notes = [*question.model.notes, *question.notes, *of_texts, *_about(question)]
    arrays = EXPLANATIONS.arrays([text.explanation for text in texts[:SHOWN]])
    if made:
        arrays["made_by"] = heads_array(question.model, made[0])
    return Result("explain", arrays, tables, notes=notes)


def _texts(
    question: Question, store: RunFolder | None, progress: Progress | None
) -> tuple[list[Text], list[Made]]:
    """Each text, explained, and who made its tokens, in the order of the corpus."""
    model, options = question.model, question.options
    names = [explainer.name for explainer in question.explainers]
    # What travels to other processes: they load the model themselves.
    travelling = replace(options, model="", data=[])
    analysis = Explanations(question.kind, travelling, names, question.splitting)
    made_by = MadeBy(question.kind, travelling)
    analyses: list[Analysis] = [analysis, *([made_by] if options.heads else [])]
    limit = Asking(model, question.kind, options).limit
    plan = Plan(
        Setting(model, seed=options.seed), analyses, limit, 1, Beginnings(question.kind),
        characters=options.shard_characters,
    )  # fmt: skip
    done = run(plan, question.corpus, "explain", store, progress)
    texts = analysis.texts(done.tallies[analysis.name])
    made = made_by.texts(done.tallies[made_by.name]) if options.heads else []
    order = {document.id: place for place, document in enumerate(question.corpus)}
    return (
        sorted(texts, key=lambda text: order[text.explanation.title]),
        sorted(made, key=lambda each: order[each.text]),
    )


def _about(question: Question) -> list[str]:
    """What the numbers are, for the reader of a run."""
    unit = "word" if question.options.words else "piece"
    heads = (
        "direct: what a head adds to the logit of a token, with what the last norm divides by held as it is; "
        "removed: what the loss of the token is more where the head hands on nothing"
    )
    if question.options.heads and not Unembedding.of(question.model).plain:
        heads += "; the model scales or caps its logits: logit and its parts are before that"
    parted = question.splitting
    return [
        *([heads] if question.options.heads else []),
        *([] if parted is None else [f"{TOLD[parted]}; {SUMMED}"]),
        f"share is a {unit}'s part of the importance of all that is not special, its sign left out; "
        "agreement compares these",
        "tau: Kendall's tau-b, mean over answers; ties of a ranking count for neither side",
    ]
