"""What is to be remembered: each class with its phrases, and sequences in which one of them is asked for.

Everything is drawn for a whole batch at once, from generators that depend on seeds alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

import numpy as np

from headscope.questions.memory.options import SHORTEST, Options
from headscope.questions.memory.words import ASKING, DOING, FILLERS, GROUPS, PEOPLE

Phrase = tuple[str, ...]
NOTHING = 0
"""The answer where nothing is asked; class c is the answer c + 1."""

LEAD = 1
"""Fillers before the phrase, in sequences that nets are scored on."""


def classes_of(options: Options) -> list[list[Phrase]]:
    """The phrases of each class, all of one length; as many of each as there are for all.

    Up to ten classes of words are groups that mean something; more are dealt out from all words.
    """
    number, each = options.classes, options.different // options.classes
    if options.task == "sentences":
        ways = list(chain.from_iterable((pair, pair[::-1]) for pair in combinations(PEOPLE, 2)))
        return [[("the", who, did, "the", whom) for did in DOING[:each]] for who, whom in ways[:number]]
    groups = list(GROUPS.values())
    if number <= len(groups) and each <= min(map(len, groups)):
        return [[(word,) for word in words[:each]] for words in groups[:number]]
    words = list(chain.from_iterable(zip(*groups, strict=True)))
    return [[(word,) for word in words[place::number][:each]] for place in range(number)]


@dataclass(frozen=True)
class Drawn:
    """A batch of sequences. ids: (sequence, word). classes: (sequence,). asked: (sequence,) where, in ids."""

    ids: np.ndarray
    classes: np.ndarray
    asked: np.ndarray

    @property
    def answers(self) -> np.ndarray:
        """What is right at each word, (sequence, word)."""
        answers = np.full(self.ids.shape, NOTHING)
        answers[np.arange(len(answers)), self.asked] = self.classes + 1
        return answers


@dataclass(frozen=True)
class Vocabulary:
    """Words as numbers, behind padding and the unknown word. phrases: by class."""

    phrases: list[list[Phrase]]

    @cached_property
    def words(self) -> list[str]:
        """In order; the first has number 2."""
        named = chain.from_iterable(chain.from_iterable(self.phrases))
        return list(dict.fromkeys((ASKING, *FILLERS, *named)))

    @property
    def asking(self) -> int:
        return self._number[ASKING]

    @cached_property
    def fillers(self) -> np.ndarray:
        """(filler,)"""
        return np.array([self._number[word] for word in FILLERS])

    @property
    def length(self) -> int:
        """Words of a phrase."""
        return len(self.phrases[0][0])

    @cached_property
    def table(self) -> np.ndarray:
        """(class, phrase, word)"""
        return np.array([[[self._number[word] for word in one] for one in own] for own in self.phrases])

    @cached_property
    def _number(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=2)}

    def training(self, random: np.random.Generator, size: int, room: int, most: int, classes: int) -> Drawn:
        """A batch to train on: delays up to `most`, the phrase anywhere, fillers behind the question."""
        delays = random.integers(min(SHORTEST, most), most + 1, size)
        places = self.length + room + 1
        starts = random.integers(0, places - self.length - delays + 1)
        return self._drawn(random, places, starts, delays, random.integers(0, classes, size))

    def scored(self, random: np.random.Generator, size: int, delay: int) -> Drawn:
        """Sequences with one delay; classes as even as they can be, the question at the end."""
        classes = np.arange(size) % len(self.phrases)
        places = LEAD + self.length + delay
        return self._drawn(random, places, np.full(size, LEAD), np.full(size, delay), classes)

    def _drawn(
        self,
        random: np.random.Generator,
        places: int,
        starts: np.ndarray,
        delays: np.ndarray,
        classes: np.ndarray,
    ) -> Drawn:
        """starts, delays, classes: (sequence,). A delay runs from the last word of the phrase."""
        size = len(starts)
        ids = random.choice(self.fillers, (size, places))
        rows, phrase = np.arange(size), random.integers(0, self.table.shape[1], size)
        ids[rows[:, None], starts[:, None] + np.arange(self.length)] = self.table[classes, phrase]
        asked = starts + self.length - 1 + delays
        ids[rows, asked] = self.asking
        return Drawn(ids, classes, asked)
