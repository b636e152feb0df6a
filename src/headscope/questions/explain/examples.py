"""Texts made ready to be explained: their pieces, and the answers of the model that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch

from headscope.errors import InputError, OptionError, choose_from
from headscope.explainers import Asked, ask
from headscope.models import Model, Sides, sides_of
from headscope.questions.explain.options import Options
from headscope.questions.maps.offers import read_axis, start_of_written, written_axis
from headscope.results.look import Axis
from headscope.tasks.generation import continued
from headscope.tasks.labels import Labels
from headscope.text import Cutter, Document, Segment, Skipped, Spans, Tagged, Texts, Translated, piece_label
from headscope.text.encoding import Tokenizer

LONGEST = 512


@dataclass(frozen=True)
class Example:
    """A text: the answers that are asked for, the tokens of its source and target, and what each answers.

    named: the name of whatever the model can answer.
    """

    document: str
    asked: Asked
    axes: list[Axis]
    labels: list[str]
    named: Callable[[int], str]


@dataclass(frozen=True)
class Beginnings:
    """One segment of each text: its beginning, as far as it fits, with the document; the rest is left out."""

    kind: str

    def __call__(self, document: Document, tokenizer: Tokenizer, pieces: int) -> Iterator[Segment | Skipped]:
        cut = list(self._cutter(document)(document, tokenizer, pieces))
        yield from (each for each in cut if isinstance(each, Skipped))
        segments = [each for each in cut if isinstance(each, Segment)]
        yield from (replace(first, part=document) for first in segments[:1])
        if len(segments) > 1:
            words = sum(len(later.words) for later in segments[1:])
            yield Skipped(words, f"cut off after {pieces} pieces")

    def _cutter(self, document: Document) -> Cutter:
        if self.kind == "tagging":
            return Tagged()
        if self.kind == "translation" and document.target is not None:
            return Translated()
        return Texts(pair=True) if self.kind == "pairs" else Spans(pair=False)


@dataclass(frozen=True)
class Asking:
    """How documents become examples of a task."""

    model: Model
    kind: str
    options: Options

    @property
    def limit(self) -> int:
        """The longest text in pieces; what a decoder writes is read too."""
        limit = min(self.options.pieces or LONGEST, self.model.longest or LONGEST)
        return limit - (self.options.generate - 1 if self.model.shape == "decoder" else 0)

    def example(self, segment: Segment, sides: Sides) -> Example:
        """A text that `Beginnings` has cut, and how the model is given it."""
        asked, labels = getattr(self, f"_{self.kind}")(segment, sides)
        target = None if segment.part is None else segment.part.target
        return Example(segment.document, asked, self._axes(segment, target, asked), labels, self._named)

    def check_answer(self) -> None:
        """Refuse an answer that no text can have."""
        if self.kind in ("classification", "pairs", "tagging"):
            self._label(Labels.of(self.model.module.config), 1)
        elif self.kind != "translation":
            self._piece(1)
        elif self.options.answer is not None:
            raise OptionError("--answer: of a translation, each piece is explained; give its text (--target)")

    def segment(self, document: Document) -> tuple[Segment, list[str]]:
        """The beginning of a text, and what is left out of it; refused where it cannot be explained."""
        named, word = f"document '{document.id}'", self.options.word
        cut = list(Beginnings(self.kind)(document, self.model.tokenizer, self.limit))
        segment = next((each for each in cut if isinstance(each, Segment)), None)
        skipped = [each for each in cut if isinstance(each, Skipped)]
        left = [f"{each.words} words of '{document.id}' are {each.reason}" for each in skipped]
        if segment is None:
            raise InputError(f"{named} cannot be explained: {'; '.join(left) or 'empty'}")
        if int((segment.word >= 0).sum()) < 2:
            raise InputError(f"{named} has one piece alone, so there is nothing to tell apart in it")
        if self.kind == "masked" and not len(self._masks(segment)):
            where = f" in its first {len(segment)} pieces" if left else ""
            raise InputError(
                f"{named} has no {self.model.tokenizer.mask_token}{where}; write one in the place of the "
                "piece that the model is to fill in"
            )
        if word is not None and word not in segment.word:
            raise InputError(f"--word {word}: {named} has words 0 to {segment.word.max()}")
        return segment, left

    def _named(self, entry: int) -> str:
        if self.kind in ("classification", "pairs", "tagging"):
            return Labels.of(self.model.module.config).names[entry]
        return piece_label(self.model.tokenizer, entry)

    def sides(self, segment: Segment) -> Sides:
        """One text as the model is given it."""
        return sides_of(self.model, next(self.model.batches([segment], 1)))

    def _classification(self, segment: Segment, sides: Sides) -> tuple[Asked, list[str]]:
        names = Labels.of(self.model.module.config)
        asked = ask(self.model, sides, entries=self._label(names, 1))
        return asked, [names.names[entry] for entry in asked.entries.tolist()]

    _pairs = _classification

    def _tagging(self, segment: Segment, sides: Sides) -> tuple[Asked, list[str]]:
        """The tag of each word, or of one, at its first piece."""
        words, places = np.unique(segment.word, return_index=True)
        known = words >= 0
        words, places = words[known], places[known]
        if self.options.word is not None:
            chosen = words == self.options.word
            words, places = words[chosen], places[chosen]
        names = Labels.of(self.model.module.config)
        asked = ask(self.model, sides, np.zeros_like(words), places, self._label(names, len(words)))
        pairs = zip(words.tolist(), asked.entries.tolist(), strict=True)
        return asked, [f"{segment.words[word]}: {names.names[entry]}" for word, entry in pairs]

    def _masked(self, segment: Segment, sides: Sides) -> tuple[Asked, list[str]]:
        """Each mask that is written in the text."""
        places = self._masks(segment)
        entries = self._piece(len(places))
        asked = ask(self.model, sides, np.zeros_like(places), places, entries)
        return asked, self._pieces(asked.entries)

    def _masks(self, segment: Segment) -> np.ndarray:
        return np.flatnonzero(segment.pieces == self.model.tokenizer.mask_token_id)

    def _causal(self, segment: Segment, sides: Sides) -> tuple[Asked, list[str]]:
        """Each piece that the model writes."""
        count, size = self.options.generate, len(segment)
        entries = self._piece(1)
        if entries is None:
            made = continued(self.model, sides.inputs, count)[0].cpu().numpy()
            entries = made[size:]
            sides = self.sides(_longer(segment, made[:-1]))
        places = size - 1 + np.arange(len(entries))
        asked = ask(self.model, sides, np.zeros_like(places), places, entries)
        return asked, self._pieces(asked.entries)

    def _translation(self, segment: Segment, sides: Sides) -> tuple[Asked, list[str]]:
        """Each piece of the target, or of what the model writes."""
        if segment.target is None:
            made = continued(self.model, sides.inputs, self.options.generate)[0].cpu().numpy()
            segment = replace(segment, target=made[1:])
            sides = self.sides(segment)
        target = segment.target
        assert target is not None
        asked = ask(self.model, sides, np.zeros_like(target), np.arange(len(target)), target)
        return asked, self._pieces(asked.entries)

    def _label(self, names: Labels, count: int) -> np.ndarray | None:
        wish = self.options.answer
        if wish is None:
            return None
        number = names.find(wish)
        if number is None:
            raise OptionError(choose_from("label", wish, names.names))
        return np.full(count, number)

    def _piece(self, count: int) -> np.ndarray | None:
        wish = self.options.answer
        if wish is None:
            return None
        tokenizer = self.model.tokenizer
        ways = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in (wish, f" {wish}")]
        single = next((way for way in ways if len(way) == 1), None)
        if single is None:
            raise OptionError(f"--answer '{wish}' is {len(ways[0])} pieces to this model; give one piece")
        return np.full(count, single[0])

    def _pieces(self, entries: torch.Tensor) -> list[str]:
        return [self._named(piece) for piece in entries.tolist()]

    def _axes(self, segment: Segment, target: str | None, asked: Asked) -> list[Axis]:
        """The tokens of what the model reads, and of what its decoder reads, written pieces included."""
        if self.model.shape == "encoder":
            return [read_axis(self.model, segment)]
        written = written_axis(self.model, segment, target, asked.by_sides[-1].ids[0])
        if target is None:
            written = written.beginning_written(start_of_written(self.model, segment))
        return [written] if self.model.shape == "decoder" else [read_axis(self.model, segment), written]


def _longer(segment: Segment, pieces: np.ndarray) -> Segment:
    """The segment with what was written behind it, which belongs to no word of the text."""
    more = len(pieces) - len(segment)
    types = None if segment.types is None else np.pad(segment.types, (0, more), mode="edge")
    return replace(
        segment,
        pieces=pieces,
        types=types,
        special=np.pad(segment.special, (0, more)),
        word=np.pad(segment.word, (0, more), constant_values=-1),
    )
