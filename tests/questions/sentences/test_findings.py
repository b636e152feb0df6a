"""Sentences of sentences, from tables made by hand."""

from __future__ import annotations

from typing import Any

from tests.questions.told import told


def score(task: str, accuracy: float, beside: float, sure: bool) -> dict[str, Any]:
    above = accuracy - beside
    return {
        "task": task, "layer": 3, "pooling": "mean", "accuracy": accuracy, "low": accuracy - 0.02,
        "high": accuracy + 0.02, "beside": "bag of vectors", "beside_accuracy": beside, "above": above,
        "above_low": above - 0.03, "above_high": above + 0.03, "sure": sure,
    }  # fmt: skip


def summary(above: int, lower: int, surely: int) -> dict[str, Any]:
    counts = {"tasks": 2, "above": above, "lower": lower, "surely_lower": surely}
    return counts | {"middle_layer": 3, "last_layer": 6}


def erasure(task: str, half: float, chance: float) -> dict[str, Any]:
    own = {"task": task, "layer": 3, "dimensions": 384, "half": half, "half_random": chance}
    return own | {"leading": "17, 3, 8"}


def test_what_was_found() -> None:
    made = told(
        "sentences",
        sentence_scores=[score("BShift", 0.67, 0.5, True), score("SentLen", 0.84, 1.0, False)],
        sentence_summary=[summary(1, 2, 2)],
        sentence_erasure=[erasure("BShift", 20.0, 200.0)],
        sentence_tasks=[
            {"task": "BShift", "examples": 900, "labels": 2, "probed": True},
            {"task": "CoordInv", "examples": 90, "labels": 2, "probed": False},
        ],
    )
    assert made == [
        ("BShift gains most over what needs no model: 67 % (65 to 69 %) of the answers at layer 3 are right, "
         "50 % by “bag of vectors”, a difference of +17.0 points (+14.0 to +20.0 points).", True, None),
        ("In 1 of 2 tasks, the layer that tuning chooses beats every baseline.", True, None),
        ("The last layer (6) is worse than the middle one (3) on 2 of 2 tasks, on 2 of them beyond chance.",
         True, None),
        ("Half of what layer 3 gains for BShift is gone without 20 of its 384 dimensions, in random order "
         "without 200; it leans most on 17, 3, 8.", True, None),
        ("Nothing is said of CoordInv, which has too little to go by: 90 examples, 2 labels.", False, None),
    ]  # fmt: skip


def test_what_is_open() -> None:
    made = told(
        "sentences",
        sentence_scores=[score("BShift", 0.51, 0.5, False), score("Tense", 0.7, 0.9, False)],
        sentence_summary=[summary(0, 1, 0)],
        sentence_erasure=[erasure("BShift", float("nan"), float("nan"))],
        sentence_tasks=[{"task": "BShift", "examples": 900, "labels": 2, "probed": True}],
    )
    assert [decided for _, decided, _ in made] == [False] * 4
    assert made[0][0].startswith(
        "That any task gains over what needs no model is not shown; nearest is BShift"
    )
    assert "is not shown: it is on 1 of 2, on 0 of them beyond chance" in made[2][0]
    assert made[3][0].startswith(
        "On which of the 384 dimensions of layer 3 a classifier of BShift leans is open"
    )


def test_nothing_is_said_of_layers_that_were_not_asked_for() -> None:
    made = told(
        "sentences",
        sentence_scores=[score("BShift", 0.67, 0.5, True)],
        sentence_summary=[summary(1, 0, 0) | {"lower": float("nan"), "surely_lower": float("nan")}],
        sentence_erasure=[erasure("BShift", 20.0, 200.0)],
        sentence_tasks=[{"task": "BShift", "examples": 900, "labels": 2, "probed": True}],
    )
    assert len(made) == 3 and not any("last layer" in text for text, *_ in made)
