"""Answers of a trained classifier to labelled texts, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from headscope.explainers import Asked, ask
from headscope.explainers.words import Words, sentences_of, words_of
from headscope.models import Model, sides_of
from headscope.tasks.data import open_task
from headscope.text import Segment

TEXTS, PIECES = 128, 128
"""Texts of a batch, and the most pieces of one."""


class Answered(NamedTuple):
    """What is asked of a batch, its words, and whether each answer is the right label, (answer,).

    Where the model weighs sentences, these are in the place of words.
    """

    asked: Asked
    words: Words
    right: np.ndarray


def answered(model: Model, data: str, limit: int | None = None, pieces: int = PIECES) -> Iterator[Answered]:
    """Every text of a file, or so many, up to so many pieces of each."""
    units_of = sentences_of if "document" in model.stacks() else words_of
    task, corpus, _, _ = open_task(model, data, limit=limit)
    cut = (part for document in corpus for part in task.cutter(document, model.tokenizer, pieces))
    segments = (part for part in cut if isinstance(part, Segment))
    for batch in model.batches(segments, TEXTS):
        sides = task.prepare(sides_of(model, batch))
        asked = ask(model, sides)
        assert sides.labels is not None
        yield Answered(asked, units_of(asked), (asked.entries == sides.labels).cpu().numpy())
