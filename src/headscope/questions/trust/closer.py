"""A closer look at the heads that explain best: how far answers fall as each orders their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.blocks import number_of
from headscope.explainers.attention import head_explainer
from headscope.questions.trust.answering import Answered, Answering, AnswersWork
from headscope.questions.trust.erasing import Erasing
from headscope.questions.trust.numbers import halves
from headscope.tallies import Rows, Tally


@dataclass
class Closer:
    """The analysis. chosen: by half of the texts, the names of the heads that are looked at in it.

    Only texts of up to `words` words are run: in longer ones there are no limits to hold a head against.
    """

    answering: Answering
    chosen: tuple[Sequence[str], Sequence[str]]
    removal: str
    words: int
    seed: int
    name: str = "closer"

    @cached_property
    def names(self) -> list[str]:
        """All of them, each once."""
        return list(dict.fromkeys([*self.chosen[0], *self.chosen[1]]))

    def work(self, setting: Setting) -> CloserWork:
        return CloserWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `answer`: `area` by head, NaN where it was not looked at."""
        areas = tallies["areas"]
        assert isinstance(areas, Rows)
        return xr.Dataset({"area": (("answer", "head"), areas.result())}, coords={"head": self.names})


class CloserWork(AnswersWork):
    """Takes words away as the heads order them."""

    def __init__(self, setting: Setting, closer: Closer) -> None:
        super().__init__(setting.model, closer.answering)
        self.closer, self.areas = closer, Rows((len(closer.names),))
        self.tallies: Tallies = {"areas": self.areas}

    def take(self, answered: Answered) -> None:
        closer, words = self.closer, answered.words
        given = [words.summed(head_explainer(name)(answered.asked)).cpu().numpy() for name in closer.names]
        half = halves(np.array([number_of(name) for name in answered.documents], np.uint64))
        looked_at = np.array([[name in own for name in closer.names] for own in closer.chosen])[half]
        looked_at &= (words.counts.cpu().numpy() <= closer.words)[:, None]
        importance = np.where(looked_at[..., None], np.stack(given, 1), np.nan)
        erasing = Erasing(answered, closer.removal, closer.seed)
        self.areas.update(answered.documents, erasing.areas(importance))
