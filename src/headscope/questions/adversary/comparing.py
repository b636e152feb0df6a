"""A trained model beside the one on trial: its score, its answers, its attention, its rankings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch

from headscope.attention import Site
from headscope.measures.information import total_variation
from headscope.measures.kendall import paired_taus
from headscope.measures.map_divergence import pairs_apart
from headscope.measures.matching import matched
from headscope.measures.statistics import ratio
from headscope.models import Model, Sides
from headscope.questions.adversary.hearing import Inputs, Known, Listening, real_rows, some_texts
from headscope.questions.adversary.kinds import MEASURES
from headscope.tasks.predictions import IGNORED
from headscope.tasks.task import Task

RANKED, QUERIES = 100, 16
"""Texts whose rankings are compared, and queries of each: all pairs of keys of every query take long."""

PAIRS = 2**21
"""Pairs of keys that are ranked at a time."""

Ranked = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of some queries of a text: own and the base's weights, (head, query, key), and what they see."""


class Caught:
    """A module that keeps the logits of its last pass."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self.logits: torch.Tensor

    def __call__(self, **inputs: Any) -> Any:
        outputs = self._module(**inputs)
        self.logits = outputs.logits
        return outputs


class Comparing:
    """Sums over the texts that all are scored on; hears_maps: whether the attention is in use."""

    def __init__(self, model: Model, base: Known, task: Task, hears_maps: bool = True) -> None:
        self.model, self.base, self.task, self.hears_maps = model, base, task, hears_maps
        self._statistics: list[np.ndarray] = []
        self._answers: list[np.ndarray] = []
        self._pairs: dict[Site, dict[str, np.ndarray]] = {site: {} for site in base.sites}
        self._ranked: dict[Site, list[Ranked]] = {site: [] for site in base.sites}
        self._texts = dict.fromkeys(base.sites, 0)

    def row(self, prepared: Sequence[Sides]) -> dict[str, float]:
        """All measures over some batches."""
        caught, listening = Caught(self.model.module), Listening(self.model, self.base.sites)
        ranked = {id(text) for text in some_texts(prepared, RANKED)}
        self.model.module.eval()
        with torch.no_grad(), listening.attached() if self.hears_maps else nullcontext():
            for sides in prepared:
                scores = self.task.score(caught, sides)
                self._statistics.append(scores.statistics)
                self._take_answers(caught.logits, sides, scores.loss)
                if self.hears_maps:
                    chosen = [row for row, text in enumerate(sides.segments) if id(text) in ranked]
                    self._take_maps(listening, sides.inputs, chosen)
        return self._told()

    def _take_answers(self, logits: torch.Tensor, sides: Sides, losses: torch.Tensor) -> None:
        """Of each example its loss, and means over its answers of what tells them from the base's."""
        assert sides.labels is not None
        chances, known = self.base.answers(sides.inputs), sides.labels != IGNORED
        own = logits.softmax(-1)
        moved = total_variation(own, chances)
        same = (own.argmax(-1) == chances.argmax(-1)).to(moved)
        counts = known.reshape(len(known), -1).sum(1).clamp_min(1)
        means = [(each * known).reshape(len(known), -1).sum(1) / counts for each in (moved, same)]
        second = own.argmax(-1) == 1, sides.labels == 1
        both = (second[0] & second[1], *second) if logits.ndim == 2 and logits.shape[-1] == 2 else None
        hits = (
            [torch.full_like(losses, torch.nan)] * 3 if both is None else [each.to(losses) for each in both]
        )
        self._answers.append(torch.stack([losses, *means, *hits], 1).double().cpu().numpy())

    def _take_maps(self, listening: Listening, inputs: Inputs, ranked: Sequence[int]) -> None:
        """Sums over the texts that have a query; rows of `ranked` are kept to rank their keys."""
        maps = self.base.maps(inputs)
        for site in self.base.sites:
            heard = listening.heard[site]
            real = real_rows(heard, inputs)
            self._texts[site] += int(real.any(1).sum())
            for name, values in pairs_apart(heard.weights, maps[site], real).items():
                sums = self._pairs[site]
                sums[name] = sums.get(name, 0.0) + values.double().sum(0).cpu().numpy()
            visible = (heard.visible & real[:, None, :, None]).expand(len(real), 1, *heard.weights.shape[2:])
            for row in ranked:
                seen = visible[row, 0].cpu().numpy()
                some = _spread(np.flatnonzero(seen.sum(1) > 1), QUERIES)
                both = (each[row][:, some].cpu().numpy() for each in (heard.weights, maps[site]))
                self._ranked[site].append((*both, seen[some]))

    def _told(self) -> dict[str, float]:
        losses, moved, same, hits, said, true = np.concatenate(self._answers).T
        score = float(self.task.metric.value(np.concatenate(self._statistics).sum(0)))
        told = dict.fromkeys(MEASURES, np.nan) | {
            "score": score,
            "f1": float(ratio(2 * hits.sum(), said.sum() + true.sum())),
            "loss": float(losses.mean()),
            "variation": float(moved.mean()),
            "half_variation": float(moved.mean() / 2),
            "agreement": float(same.mean()),
        }
        return told | (self._of_maps() if self.hears_maps else {})

    def _of_maps(self) -> dict[str, float]:
        """By the numbers of heads, and of heads matched within their layer, mean over all heads."""
        found: dict[str, list[np.ndarray]] = {}
        partners: dict[Site, np.ndarray] = {}
        for site, sums in self._pairs.items():
            means = {name: each / max(1, self._texts[site]) for name, each in sums.items()}
            partners[site] = matched(means["jsd"])
            own = np.arange(site.heads)
            for name, heads in (
                ("jsd", means["jsd"][own, own]),
                ("jsd_matched", means["jsd"][own, partners[site]]),
                ("kl", means["kl"][own, own]),
                ("kl_matched", means["kl"][own, partners[site]]),
                ("top", means["top"][own, partners[site]]),
            ):
                found.setdefault(name, []).append(heads)
        told = {name: float(np.concatenate(heads).mean()) for name, heads in found.items()}
        return told | {"tau": self._tau(partners)}

    def _tau(self, partners: dict[Site, np.ndarray]) -> float:
        """Kendall's tau-b of what the keys of a query get, of matched heads, mean over queries."""
        taus = [
            each
            for site, texts in self._ranked.items()
            for own, base, seen in texts
            for each in _taus(own, base[partners[site]], seen)
        ]
        known = np.concatenate(taus) if taus else np.empty(0)
        known = known[~np.isnan(known)]
        return float(known.mean()) if len(known) else np.nan


def _spread(places: np.ndarray, count: int) -> np.ndarray:
    """So many of the places at most, evenly from the first to the last.

    >>> _spread(np.arange(9), 3).tolist(), _spread(np.arange(2), 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    if len(places) <= count:
        return places
    some: np.ndarray = places[np.linspace(0, len(places) - 1, count).astype(int)]
    return some


def _taus(own: np.ndarray, base: np.ndarray, seen: np.ndarray) -> Iterator[np.ndarray]:
    """Of every head and query, (head, query, key) and (query, key), some at a time."""
    keys = np.flatnonzero(seen.any(0))
    rows = np.broadcast_to(seen[None], own.shape)
    first, second = (np.where(rows, maps, np.nan)[..., keys].reshape(-1, len(keys)) for maps in (own, base))
    size = max(1, PAIRS // max(1, len(keys)) ** 2)
    for part in range(0, len(first), size):
        one, two = first[part : part + size], second[part : part + size]
        yield paired_taus(one, two, np.full(len(one), len(keys))).tau
