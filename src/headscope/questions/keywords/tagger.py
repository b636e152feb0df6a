"""A tagger of keywords: the model fine-tuned with a head that tags words, and what it needs its heads for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import xarray as xr

from headscope.analyses.ablation import Ablation, Condition, single_heads
from headscope.analyses.analysis import Setting
from headscope.analyses.effects import effects_table, heads_table, on_metric
from headscope.analyses.importance import Importance, layer_normalised
from headscope.engine.planning import reading_setting
from headscope.engine.scoring import Scoring
from headscope.engine.work import Plan
from headscope.errors import ModelError
from headscope.heads import Head
from headscope.measures.statistics import score_interval
from headscope.models import Model
from headscope.models.pruning.removal import head_groups, remove_heads
from headscope.models.speed import measure
from headscope.models.task_heads import Headed, with_head
from headscope.questions.keywords.options import Options
from headscope.questions.keywords.reading import DEV, TEST, TRAIN
from headscope.questions.keywords.vocabulary import SKILL
from headscope.questions.prune.offers import (
    IMPORTANCE,
    Order,
    areas_table,
    by_score,
    counts_of,
    curve_conditions,
    curves_table,
    random_orders,
    removable,
)
from headscope.results.folder import RunFolder
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.choice import task_for
from headscope.tasks.course import Course, Descent
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import FineTuning, evaluate
from headscope.tasks.metrics import CHUNK_F1, TOKEN_F1
from headscope.tasks.task import Task
from headscope.text import Corpus, Document, window
from headscope.text.batches import Progress, pad_id
from headscope.text.keyphrases import BEGIN, INSIDE, OUTSIDE, keyword_tags
from headscope.text.segments import Segment

LABELS = (BEGIN, INSIDE, OUTSIDE)
BATCH, LOOKS = 8, 2
"""Windows in a step of training; evaluations in an epoch."""

REMOVED = 60
"""Documents, at most, that the tagger is scored on without heads, and as many that decide on importance."""

TIMED, TURNS = 16, 9
"""Windows in a batch that is timed, and how often."""


def with_tags(model: Model, options: Options) -> Headed:
    """The model with an output for each tag; refused where its family has no such head."""
    return with_head(model, "pieces", LABELS, device=str(model.device), seed=options.seed)


@dataclass
class Tagger:
    """Everything that training and removing have in common. part: (text,) of each."""

    headed: Headed
    plan: Plan
    texts: Sequence[Document]
    part: np.ndarray
    options: Options
    store: RunFolder
    progress: Progress | None

    @property
    def model(self) -> Model:
        return self.headed.model

    @property
    def task(self) -> Task:
        return task_for(self.model, "tagging", TOKEN_F1.name)

    def windows(self, part: int, most: int | None = None) -> Corpus:
        """The windows of the texts of a part, each a document with its tags."""
        chosen = [text for text, own in zip(self.texts, self.part, strict=True) if own == part][:most]

        def stream() -> Iterator[Document]:
            # Room for what parting words by spaces adds.
            plan = replace(self.plan, pieces=max(8, self.plan.pieces * 9 // 10))
            for text in chosen:
                tagged = replace(text, tags=keyword_tags(text), dependencies=None)
                for segment in plan.cut(text):
                    assert isinstance(segment, Segment)
                    yield window(tagged, segment.first_word, segment.first_word + len(segment.words))

        return Corpus("windows", "windows", stream)

    def train(self) -> pd.DataFrame:
        """Train, or go on; the score on the test documents."""
        module, task, options = self.model.module, self.task, self.options
        batches = {
            part: ExampleBatches(self.model, task, self.windows(part), self.plan.pieces, BATCH)
            for part in (TRAIN, DEV, TEST)
        }
        train, dev = Examples.of(batches[TRAIN]), list(batches[DEV])
        course = Course(options.epochs, BATCH, LOOKS, None, options.seed)
        padding = pad_id(self.model.tokenizer) or 0
        training = FineTuning(module, task, train, dev, course, Descent(options.rate), padding)
        training.run(self.store.part("keywords/tagger"), self.progress)
        self.model.forget_fingerprints()
        test = list(batches[TEST])
        owner = [segment.document for sides in test for segment in sides.segments]
        found = by_document(evaluate(module, task, test, self.progress).statistics, owner)
        rows = []
        for metric, says in ((TOKEN_F1, "words"), (CHUNK_F1, "keyphrases")):
            low, high = score_interval(found, metric.value, options.seed)
            value = float(metric.value(found.sum(0)))
            rows.append({"of": says, "documents": len(found), "f1": value, "low": low, "high": high})
        return pd.DataFrame(rows)

    def without_heads(self, skill: np.ndarray) -> tuple[dict[str, pd.DataFrame], list[str]]:
        """Heads removed one alone, and one after the other; skill: (head,) how well each finds keywords."""
        setting, _ = reading_setting(self.model, self.options)
        heads, options = setting.chosen(), self.options
        scoring = Scoring(
            "keywords", setting, self.task, self.plan.pieces, self.plan.batch_size, self.store,
            self.progress, options.shard_characters,
        )  # fmt: skip
        orders = self._orders(scoring, heads, skill)
        counts, singles = counts_of(len(heads), options.steps), single_heads(setting)
        several = list(curve_conditions(orders, counts).values())
        scored = self.windows(TEST, REMOVED)
        (scores,), notes = scoring.run("removal", scored, Ablation(self.task, [*singles, *several]))
        tables = {
            "keyword_removed": self._alone(scores, singles, setting).assign(skill=skill),
            **_curves(scores.isel(condition=[0, *range(1 + len(singles), 1 + len(singles) + len(several))]),
                      orders, counts),
        }  # fmt: skip
        if options.speed:
            speed, more = self._speed(orders[:2])
            tables |= {"keyword_speed": speed} if len(speed) else {}
            notes += more
        return tables, notes

    def _orders(self, scoring: Scoring, heads: Sequence[Head], skill: np.ndarray) -> list[Order]:
        """By keyword skill, by importance on some documents to train on, and at random."""
        few = self.windows(TRAIN, REMOVED)
        (importance,), _ = scoring.run("importance", few, Importance(self.task))
        layers = [(str(head.stack), head.layer) for head in heads]
        return [
            Order(SKILL, by_score(heads, skill)),
            Order(IMPORTANCE, by_score(heads, layer_normalised(importance["example"].values, layers))),
            *random_orders(heads, self.options.random, self.options.seed),
        ]

    def _alone(self, scores: xr.Dataset, singles: Sequence[Condition], setting: Setting) -> pd.DataFrame:
        """What each head's removal does to both kinds of F1."""
        alone = effects_table(scores, TOKEN_F1, singles, 0.01, self.options.seed)
        names = {"score", "effect", "low", "high", "p_adjusted", "verdict"}
        table = heads_table(setting, alone[[name for name in alone if name in names]], setting.chosen())
        phrases = on_metric(scores, CHUNK_F1, singles)
        return table.assign(chunk_effect=phrases.scores - phrases.base)

    def _speed(self, orders: Sequence[Order]) -> tuple[pd.DataFrame, list[str]]:
        """How fast the tagger is without half of its heads, for real, in each order."""
        model, pieces = self.model, min(self.plan.pieces, 128)
        rows = []
        try:
            groups = head_groups(model)
            for order in orders:
                gone = removable(order.heads, groups, len(order.heads) // 2)
                small = remove_heads(model, gone)
                _, after = measure({"before": model, "after": small}, [TIMED], pieces, repeats=TURNS)
                rows.append({
                    "order": order.name, "removed": len(gone), "share": len(gone) / len(model.heads()),
                    "ratio": after.ratio, "ratio_low": after.ratio_low, "ratio_high": after.ratio_high,
                })  # fmt: skip
        except ModelError as refusal:
            return pd.DataFrame(), [f"the tagger was not made smaller: {refusal}"]
        return pd.DataFrame(rows), []


def by_document(found: np.ndarray, owner: Sequence[str]) -> np.ndarray:
    """Sums of what windows found, (window, count) to (document, count).

    >>> by_document(np.array([[1, 2], [3, 4], [5, 6]]), ["a", "b", "a"]).tolist()
    [[6, 8], [3, 4]]
    """
    names, place = np.unique(np.array(owner, object), return_inverse=True)
    sums = np.zeros((len(names), found.shape[1]), found.dtype)
    np.add.at(sums, place, found)
    return sums


def _curves(scores: xr.Dataset, orders: Sequence[Order], counts: Sequence[int]) -> dict[str, pd.DataFrame]:
    """F1 along each order, by words and by keyphrases, and the area below it."""
    words, phrases = (
        curves_table(scores, metric, orders, counts, "keywords") for metric in (TOKEN_F1, CHUNK_F1)
    )
    areas = areas_table(words).drop(columns="task")
    curves = words.drop(columns=["task", "metric"]).assign(chunk_score=phrases["score"])
    return {"keyword_removal": curves, "keyword_areas": areas}
