"""Words with what they receive, made up: as `Words` holds them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from headscope.questions.keywords.words import Words
from headscope.text import Document

VOCABULARY = [f"{first}{second}" for first in "bdfgk" for second in ("a", "e", "i", "o", "u")]


def made_words(documents: int, size: int = 30, heads: int = 4, seed: int = 0) -> Words:
    """Texts of random words, whose keywords are drawn at random, and random attention."""
    draw = np.random.default_rng(seed)
    texts = []
    for number in range(documents):
        chosen = draw.choice(VOCABULARY, size)
        keys = tuple(draw.choice(np.unique(chosen), 3, replace=False).tolist())
        texts.append(replace(Document.from_words(f"d{number}", chosen.tolist()), keywords=keys))
    surface = [word for text in texts for word in text.surfaces()]
    key = np.array([word in (text.keywords or ()) for text in texts for word in text.surfaces()])
    received = draw.lognormal(size=(len(surface), 3, heads)).astype(np.float16)
    part = np.arange(documents) % 3
    return Words(
        texts,
        part,
        np.zeros(heads, np.int64),
        np.repeat(np.arange(documents), size),
        np.tile(np.arange(size), documents),
        surface,
        key,
        np.full((len(surface), 3), float(size), np.float32),
        received,
    )


def planted(words: Words, head: int, gain: float) -> Words:
    """The same, with one head that gives keywords so many times as much."""
    received = words.received.astype(np.float32)
    received[words.key, :, head] *= gain
    return replace(words, received=received.astype(np.float16))
