"""Sequence to sequence: a target for every text, known pieces first or written from nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import torch

from headscope.errors import InputError
from headscope.models import Sides
from headscope.tasks.metrics import BLEU, ORDERS, PIECE_ACCURACY, Metric
from headscope.tasks.predictions import IGNORED, sequence_to_sequence
from headscope.tasks.task import Scores
from headscope.text import Cutter, Document, Translated

_UNKNOWN = ("<?>", "<unknown>")
"""What stands for a word that is not known where it was written, and where it was wanted."""

_TIMES, _MORE = 2, 10
"""A translation is broken off at so many times the pieces of its source, and so many more."""


@dataclass(frozen=True)
class Translation:
    """An encoder-decoder with an output layer.

    The loss is that of the true target, each piece predicted from those before it. The metric is the share
    of pieces predicted so, or BLEU of what the model writes itself, always taking the likeliest piece.

    longest: most pieces of an input that the model takes, None for no limit.
    """

    tokenizer: Any
    metric: Metric = PIECE_ACCURACY
    longest: int | None = None
    name: ClassVar[str] = "translation"

    @property
    def cutter(self) -> Cutter:
        return Translated()

    @property
    def replayable(self) -> bool:
        return self.metric is not BLEU

    def check(self, document: Document) -> None:
        if not (document.target or "").strip():
            raise InputError(f"document '{document.id}' has no target; name its column (--target)")

    def prepare(self, sides: Sides) -> Sides:
        return sides

    def score(self, module: Any, sides: Sides) -> Scores:
        logits, labels = sequence_to_sequence(module, sides)
        scores = Scores.of(logits, labels)
        if self.replayable:
            return scores
        pairs = self.texts(module, sides)
        return replace(scores, statistics=np.stack([bleu_statistics(*pair) for pair in pairs]))

    def texts(self, module: Any, sides: Sides) -> list[tuple[list[str], list[str]]]:
        """For each example the words that the model writes, and those that were wanted.

        Both go through the tokenizer, which may change letters and part punctuation. A word that it does not
        know is a word all the same, and matches none.
        """
        assert sides.labels is not None
        known = [row[row != IGNORED] for row in sides.labels.cpu()]
        written = [self._words(row, _UNKNOWN[0]) for row in self._written(module, sides)]
        return list(zip(written, (self._words(row, _UNKNOWN[1]) for row in known), strict=True))

    def _words(self, row: torch.Tensor, unknown: str) -> list[str]:
        gone, ids = self.tokenizer.unk_token_id, row.tolist()
        edges = [-1, *(place for place, id in enumerate(ids) if id == gone and gone is not None), len(ids)]
        runs = [ids[before + 1 : after] for before, after in pairwise(edges)]
        texts = self.tokenizer.batch_decode(runs, skip_special_tokens=True)
        return f" {unknown} ".join(texts).split()

    def _written(self, module: Any, sides: Sides) -> list[torch.Tensor]:
        """The model's own translations; where one is broken off depends on its own source alone."""
        most = _TIMES * torch.from_numpy(sides.source.lengths) + _MORE
        if self.longest is not None:
            most = most.clamp_max(self.longest - 1)  # the start token takes a place too
        names = ("input_ids", "attention_mask")
        with torch.no_grad():
            written = module.generate(
                **{name: sides.inputs[name] for name in names},
                do_sample=False,
                num_beams=1,
                max_new_tokens=int(most.max()),
            )
        return [row[: 1 + limit] for row, limit in zip(written.cpu(), most.tolist(), strict=True)]


def bleu_statistics(written: Sequence[str], true: Sequence[str]) -> np.ndarray:
    """What `BLEU` sums: matches and possible matches of one to four words, length, reference length, (10,).

    A run of words matches at most as often as it is in the reference: Papineni et al. 2002, section 2.1.

    >>> bleu_statistics("the the the cat".split(), "the cat sat".split())
    array([2., 1., 0., 0., 4., 3., 2., 1., 4., 3.])
    """
    matches = [(_runs(written, size) & _runs(true, size)).total() for size in range(1, ORDERS + 1)]
    possible = [max(0, len(written) - size + 1) for size in range(1, ORDERS + 1)]
    return np.array([*matches, *possible, len(written), len(true)], dtype=np.float64)


def _runs(words: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(size)), strict=False))
