"""Sentences of prune, from tables made by hand."""

from __future__ import annotations

from typing import Any

from tests.questions.told import told

TASK = "classification: test.tsv"


def step(order: str, removed: int, score: float) -> dict[str, Any]:
    own = {"task": TASK, "metric": "accuracy", "order": order, "removed": removed, "share": removed / 72}
    return own | {"score": score, "change": score - 0.894}


def area(order: str, area: float, p: float, task: str = TASK) -> dict[str, Any]:
    return {"task": task, "order": order, "area": area, "low": None, "high": None, "random": 0.79, "p": p}


CURVES = [
    step("importance", 0, 0.894), step("importance", 29, 0.889), step("importance", 43, 0.876),
    step("importance", 58, 0.89),
]  # fmt: skip


def test_what_was_found() -> None:
    size = {"what": "parameters", "before": 22_713_216.0, "after": 20_943_744.0, "ratio": 0.922}
    fast = {"batch_size": 64, "ratio": 1.24, "ratio_low": 1.18, "ratio_high": 1.27, "ceiling": 1.23}
    made = told(
        "prune",
        pruning=CURVES,
        pruning_areas=[
            area("importance", 0.84, 0.0196), area("gates", 0.842, 0.0196), area("reversed", 0.9, 0.0196),
            area("importance", 0.99, 0.0196, "earlier"),
        ],
        pruned_model=[{"what": "heads", "before": 72.0, "after": 36.0, "ratio": 0.5}, size],
        speed=[{**fast, "batch_size": 1}, fast],
    )  # fmt: skip
    assert made == [
        ("Removing heads by importance costs less than at random: the mean score on the way is 84 %, in "
         "random orders 79 % (p = 0.0196).", True, None),
        ("With 29 heads gone (40 %, by importance), accuracy is 89 %, a change of -0.5 points; whether "
         "that is chance was not tested.", False, None),
        ("Of other orders, “gates” has the highest mean score, 84 %; whether that is chance was not tested.",
         False, None),
        ("The smaller model keeps 20,943,744 of 22,713,216 parameters (92 %).", True, None),
        ("The smaller model is faster: in batches of 64, 1.24 times (1.18 to 1.27 times) as fast, where 1.23 "
         "times could be reached.", True, None),
    ]  # fmt: skip


def test_what_is_open() -> None:
    slow = {"batch_size": 64, "ratio": 1.04, "ratio_low": 0.98, "ratio_high": 1.27, "ceiling": 1.23}
    made = told("prune", pruning=CURVES, pruning_areas=[area("importance", 0.84, 0.2)], speed=[slow])
    assert made[0] == (
        "That removing heads by importance costs less than at random is not shown: the mean score on the "
        "way is 84 %, in random orders 79 % (p = 0.2).",
        False,
        None,
    )
    assert made[-1][:2] == (
        "That the smaller model is faster is not shown: in batches of 64, 1.04 times (0.98 to 1.27 times) as "
        "fast, where 1.23 times could be reached.",
        False,
    )


def test_without_random_orders_nothing_is_held_against_importance() -> None:
    made = told("prune", pruning=CURVES, pruning_areas=[area("importance", 0.84, float("nan"))])
    assert [text.partition(" heads")[0] for text, _, _ in made] == ["With 29"]
