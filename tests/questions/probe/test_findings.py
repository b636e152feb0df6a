"""Sentences of probe, from tables made by hand."""

from __future__ import annotations

from typing import Any

from tests.questions.told import told

ATTENTION, WORDS = "attention only", "attention and words"


def score(probe: str, mean: float, beside: str, beside_mean: float, sure: bool) -> dict[str, Any]:
    above = mean - beside_mean
    own = {"probe": probe, "measure": "uas", "mean": mean, "low": mean - 0.01, "high": mean + 0.01}
    other = {"beside": beside, "beside_mean": beside_mean, "sure": sure}
    return own | other | {"above": above, "above_low": above - 0.02, "above_high": above + 0.02}


def drop(head: str, drop: float, sure: bool) -> dict[str, Any]:
    own = {"probe": ATTENTION, "head": head, "drop": drop, "low": drop - 0.01, "high": drop + 0.01}
    return own | {"sure": sure}


def control(probe: str, uas: float, score: float) -> dict[str, Any]:
    selectivity = uas - score
    own = {"probe": probe, "uas": uas, "control": score, "selectivity": selectivity}
    return own | {"low": selectivity - 0.03, "high": selectivity + 0.03}


def test_what_was_found() -> None:
    made = told(
        "probe",
        probe_summary=[
            score("right-branching", 0.3, "", float("nan"), False),
            score(ATTENTION, 0.55, "attention only, random twins", 0.16, True),
            score(WORDS, 0.67, "distances and words", 0.66, False),
        ],
        probe_heads=[drop("L1H4", 0.031, True), drop("L0H0", 0.01, False)],
        probe_control=[control(ATTENTION, 0.55, 0.34), control(WORDS, 0.67, 0.55)],
    )
    assert made == [
        ("The probe “attention only” finds the heads of 55 % (54 to 56 %) of the words, “attention only, "
         "random twins” those of 16 %: a difference of +39.0 points (+37.0 to +41.0 points).", True, None),
        ("The probe “attention and words” finds the heads of 67 % (66 to 68 %) of the words, “distances and "
         "words” those of 66 %; that it finds more is not shown: +1.0 points (-1.0 to +3.0 points).",
         False, None),
        ("The probe “attention only” leans most on head L1H4: without it, its score falls by 3.1 "
         "points.", True,
         "L1H4"),
        ("The probe “attention only” did more than learn by heart: right in 55 % of the words, in the "
         "control task in 34 %, selectivity +21.0 points (+18.0 to +24.0 points).", True, None),
        ("That the probe “attention and words” did more than learn by heart is not shown, as it is not "
         "shown to find more than its baseline: right in 67 % of the words, in the control task in 55 %, "
         "selectivity +12.0 points (+9.0 to +15.0 points).", False, None),
    ]  # fmt: skip


def test_why_an_interval_above_nothing_is_not_enough() -> None:
    """It is of documents alone, or of one head alone."""
    made = told(
        "probe",
        probe_summary=[score(ATTENTION, 0.55, "attention only, random twins", 0.16, False)],
        probe_heads=[drop("L1H4", 0.014, False)],
    )
    assert made == [
        ("The probe “attention only” finds the heads of 55 % (54 to 56 %) of the words, “attention only, "
         "random twins” those of 16 %: a difference of +39.0 points (+37.0 to +41.0 points) over documents; "
         "that it holds for other seeds and twins is not shown.", False, None),
        ("On which heads the probe “attention only” leans is open: the largest drop, 1.4 points without "
         "L1H4, may be chance among so many heads.", False, "L1H4"),
    ]  # fmt: skip


def test_what_is_open() -> None:
    summary = [score(ATTENTION, 0.2, "right-branching", 0.3, False)]
    made = told("probe", probe_summary=summary, probe_heads=[drop("L0H1", 0.002, False)])
    assert made == [
        ("The probe “attention only” finds the heads of 20 % (19 to 21 %) of the words, “right-branching” "
         "those "
         "of 30 %; that it finds more is not shown: -10.0 points (-12.0 to -8.0 points).", False, None),
        ("On which heads the probe “attention only” leans is open; the largest drop, without L0H1: +0.2 "
         "points (-0.8 to +1.2 points).", False, "L0H1"),
    ]  # fmt: skip
