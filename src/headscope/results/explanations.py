"""Explained texts kept beside a result: how much each piece mattered for a model's answers."""

from __future__ import annotations

from dataclasses import asdict

import xarray as xr

from headscope.results.look import Answer, Axis, Explanation, Way
from headscope.results.numbered import Numbered


def stored(explanation: Explanation) -> xr.Dataset:
    """An explained text as it is kept: importance (way, answer, piece) and seen (answer, piece)."""
    return xr.Dataset(
        {
            "importance": (("way", "answer", "piece"), explanation.importance),
            "seen": (("answer", "piece"), explanation.seen),
        },
        attrs={
            "title": explanation.title,
            "model": explanation.model,
            "axes": [asdict(axis) for axis in explanation.axes],
            "answers": [asdict(answer) for answer in explanation.answers],
            "ways": [asdict(way) for way in explanation.ways],
        },
    )


def restored(kept: xr.Dataset) -> Explanation:
    """The text that `stored` was given; what was offered, and notes, are not kept."""
    about = kept.attrs
    axes = [Axis(**axis) for axis in about["axes"]]
    answers = [Answer(str(answer["label"]), float(answer["probability"])) for answer in about["answers"]]
    ways = [Way(**way) for way in about["ways"]]
    importance, seen = kept["importance"].values.astype(float), kept["seen"].values.astype(bool)
    pieces = sum(len(axis.pieces) for axis in axes)
    if importance.shape != (len(ways), len(answers), pieces) or seen.shape != importance.shape[1:]:
        raise ValueError(f"importances {importance.shape} do not fit the tokens")
    return Explanation(str(about["title"]), str(about["model"]), axes, answers, ways, importance, seen)


EXPLANATIONS = Numbered("explanation", "explained texts", stored, restored)
