"""The published counting of heads against trees (Clark et al. 2019, table 1), written anew.

As there: word-level maps of all sentences lie in memory in float16, with the special tokens as first and last
word; one predictor at a time (a head in one direction, or an offset) goes over all sentences, and its
predictions are counted word by word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

OFFSETS = range(-3, 3)


@dataclass(frozen=True)
class Example:
    """A sentence: words, heads (1-based, 0 for the root), relations, maps (layer, head, word, word)."""

    words: tuple[str, ...]
    heads: list[int]
    relations: tuple[str, ...]
    maps: np.ndarray

    def rounded(self) -> Example:
        """The same with maps in float16, as they are kept there."""
        return replace(self, maps=self.maps.astype(np.float16))


Predictor = Callable[[Example], Sequence[int]]


def head_predictor(layer: int, head: int, transposed: bool) -> Predictor:
    """The most attended other word, or the one that attends most."""

    def predict(example: Example) -> Sequence[int]:
        weights = np.array(example.maps[layer, head])
        weights = weights.T if transposed else weights
        weights[range(len(weights)), range(len(weights))] = 0
        chosen: Sequence[int] = np.argmax(weights[1:-1, 1:-1], axis=-1) + 1
        return chosen

    return predict


def offset_predictor(offset: int) -> Predictor:
    """The word at a fixed distance, held inside the sentence."""

    def predict(example: Example) -> Sequence[int]:
        size = len(example.words)
        return [max(0, min(place + offset + 1, size)) for place in range(size)]

    return predict


def evaluate(examples: Sequence[Example], predict: Predictor) -> dict[str, float]:
    """Percent right of each relation, counted word by word."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for example in examples:
        for guess, head, relation in zip(predict(example), example.heads, example.relations, strict=True):
            for name in (relation, "all"):
                if guess == head:
                    right[name] += 1
                else:
                    wrong[name] += 1
    return {name: 100 * right[name] / (right[name] + wrong[name]) for name in right | wrong}


def evaluate_all(examples: Sequence[Example]) -> dict[tuple[int, int, bool], dict[str, float]]:
    """Every head in both directions; offsets are gone through as well, as there."""
    layers, heads = examples[0].maps.shape[:2]
    for offset in OFFSETS:
        evaluate(examples, offset_predictor(offset))
    return {
        (layer, head, transposed): evaluate(examples, head_predictor(layer, head, transposed))
        for layer in range(layers)
        for head in range(heads)
        for transposed in (False, True)
    }
