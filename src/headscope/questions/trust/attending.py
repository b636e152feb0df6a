"""What an explanation gives each word, kept for comparisons between models, texts and people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.explainers import Explainer, explainers_of
from headscope.explainers.attention import head_explainer
from headscope.explainers.given_attention import Scope, sites_in
from headscope.heads import Head
from headscope.questions.trust.answering import Answered, Answering, AnswersWork, heads_at
from headscope.questions.trust.erasing import SHUFFLES, shuffled
from headscope.tallies import Rows, Tally


@dataclass
class Attend:
    """The analysis. of: the explanation. width: the most pieces, or words, that an answer rests on.

    scope: whose weights are kept, too, with what each head gives; None for neither.
    """

    answering: Answering
    of: str
    width: int
    scope: Scope | None
    seed: int
    name: str = "attend"

    def explainers(self, setting: Setting) -> list[Explainer]:
        """The explanation on trial, then each head."""
        return [*explainers_of([self.of], self.seed), *map(head_explainer, self.heads_of(setting))]

    def heads_of(self, setting: Setting) -> list[Head]:
        """The heads that an answer looks through, of those in question."""
        return [] if self.scope is None else heads_at(setting)

    def weighing(self, setting: Setting) -> list[Head]:
        """All heads of the scope."""
        sites = [] if self.scope is None else sites_in(setting.model, self.scope)
        return [head for site in sites for head in site]

    def work(self, setting: Setting) -> AttendWork:
        return AttendWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `answer`: `own` by word, `by_head`, `weight` by piece, `chance`, `entry`, `document`."""
        given, weights, chance, entries = (
            tallies[name] for name in ("given", "weights", "chance", "entries")
        )
        assert isinstance(given, Rows) and isinstance(weights, Rows)
        assert isinstance(chance, Rows) and isinstance(entries, Rows)
        values, label = given.result(), setting.model.label
        return xr.Dataset(
            {
                "own": (("answer", "word"), values[:, 0]),
                "by_head": (("answer", "head", "word"), values[:, 1:]),
                "weight": (("answer", "weighing", "piece"), weights.result()),
                "chance": (("answer", "shuffle", "word"), chance.result()),
                "entry": ("answer", entries.result()[:, 0]),
                "document": ("answer", given.documents()),
            },
            coords={
                "head": [label(head) for head in self.heads_of(setting)],
                "weighing": [label(head) for head in self.weighing(setting)],
            },
        )


class AttendWork(AnswersWork):
    """Keeps what is given to the words of each batch."""

    def __init__(self, setting: Setting, attend: Attend) -> None:
        super().__init__(setting.model, attend.answering)
        self.attend = attend
        self.explainers = attend.explainers(setting)
        self.weighing = [head_explainer(head) for head in attend.weighing(setting)]
        self.given = Rows((len(self.explainers), attend.width))
        self.weights = Rows((len(self.weighing), attend.width))
        self.chance, self.entries = Rows((SHUFFLES, attend.width)), Rows((1,))
        self.tallies: Tallies = {
            "given": self.given, "weights": self.weights, "chance": self.chance, "entries": self.entries,
        }  # fmt: skip

    def take(self, answered: Answered) -> None:
        asked, words, names = answered.asked, answered.words, answered.documents
        found = [words.summed(explainer(asked)).cpu().numpy() for explainer in self.explainers]
        self.given.update(names, self._wide(np.stack(found, 1)))
        weights = [explainer(asked).cpu().numpy() for explainer in self.weighing]
        self.weights.update(
            names, self._wide(np.stack(weights, 1) if weights else np.empty((len(names), 0, 0)))
        )
        self.chance.update(names, self._wide(np.stack(shuffled(answered, self.attend.seed), 1)))
        self.entries.update(names, asked.entries.double().cpu().numpy()[:, None])

    def _wide(self, values: np.ndarray) -> np.ndarray:
        """Filled up with NaN to the same number of words or pieces: (..., word)."""
        room = [(0, 0)] * (values.ndim - 1) + [(0, self.attend.width - values.shape[-1])]
        return np.pad(values, room, constant_values=np.nan)
