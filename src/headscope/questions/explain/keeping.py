"""Explained texts as a run's store keeps them, so that a stopped run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from headscope.questions.explain.tables import Explained
from headscope.results.shards import ShardState

WORDS = ("text", "number", "label", "tokens", "sides", "removed", "becomes")
NUMBERS = ("probability", "saturated")


class Text(NamedTuple):
    """The answers to one text, explained, and what a reader must know of it."""

    explained: list[Explained]
    notes: list[str]


def to_state(text: Text) -> ShardState:
    """Arrays and plain values."""
    arrays: dict[str, np.ndarray] = {}
    for place, answer in enumerate(text.explained):
        arrays[f"importance-{place}"] = answer.importance
        arrays[f"special-{place}"] = answer.special
        arrays[f"passes-{place}"] = answer.passes
        arrays[f"numbers-{place}"] = np.array([getattr(answer, name) for name in NUMBERS])
    words = [{name: getattr(answer, name) for name in WORDS} for answer in text.explained]
    return arrays, {"answers": words, "notes": text.notes}


def from_state(state: ShardState) -> Text:
    """The text that `to_state` was given."""
    arrays, meta = state
    return Text(_answers(arrays, meta["answers"]), meta["notes"])


def _answers(arrays: dict[str, np.ndarray], words: Sequence[dict[str, Any]]) -> list[Explained]:
    return [
        Explained(
            **said,
            **dict(zip(NUMBERS, arrays[f"numbers-{place}"].tolist(), strict=True)),
            special=arrays[f"special-{place}"],
            passes=arrays[f"passes-{place}"],
            importance=arrays[f"importance-{place}"],
        )
        for place, said in enumerate(words)
    ]
