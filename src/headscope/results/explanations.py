"""Explained texts kept beside a result: how much each piece mattered for a model's answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import xarray as xr

from headscope.errors import RunError
from headscope.results.look import Answer, Axis, Explanation, Way

_NAME = re.compile(r"explanation_(\d+)")


def is_explanation(name: str) -> bool:
    """Whether arrays of that name are an explained text.

    >>> is_explanation("explanation_0"), is_explanation("heads")
    (True, False)
    """
    return _NAME.fullmatch(name) is not None


def explanation_arrays(explanations: Sequence[Explanation]) -> dict[str, xr.Dataset]:
    """Explained texts as arrays by name."""
    return {f"explanation_{number}": stored(each) for number, each in enumerate(explanations)}


def read_explanations(arrays: Mapping[str, xr.Dataset]) -> list[Explanation]:
    """The texts that `explanation_arrays` was given, in their order."""
    numbered = {int(match[1]): name for name in arrays if (match := _NAME.fullmatch(name)) is not None}
    try:
        return [restored(arrays[numbered[number]]) for number in sorted(numbered)]
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(
            f"the explained texts are not as headscope writes them ({error!r}); "
            "restore arrays.zarr, or run the command again with another --out"
        ) from error


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
