"""BShift: whether two neighbouring words have changed places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headscope.questions.sentences.making.examples import Example, Parts, half_of_each_part
from headscope.text import Document

INVERTED, ORIGINAL = "I", "O"
QUOTES = frozenset(('"', "``", "''", "“", "”", "„", "«", "»"))
"""A sentence with one of these is left out, as in the paper."""


def bigram_shifts(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Half of the sentences with two neighbours exchanged, the others as they were.

    Neither the first word nor punctuation moves, and the two are not equal.
    """
    usable = [(sentence, _movable(sentence.surfaces())) for sentence in sentences]
    usable = [(sentence, places) for sentence, places in usable if places]
    inverted = half_of_each_part([sentence.id for sentence, _ in usable], parts, draw)
    examples = []
    for (sentence, places), is_inverted in zip(usable, inverted, strict=True):
        words = sentence.surfaces()
        if is_inverted:
            words = exchanged(words, places[draw.integers(len(places))])
        label = INVERTED if is_inverted else ORIGINAL
        examples.append(Example(words, label, sentence.id, parts.of(sentence.id)))
    return examples


def exchanged(words: tuple[str, ...], place: int) -> tuple[str, ...]:
    """The words with that at a place and the one behind it exchanged.

    >>> exchanged(("what", "you", "can", "do"), 1)
    ('what', 'can', 'you', 'do')
    """
    return (*words[:place], words[place + 1], words[place], *words[place + 2 :])


def _movable(words: Sequence[str]) -> list[int]:
    """The places whose word may change places with the next one."""
    if QUOTES & set(words):
        return []
    named = [any(letter.isalnum() for letter in word) for word in words]
    return [
        place
        for place in range(1, len(words) - 1)
        if named[place] and named[place + 1] and words[place].lower() != words[place + 1].lower()
    ]
