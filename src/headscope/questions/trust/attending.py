"""What an explanation gives each word, kept for comparisons between models, texts and people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.explainers import Explainer, explainers_of
from headscope.explainers.attention import head_explainer, stacks_at
from headscope.heads import Head
from headscope.questions.trust.answering import Answered, Answering, AnswersWork
from headscope.questions.trust.erasing import SHUFFLES, shuffled
from headscope.tallies import Rows, Tally


@dataclass
class Attend:
    """The analysis. of: the explanation. width: the most words of a text. heads: whether each head's, too."""

    answering: Answering
    of: str
    width: int
    heads: bool
    seed: int
    name: str = "attend"

    def explainers(self, setting: Setting) -> list[Explainer]:
        """The explanation on trial, then each head."""
        return [*explainers_of([self.of], self.seed), *map(head_explainer, self.heads_of(setting))]

    def heads_of(self, setting: Setting) -> list[Head]:
        stacks = stacks_at(setting.model) if self.heads else []
        return [head for head in setting.chosen() if head.stack in stacks]

    def work(self, setting: Setting) -> AttendWork:
        return AttendWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `answer`: `own` by word, `by_head`, `chance` by shuffle, `entry`, `document`."""
        given, chance, entries = (tallies[name] for name in ("given", "chance", "entries"))
        assert isinstance(given, Rows) and isinstance(chance, Rows) and isinstance(entries, Rows)
        values = given.result()
        return xr.Dataset(
            {
                "own": (("answer", "word"), values[:, 0]),
                "by_head": (("answer", "head", "word"), values[:, 1:]),
                "chance": (("answer", "shuffle", "word"), chance.result()),
                "entry": ("answer", entries.result()[:, 0]),
                "document": ("answer", given.documents()),
            },
            coords={"head": [setting.model.label(head) for head in self.heads_of(setting)]},
        )


class AttendWork(AnswersWork):
    """Keeps what is given to the words of each batch."""

    def __init__(self, setting: Setting, attend: Attend) -> None:
        super().__init__(setting.model, attend.answering)
        self.attend = attend
        self.explainers = attend.explainers(setting)
        self.given = Rows((len(self.explainers), attend.width))
        self.chance, self.entries = Rows((SHUFFLES, attend.width)), Rows((1,))
        self.tallies: Tallies = {"given": self.given, "chance": self.chance, "entries": self.entries}

    def take(self, answered: Answered) -> None:
        asked, words, names = answered.asked, answered.words, answered.documents
        found = [words.summed(explainer(asked)).cpu().numpy() for explainer in self.explainers]
        self.given.update(names, self._wide(np.stack(found, 1)))
        self.chance.update(names, self._wide(np.stack(shuffled(answered, self.attend.seed), 1)))
        self.entries.update(names, asked.entries.double().cpu().numpy()[:, None])

    def _wide(self, values: np.ndarray) -> np.ndarray:
        """Filled up with NaN to the same number of words: (..., word)."""
        room = [(0, 0)] * (values.ndim - 1) + [(0, self.attend.width - values.shape[-1])]
        return np.pad(values, room, constant_values=np.nan)
