"""keywords: which heads find the keywords of a text, alone, together, and as a tagger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd
import xarray as xr

from headscope.analyses.analysis import names_of_heads
from headscope.engine.effort import TRAINING, Step, passes_over
from headscope.engine.gathering import gather
from headscope.engine.kept import kept, temporary_store
from headscope.engine.planning import longest_segment, reading_setting, sentences_together
from headscope.engine.work import Plan
from headscope.errors import ModelError
from headscope.models import Model, load
from headscope.models.states import measure_states
from headscope.models.task_heads import Headed
from headscope.models.twin import random_twin
from headscope.questions.asking import AboutCorpus
from headscope.questions.keywords import tables
from headscope.questions.keywords.about import about
from headscope.questions.keywords.choosing import Best, best_head
from headscope.questions.keywords.example import example_of
from headscope.questions.keywords.extracting import Extraction, stemmer
from headscope.questions.keywords.hearing import Received, directions
from headscope.questions.keywords.known import known_table
from headscope.questions.keywords.options import Options
from headscope.questions.keywords.reading import TEST, TRAIN, Texts
from headscope.questions.keywords.scores import enough, scores_of
from headscope.questions.keywords.tagger import Tagger, with_tags
from headscope.questions.keywords.weighing import Weighing
from headscope.questions.keywords.words import Words, assemble
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text import Corpus, Spans
from headscope.text.batches import Progress
from headscope.text.parsing import Parser

PIECES, BATCH = 256, 4
ROLES = "known_keywords"


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, texts with keywords, and how to run.

    layers: whose hidden states are kept. headed: the model that becomes a tagger, where that is asked for.
    """

    options: Options
    texts: Texts
    plan: Plan
    layers: tuple[int, ...]
    notes: list[str]
    headed: Headed | None
    parser: Parser | None

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        parser = Parser(options.parser) if options.candidates == "nouns" else None
        texts = Texts.of(options)
        model = load(options.model, **options.loading())
        plan, layers, notes = make_plan(model, options)
        headed = with_tags(model, options) if options.epochs else None
        steps = [passes_over(texts.words, 1 + options.twins)]
        if options.epochs:
            told = f"a tagger, {options.epochs} epochs over {texts.words:,} words"
            steps.append(Step(told, 2 * options.epochs * texts.words, TRAINING))
        return cls(options, model, texts.corpus, steps, texts, plan, layers, notes, headed, parser)

    @property
    def corpora(self) -> Sequence[Corpus]:
        return self.texts.corpora

    @cached_property
    def stems(self) -> bool:
        """Whether phrases are compared by their stems."""
        return self.options.stem and stemmer() is not None

    def decisions(self) -> dict[str, Any]:
        """The length of segments and how many run together; what else was read, and with what."""
        return {
            "pieces": self.plan.pieces,
            "batch_size": self.plan.batch_size,
            "stem": self.stems,
            "train": None if not self.texts.others else self.texts.corpora[1].identity,
            "parser": None if self.parser is None else self.parser.name,
        }


def make_plan(model: Model, options: Options) -> tuple[Plan, tuple[int, ...], list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    setting, notes = reading_setting(model, options)
    pieces = longest_segment(model, options.pieces, PIECES)
    batch_size = sentences_together(model, options.batch_size, BATCH, pieces)
    layers: tuple[int, ...] = ()
    dim = 0
    if options.hidden:
        try:
            count, dim = measure_states(model)
            layers = tuple(sorted({count // 2, count - 1}))
        except ModelError as refusal:
            notes = [*notes, f"no regression on hidden states: {refusal}"]
    analyses = [Received(layers, dim)]
    plan = Plan(setting, analyses, pieces, batch_size, Spans(pair=False), characters=options.shard_characters)
    return plan, layers, notes


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every head scored on the keywords of all texts; without a run folder, in a temporary one."""
    if store is None:
        with temporary_store() as place:
            return answer(question, place, progress)
    options = question.options
    make = question.parser
    characters = options.shard_characters
    with kept(question.corpus, "keywords/text", store, make, characters=characters) as corpus:
        words = _heard(question, question.plan, corpus, "keywords/model", store, progress)
        twins = [_twin(question, number, corpus, store, progress) for number in range(options.twins)]
    named = tables.Named(names_of_heads(question.model, question.plan.setting.chosen()))
    made, arrays, weighing = _tables(question, words, twins, named)
    notes = [*question.notes, *about(question, words)]
    if question.headed is not None:
        tagger = Tagger(question.headed, question.plan, words.texts, words.part, options, store, progress)
        scored = tables.tagger_table(tagger.train(), question.corpus.name)
        more, told = tagger.without_heads(weighing.by_reading.max(0))
        made |= {"keyword_tagger": scored, **more}
        notes += told
    return Result("keywords", arrays, made, notes=notes, roles=ROLES)


def _heard(
    question: Question, plan: Plan, corpus: Corpus, part: str, store: RunFolder, progress: Progress | None
) -> Words:
    gathered = gather(plan, corpus, part, store, progress)
    return assemble(gathered, corpus, question.texts.part, directions(plan.setting))


def _scored(question: Question, words: Words) -> Words:
    """The words over which heads are scored: those of CORPUS."""
    return words.kept(words.within(TEST)) if question.texts.others else words


def _twin(
    question: Question, number: int, corpus: Corpus, store: RunFolder, progress: Progress | None
) -> Best:
    """The best head of a random twin, chosen and scored as that of the model."""
    model = random_twin(question.model, question.plan.setting.seed + number)
    plan = replace(question.plan.with_model(model), analyses=[Received()])
    words = _heard(question, plan, corpus, f"keywords/twin-{number}", store, progress)
    return best_head(_scored(question, words))


def _tables(
    question: Question, words: Words, twins: Sequence[Best], named: tables.Named
) -> tuple[dict[str, pd.DataFrame], dict[str, xr.Dataset], Weighing]:
    """All tables but those of the tagger, and arrays for pictures."""
    options, own = question.options, _scored(question, words)
    scores = tables.scores_table(scores_of(own, options.seed), named, enough(own.document))
    weighing = Weighing(words)
    weighing.run()
    stem = stemmer() if question.stems else None
    train, test = (Extraction(words, [part], options.candidates, stem) for part in (TRAIN, TEST))
    documents = enough(words.document[weighing.test])
    phrases = tables.phrases_table(train, test, weighing, named)
    best = tables.best_table(best_head(own), twins, scores, named)
    made = {
        "keyword_best": best,
        "keyword_heads": tables.heads_table(scores, named, weighing),
        "keyword_scores": scores,
        "keyword_ranks": tables.ranks_table(scores),
        "keyword_methods": tables.methods_table(weighing.judged, documents, options.seed),
        "keyword_curve": tables.curve_table(weighing.by_number(), named, weighing, options.seed),
        "keyword_phrases": phrases,
        "keyword_published": tables.published_table(phrases, question.corpus.name),
        "keyword_texts": tables.texts_table(words),
        ROLES: known_table(best),
    }
    coordinates = question.plan.setting.coordinates()
    heads = made["keyword_heads"]
    columns = {name: ("head", heads[name].to_numpy()) for name in ("relative", "auprc", "matched")}
    arrays = {"keyword_heads": xr.Dataset(columns, coordinates), "keyword_example": example_of(weighing)}
    return made, arrays, weighing
