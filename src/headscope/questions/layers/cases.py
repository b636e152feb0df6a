"""Single targets on which layers disagree: what the probes say of them, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from headscope.probes.edge_shelf import TASK
from headscope.probes.edges import EdgeBatch
from headscope.questions.layers.targets import Labels

CASES, SHOWN, AROUND = 3, 4, 8
"""Cases of a task; labels of a case; words on either side of its spans."""


class Cases:
    """Looks at all that is scored and keeps what is most telling: where probes change their mind, and by how
    much of what they believe: total variation between layers, where they say another label.
    """

    def __init__(self) -> None:
        self._found: list[tuple[float, dict[str, Any]]] = []

    def __call__(self, batch: EdgeBatch, probabilities: torch.Tensor) -> None:
        gold = batch.labels[TASK].numpy()
        chances = probabilities.numpy()  # (probe, target, label)
        said = chances.argmax(-1)
        moved = np.abs(np.diff(chances, axis=0)).sum(-1) / 2  # (probe - 1, target)
        telling = np.where(gold < 0, 0.0, (moved * (np.diff(said, axis=0) != 0)).sum(0))
        for target in np.argsort(-telling, kind="stable")[:CASES].tolist():
            if telling[target] > 0:
                self._keep(float(telling[target]), batch, chances[:, target], int(gold[target]), target)

    def _keep(self, telling: float, batch: EdgeBatch, chances: np.ndarray, gold: int, target: int) -> None:
        segment = batch.segments[target].tolist()
        if any(found["segment"] == segment and score >= telling for score, found in self._found):
            return
        case = {
            "segment": segment,
            "spans": batch.places[target].tolist(),
            "gold": gold,
            "chances": chances.astype(float).tolist(),
        }
        others = [(score, found) for score, found in self._found if found["segment"] != segment]
        self._found = sorted([*others, (telling, case)], key=lambda pair: -pair[0])[:CASES]

    def told(self, labels: Labels, words: Callable[[int, int], Sequence[str]]) -> list[dict[str, Any]]:
        """The cases in words; words: those of a segment, by its shard and place."""
        return [_told(case, labels, words(*case["segment"])) for _, case in self._found]


def _told(case: dict[str, Any], labels: Labels, words: Sequence[str]) -> dict[str, Any]:
    """Text with the spans in brackets, the true label, and (layer, label) chances of those that matter."""
    chances, gold = np.array(case["chances"]), case["gold"]
    largest = chances.max(0)
    largest[gold] = np.inf  # the true one is always shown
    shown = np.argsort(-largest, kind="stable")[:SHOWN]
    return {
        "text": marked(words, case["spans"]),
        "gold": labels.names[gold],
        "labels": [labels.names[label] for label in shown.tolist()],
        "chances": chances[:, shown].tolist(),
        "said": [labels.names[label] for label in chances.argmax(1).tolist()],
    }


def marked(words: Sequence[str], spans: Sequence[Sequence[int]]) -> str:
    """The words around some spans, these in brackets; the second one's are curly.

    >>> marked("She saw the old dog".split(), [[1, 2], [2, 5]])
    'She [saw] {the old dog}'
    """
    edges = [edge for span in spans for edge in span]
    first, last = max(0, min(edges) - AROUND), min(len(words), max(edges) + AROUND)
    told = ["..."] if first else []
    for place in range(first, last):
        word = words[place]
        for (start, end), brackets in zip(spans, ("[]", "{}"), strict=False):
            word = (brackets[0] if place == start else "") + word + (brackets[1] if place == end - 1 else "")
        told.append(word)
    return " ".join([*told, *(["..."] if last < len(words) else [])])
