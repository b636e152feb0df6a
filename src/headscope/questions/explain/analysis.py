"""Texts explained one by one, as an analysis that the engine runs over shards of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Listener
from headscope.explainers import explainers_of
from headscope.explainers.flipping import smallest_flips
from headscope.explainers.gradients import integrated
from headscope.explainers.through_layers import flows
from headscope.models import Sides
from headscope.questions.explain.by_sentence import sentences_in
from headscope.questions.explain.examples import Asking, Example
from headscope.questions.explain.explaining import explanation_of
from headscope.questions.explain.keeping import from_record, to_record
from headscope.questions.explain.options import Options
from headscope.questions.explain.tables import Text, tokens_of
from headscope.results.explanations import stored
from headscope.tallies import Records, Tally
from headscope.text import Segment
from headscope.text.sentences import Splitting

MISSING = 0.01
"""Share that integrated gradients may miss without a note."""


class Explanations:
    """The analysis; by: the names of explainers. splitting: into the sentences that are summed over."""

    name = "explanations"

    def __init__(
        self, kind: str, options: Options, by: Sequence[str], splitting: Splitting | None = None
    ) -> None:
        self.kind, self.options, self.by, self.splitting = kind, options, by, splitting

    def work(self, setting: Setting) -> ExplanationsWork:
        return ExplanationsWork(setting, self)

    def texts(self, tallies: Mapping[str, Tally]) -> list[Text]:
        """All texts, in the order of shards."""
        records = tallies["texts"]
        assert isinstance(records, Records)
        return [from_record(record) for record in records.result()]

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """The importances of the first text, (way, answer, piece)."""
        return stored(self.texts(tallies)[0].explanation)


class ExplanationsWork:
    """Explains each text by itself, so that none depends on those beside it in its last digits."""

    def __init__(self, setting: Setting, analysis: Explanations) -> None:
        self.asking = Asking(setting.model, analysis.kind, analysis.options)
        self.explainers = explainers_of(analysis.by, analysis.options.seed)
        self.splitting, self.records = analysis.splitting, Records()
        self.tallies: Tallies = {"texts": self.records}

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self.segments = sides.segments

    def end(self, documents: Sequence[str]) -> None:
        self.records.add(to_record(self._explained(segment)) for segment in self.segments)

    def _explained(self, segment: Segment) -> Text:
        example = self.asking.example(segment, self.asking.sides(segment))
        asked, names = example.asked, [explainer.name for explainer in self.explainers]
        explanation = explanation_of(example, self.explainers)
        unknown = [Flip()] * len(example.labels)
        flips = _flips(example) if self.asking.options.flip else unknown
        missing = _missing(example) if "integrated-gradients" in names else []
        return Text(
            replace(explanation, notes=[*(flip.note for flip in flips if flip.note), *missing]),
            np.array([explainer.cost(asked) for explainer in self.explainers], dtype=float),
            flows(asked)[1] if "flow" in names else np.full(len(asked.texts), np.nan),
            [flip.words for flip in flips],
            [flip.becomes for flip in flips],
            None if self.splitting is None else sentences_in(segment, example.asked, self.splitting),
        )


def _missing(example: Example) -> list[str]:
    """Says of which answers integrated gradients do not sum to the difference that they divide."""
    shares = zip(example.labels, integrated(example.asked).missing.tolist(), strict=True)
    return [
        f"integrated-gradients miss {missing:.1%} of what they divide for '{label}' in "
        f"'{example.document}', with the most points that are tried"
        for label, missing in shares
        if missing > MISSING
    ]


@dataclass(frozen=True)
class Flip:
    """The words without which an answer is another, what it becomes, and why where there are none."""

    words: list[str] | None = None
    becomes: str | None = None
    note: str = ""


def _flips(example: Example) -> list[Flip]:
    """The smallest set of words that changes each answer."""
    asked = example.asked
    names, _, special, members = tokens_of(example.axes, words=True)
    units = torch.from_numpy(np.where(special[members], -1, members))[None].to(asked.texts.device)
    flips = smallest_flips(asked, units)
    found = []
    for number, removed in enumerate(flips.removed.cpu().numpy()):
        if bool(flips.flipped[number]):
            words = [names[word] for word in np.unique(members[removed])]
            found.append(Flip(words, example.named(int(flips.becomes[number]))))
            continue
        given = f"--flip: '{example.labels[number]}' is "
        note = (
            f"{given}the answer to '{example.document}', and no set of words that changes it was found"
            if bool(flips.given[number])
            else f"{given}not what the model answers to '{example.document}', so no words can change it"
        )
        found.append(Flip([], None, note))
    return found
