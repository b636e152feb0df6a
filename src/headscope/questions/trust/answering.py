"""Which answers to a batch of texts stand on trial: the model's own, to what its task asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Listener
from headscope.blocks import number_of
from headscope.explainers import Asked, ask
from headscope.explainers.asked import chosen
from headscope.explainers.attention import stacks_at
from headscope.explainers.words import Words, words_of
from headscope.heads import Head
from headscope.models import Model, Sides
from headscope.tasks.labels import Labels
from headscope.tasks.tagging import first_pieces
from headscope.tasks.task import Task
from headscope.text import Segment

EARLIEST = 4
"""Pieces that a decoder has read before its next one is asked for."""

FEWEST_WORDS = 2
"""Of fewer words that can be taken away, nothing can be told apart."""


@dataclass(frozen=True)
class Answered:
    """Answers, the words of their texts, and what would have been right, (answer,), -1 where nobody says."""

    asked: Asked
    words: Words
    truth: np.ndarray

    def document(self, answer: int) -> str:
        """The document that an answer is to."""
        return self.asked.sides.segments[int(self.asked.texts[answer])].document

    @property
    def documents(self) -> list[str]:
        """(answer,)"""
        return [self.document(answer) for answer in range(len(self.truth))]


@dataclass(frozen=True)
class Answering:
    """How batches become answers; count: at most, of each text."""

    task: Task
    count: int
    seed: int

    def __call__(self, model: Model, sides: Sides) -> Answered | None:
        """The answers to a batch whose texts have words to tell apart; None where there are none."""
        made: Answered = getattr(self, f"_{self.task.name}")(model, sides)
        several = (made.words.counts >= FEWEST_WORDS).nonzero()[:, 0]
        if len(several) == 0:
            return None
        if len(several) == len(made.truth):
            return made
        asked = made.asked
        some = replace(
            asked, texts=asked.texts[several], places=asked.places[several], entries=asked.entries[several]
        )
        vars(some)["hearing"] = asked.hearing  # what was heard does not depend on what is asked
        return Answered(some, words_of(some), made.truth[several.cpu().numpy()])

    def _classification(self, model: Model, sides: Sides) -> Answered:
        labels = Labels.of(model.module.config)
        truth = [labels.of_text(document) for document in sides.documents()]
        return _answered(ask(model, sides), np.array(truth))

    _pairs = _classification

    def _tagging(self, model: Model, sides: Sides) -> Answered:
        """Tags of some words, each asked for at its first piece."""
        rows, pieces, words = first_pieces(sides)
        texts, picked = self._pick(sides, [np.flatnonzero(rows == row) for row in range(len(sides.segments))])
        labels = Labels.of(model.module.config)
        tags = [document.tags or () for document in sides.documents()]
        found = [labels.find(tags[row][word]) for row, word in zip(texts, words[picked], strict=True)]
        truth = np.array([-1 if number is None else number for number in found])
        return _answered(ask(model, sides, texts, pieces[picked]), truth)

    def _masked(self, model: Model, sides: Sides) -> Answered:
        """Words of one piece, each hidden in a copy of its text."""
        texts, places = self._pick(sides, [_single(segment) for segment in sides.segments])
        hidden = chosen(sides, torch.as_tensor(texts, device=sides.inputs["input_ids"].device))
        rows = np.arange(len(texts))
        truth = hidden.source.ids[rows, places]
        hidden.source.ids[rows, places] = model.tokenizer.mask_token_id
        hidden.inputs["input_ids"][rows, places] = model.tokenizer.mask_token_id
        return _answered(ask(model, hidden, rows, places), truth)

    def _causal(self, model: Model, sides: Sides) -> Answered:
        """Next pieces, each from all before it."""
        starts = [np.arange(EARLIEST, len(segment) - 1) for segment in sides.segments]
        texts, places = self._pick(sides, starts)
        return _answered(ask(model, sides, texts, places), sides.source.ids[texts, places + 1])

    def _translation(self, model: Model, sides: Sides) -> Answered:
        """Pieces of the target, each from the source and the target before it."""
        assert sides.target is not None and sides.labels is not None
        texts, places = self._pick(sides, [np.arange(length) for length in sides.target.lengths])
        return _answered(ask(model, sides, texts, places), sides.labels.cpu().numpy()[texts, places])

    def _pick(self, sides: Sides, candidates: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Some of each text's candidates, drawn by the seed and the text alone: texts, picked, (answer,)."""
        drawn = list(self._drawn(sides, candidates))
        texts = np.repeat(np.arange(len(drawn)), [len(each) for each in drawn])
        return texts, np.concatenate(drawn).astype(np.int64)

    def _drawn(self, sides: Sides, candidates: list[np.ndarray]) -> Iterator[np.ndarray]:
        for segment, places in zip(sides.segments, candidates, strict=True):
            random = generator(self.seed, segment)
            yield np.sort(random.choice(places, min(self.count, len(places)), replace=False))


class AnswersWork(ABC):
    """An analysis at work on the answers to each batch; it runs the model itself."""

    tallies: Tallies

    def __init__(self, model: Model, answering: Answering) -> None:
        self.model, self.answering = model, answering

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self.sides = sides

    def end(self, documents: Sequence[str]) -> None:
        answered = self.answering(self.model, self.sides)
        if answered is not None:
            self.take(answered)

    @abstractmethod
    def take(self, answered: Answered) -> None:
        """Take in the answers to a batch."""


def generator(seed: int, segment: Segment, *more: int) -> np.random.Generator:
    """Chance that depends on the seed and the text alone, whatever else is in the batch."""
    return np.random.default_rng([seed, number_of(segment.document), segment.index, *more])


def _answered(asked: Asked, truth: np.ndarray) -> Answered:
    return Answered(asked, words_of(asked), truth)


def _single(segment: Segment) -> np.ndarray:
    """Places of pieces that are a word of their own."""
    sizes = np.bincount(segment.word[segment.word >= 0], minlength=len(segment.words) + 1)
    return np.flatnonzero((segment.word >= 0) & (sizes[segment.word] == 1))


def heads_at(setting: Setting) -> list[Head]:
    """The heads that an answer looks through, of those in question."""
    stacks = stacks_at(setting.model)
    return [head for head in setting.chosen() if head.stack in stacks]
