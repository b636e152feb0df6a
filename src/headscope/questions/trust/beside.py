"""What is run beside the model and its texts: other models, other texts, words that people marked."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import xarray as xr

from headscope.blocks import number_of
from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.scoring import Scoring
from headscope.explainers.given_attention import Scope
from headscope.models import Model
from headscope.models.twin import random_twin
from headscope.questions.trust.answering import Answering
from headscope.questions.trust.attending import Attend
from headscope.questions.trust.claims.people import agrees
from headscope.questions.trust.claims.stable import stable
from headscope.questions.trust.comparing import (
    TWIN,
    Edits,
    Given,
    edits_table,
    marks_of,
    people_table,
    seeds_table,
    weights_apart,
    words_by_document,
)
from headscope.questions.trust.numbers import LEAVE_ONE_OUT
from headscope.questions.trust.rewording import Rewordings, rewordings_table
from headscope.questions.trust.tables import CHANCE, Said
from headscope.text import Corpus

if TYPE_CHECKING:
    from headscope.questions.trust.answer import Question


class Beside:
    """Runs each of them through the engine, where it was asked for."""

    def __init__(self, question: Question, scoring: Scoring, answering: Answering, scope: Scope) -> None:
        self.question, self.scoring, self.options = question, scoring, question.options
        kept = scope if question.against else None
        sides = 2 if question.model.shape == "encoder-decoder" else 1  # words of a source, then of a target
        how = self.options.of, scoring.pieces * sides, kept, self.options.seed
        self.attend = Attend(answering, *how)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Of what was asked for."""
        tables, seed = {}, self.options.seed
        if self.others:
            tables["seeds"] = seeds_table(self.own, {**self.others, TWIN: self.twin}, seed)
        if self.edits is not None:
            tables["edits"] = edits_table(self.edits, self.options.margin, seed)
        if self.rewordings is not None:
            tables["rewordings"] = rewordings_table(self.rewordings, self.options.margin, seed)
        if self.question.marked is not None:
            tables["people"] = people_table(self.own, self.marks, seed)
        return tables

    def stable(self) -> Said:
        """That it is stable over seeds."""
        if not self.question.against:
            return Said(None, why="give models trained with other seeds (--against)")
        if self.options.of == LEAVE_ONE_OUT:
            return Said(None, why="leaving words out is no reading of a model's weights")
        how = list(self.others.values()), self.twin, self.options.margin, self.options.seed
        return Said(stable(self.own, *how), "tau with models of other seeds", "tau with a random twin", "1")

    def people(self) -> Said:
        """That it agrees with people."""
        if self.question.marked is None:
            return Said(None, why="give the words that people marked (--marked)")
        given, how = self.own, (self.options.margin, self.options.seed)
        values = given["own"].values, given["chance"].values, self.marks, given["document"].values
        judged = agrees(*values, *how)
        return Said(judged, "area under precision and recall of marked words", CHANCE, "1")

    def between_seeds(self, documents: np.ndarray) -> float | None:
        """How far weights in the scope lie from those of other seeds: median over the answers to some texts.

        documents: their numbers. None where there is no other model.
        """
        if not self.others:
            return None
        some = np.isin(self.own["document"].values, documents)
        far = [
            weights_apart(*(each[{"answer": some}] for each in (self.own, other)))
            for other in self.others.values()
        ]
        return float(np.median(np.mean(far, 0)))

    @cached_property
    def own(self) -> xr.Dataset:
        return self._given("own", self.question.model, self.question.corpus)

    @cached_property
    def others(self) -> dict[str, xr.Dataset]:
        """Of the other models, by their names."""
        if self.options.of == LEAVE_ONE_OUT:
            return {}
        return {
            name: self._given(f"against-{number}", model, self.question.corpus)
            for number, (name, model) in enumerate(self.question.against.items())
        }

    @cached_property
    def twin(self) -> xr.Dataset:
        twin = random_twin(self.question.model, self.options.seed)
        return self._given("twin", twin, self.question.corpus)

    @cached_property
    def edits(self) -> Edits | None:
        """Where the explanation of edited texts lies."""
        edited = self.question.edited
        if edited is None:
            return None
        return Edits.of(self._beside("edited", edited), Given(self.own, self._words(self.question.corpus)))

    @cached_property
    def rewordings(self) -> Rewordings | None:
        """How texts in other words are explained."""
        reworded = self.question.reworded
        if reworded is None:
            return None
        own = Given(self.own, self._words(self.question.corpus))
        return Rewordings.of(own, self._beside("reworded", reworded))

    def _beside(self, part: str, corpus: Corpus) -> Given:
        """What the model's explanation gives other texts, and their words."""
        return Given(self._given(part, self.question.model, corpus), self._words(corpus))

    @cached_property
    def marks(self) -> np.ndarray:
        """Which words people marked, (answer, word)."""
        words = self._words(self.question.corpus)
        marked = {number_of(name): own for name, own in (self.question.marked or {}).items()}
        return marks_of(self.own, words, marked)

    def _words(self, corpus: Corpus) -> dict[int, list[str]]:
        return words_by_document(self.scoring.plan(self.attend), corpus)

    def _given(self, part: str, model: Model, corpus: Corpus) -> xr.Dataset:
        scoring = replace(self.scoring, setting=setting_of(model, self.options, ANY_UNIT))
        (dataset,), _ = scoring.run(part, corpus, self.attend)
        return dataset
