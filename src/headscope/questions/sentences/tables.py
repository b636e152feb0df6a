"""Tables and arrays of what was read off sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from headscope.questions.sentences.erasures import dimensions_table, erasure_table
from headscope.questions.sentences.outcomes import Outcomes
from headscope.questions.sentences.published import (
    HUMAN,
    LOGISTIC,
    MAJORITY,
    PERCEPTRON,
    PUBLISHED,
    VECTORS,
)
from headscope.questions.sentences.reading import Task

LEVEL = 0.05
"""Of all tasks together: an interval of a difference is the wider, the more tasks there are."""


def tables_of(outcomes: Outcomes, few: Sequence[Task], least: int) -> dict[str, pd.DataFrame]:
    """All tables, by name."""
    scores = scores_table(outcomes)
    return {
        "sentence_tasks": tasks_table([*outcomes.tasks, *few], least),
        "sentence_summary": summary_table(outcomes, scores),
        "sentence_scores": scores,
        "sentence_layers": pd.DataFrame(list(_layer_rows(outcomes))),
        "sentence_baselines": baselines_table(outcomes),
        "sentence_erasure": erasure_table(outcomes),
        "sentence_dimensions": dimensions_table(outcomes),
    }


def tasks_table(tasks: Sequence[Task], least: int) -> pd.DataFrame:
    """One row per task, also of those that have too few examples."""
    rows = [
        {
            "task": task.name,
            "source": task.source,
            "labels": len(task.labels),
            "examples": len(task.examples),
            **{name: task.count(split) for name, split in (("train", "tr"), ("tune", "va"), ("test", "te"))},
            "probed": not task.lacks(least),
            "lacks": task.lacks(least),
        }
        for task in tasks
    ]
    return pd.DataFrame(rows)


def scores_table(outcomes: Outcomes) -> pd.DataFrame:
    """One row per task: the layer that tuning chooses, beside baselines, a random twin and the last layer."""
    return pd.DataFrame([_score(outcomes, task.name) for task in outcomes.tasks])


def _score(outcomes: Outcomes, task: str) -> dict[str, Any]:
    pooling, best = outcomes.model.pooling[task], outcomes.best(task)
    right = outcomes.right(task).astype(float)
    level = 1 - LEVEL / len(outcomes.tasks)
    low, high = outcomes.interval(task, right[best])
    baselines = {name: answers.astype(float) for name, answers in outcomes.beside[task].items()}
    beside = max(baselines, key=lambda name: baselines[name].mean())
    above = right[best] - baselines[beside]
    above_low, above_high = outcomes.interval(task, above, level)
    twin = outcomes.twin(task, pooling)
    drawn = right[best] - twin[best] if twin is not None else np.full(right.shape[1], np.nan)
    drawn_low, drawn_high = outcomes.interval(task, drawn, level)
    middle, last = (_at(outcomes, right, layer) for layer in (outcomes.middle, outcomes.last))
    fall = middle - last if outcomes.has_both else np.full(right.shape[1], np.nan)
    fall_low, fall_high = outcomes.interval(task, fall, level)
    return {
        "task": task,
        "layer": outcomes.layers[best],
        "pooling": pooling,
        "accuracy": right[best].mean(),
        "low": low.item(),
        "high": high.item(),
        "beside": beside,
        "beside_accuracy": baselines[beside].mean(),
        "above": above.mean(),
        "above_low": above_low.item(),
        "above_high": above_high.item(),
        "sure": bool(above_low > 0),
        "twin": np.nan if twin is None else twin[best].mean(),
        "above_twin": drawn.mean(),
        "above_twin_low": drawn_low.item(),
        "above_twin_high": drawn_high.item(),
        "middle": middle.mean(),
        "last": last.mean(),
        "fall": fall.mean(),
        "fall_low": fall_low.item(),
        "fall_high": fall_high.item(),
        "published_vectors": PUBLISHED.get((task, VECTORS), np.nan),
        "published_human": PUBLISHED.get((task, HUMAN), np.nan),
    }


def _at(outcomes: Outcomes, right: np.ndarray, layer: int) -> np.ndarray:
    """The answers over a layer of the model, (example,); NaN where it was not chosen."""
    if layer not in outcomes.layers:
        return np.full(right.shape[1], np.nan)
    own: np.ndarray = right[outcomes.layers.index(layer)]
    return own


def summary_table(outcomes: Outcomes, scores: pd.DataFrame) -> pd.DataFrame:
    """One row: over how many tasks something holds; NaN where the last layer has no middle one beside it."""
    has_both = outcomes.has_both
    row = {
        "tasks": len(scores),
        "above": int(scores["sure"].sum()),
        "middle_layer": outcomes.middle,
        "last_layer": outcomes.last,
        "lower": int((scores["fall"] > 0).sum()) if has_both else np.nan,
        "surely_lower": int((scores["fall_low"] > 0).sum()) if has_both else np.nan,
    }
    return pd.DataFrame([row])


def _layer_rows(outcomes: Outcomes) -> Iterator[dict[str, Any]]:
    """Every classifier over every layer, task by task."""
    for task in (task.name for task in outcomes.tasks):
        for pooling, arrays in outcomes.model.regressed[task].items():
            twin = outcomes.twin(task, pooling)
            low, high = outcomes.interval(task, arrays["right"])
            for place, layer in enumerate(outcomes.layers):
                yield {
                    **_layer_row(task, LOGISTIC, pooling, layer, arrays["right"][place]),
                    "low": low[place],
                    "high": high[place],
                    "spread": np.nan,
                    "tuned": arrays["tuned"][place],
                    "setting": f"penalty {arrays['strength'][place]:g}",
                    "twin": np.nan if twin is None else twin[place].mean(),
                }
        if task in outcomes.model.perceived:
            yield from _perceptron_rows(outcomes, task)


def _perceptron_rows(outcomes: Outcomes, task: str) -> Iterator[dict[str, Any]]:
    arrays = outcomes.model.perceived[task]
    each = arrays["right"].mean(2)  # (seed, layer)
    low, high = outcomes.interval(task, arrays["right"].mean(0))
    hidden, rate = arrays["hidden"].item(), arrays["dropout"].item()
    for place, layer in enumerate(outcomes.layers):
        row = _layer_row(task, PERCEPTRON, outcomes.model.pooling[task], layer, arrays["right"][:, place])
        yield {
            **row,
            "low": low[place],
            "high": high[place],
            "spread": each[:, place].std(ddof=1) if len(each) > 1 else np.nan,
            "tuned": arrays["tuned"][place],
            "setting": f"{hidden} hidden, dropout {rate:g}",
            "twin": np.nan,
        }


def _layer_row(task: str, classifier: str, pooling: str, layer: int, right: np.ndarray) -> dict[str, Any]:
    return {
        "task": task,
        "classifier": classifier,
        "pooling": pooling,
        "layer": layer,
        "accuracy": right.mean(),
    }


def baselines_table(outcomes: Outcomes) -> pd.DataFrame:
    """One row per task and baseline, the published number beside it."""
    rows = []
    for task in (task.name for task in outcomes.tasks):
        for name, right in outcomes.beside[task].items():
            low, high = outcomes.interval(task, right)
            rows.append(
                {
                    "task": task,
                    "baseline": name,
                    "accuracy": right.mean(),
                    "low": low.item(),
                    "high": high.item(),
                    "published": PUBLISHED.get((task, name), np.nan),
                }
            )
    return pd.DataFrame(rows)


def arrays_of(outcomes: Outcomes) -> xr.Dataset:
    """`accuracy` (task, pooling, layer) of logistic regression; `effect` (task, layer, dim) of erasing, in
    nats; `erased` and `erased_random` (task, layer, gone), accuracy while dimensions go."""
    names = [task.name for task in outcomes.tasks]
    poolings = list(outcomes.asked.poolings)
    accuracy = [[outcomes.right(task, pooling).mean(1) for pooling in poolings] for task in names]
    erased = {
        kind: np.stack([outcomes.model.erased[task][kind] for task in names])
        for kind in ("effects", "curve", "random")
    }
    data = {
        "accuracy": (("task", "pooling", "layer"), np.array(accuracy)),
        "majority": ("task", [outcomes.beside[task][MAJORITY].mean() for task in names]),
        "effect": (("task", "layer", "dim"), erased["effects"]),
        "erased": (("task", "layer", "gone"), erased["curve"]),
        "erased_random": (("task", "layer", "gone"), erased["random"]),
    }
    return xr.Dataset(data, coords={"task": names, "pooling": poolings, "layer": outcomes.layers})
