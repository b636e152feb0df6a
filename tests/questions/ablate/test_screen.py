"""What is printed after an ablation, from tables made by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from headscope.questions import VERBS
from headscope.questions.ablate.screen import TWO_TESTS, screen
from headscope.results.result import Result
from tests.questions.ablate.test_findings import effect, layer, summary


@pytest.mark.parametrize(
    ("verdict", "low", "is_told"),
    [("worse", -0.2, False), ("worse", -0.5, True), ("undecided", -0.5, False)],
)
def test_that_a_test_and_an_interval_may_disagree_is_told(verdict: str, low: float, is_told: bool) -> None:
    """The interval of an effect of -.25 reaches as far up as down."""
    head = effect(-0.25, verdict, 0.002, head="L5H1", loss_low=0.0, loss_high=0.1)
    head |= {"low": low, "high": -0.5 - low}
    whole = layer(5, -0.3, "worse") | {"loss_low": 0.0, "loss_high": 0.1}
    tables = {"ablation_summary": summary(**{verdict: 1}), "ablation": [head], "ablation_layers": [whole]}
    frames = {name: pd.DataFrame(rows) for name, rows in tables.items()}
    frames["ablation_summary"]["loss"] = 0.3
    frames["ablation"]["score"] = frames["ablation_layers"]["score"] = 0.6
    shown = screen(Result("ablate", tables=frames, declared=VERBS["ablate"].tables))
    assert (TWO_TESTS in [one.title for one in shown]) == is_told
