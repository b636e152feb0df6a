"""Verdicts on claims, as the page gets them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from headscope.questions.trust.declared import TABLES
from headscope.results.vocabulary import NO, NOT_TESTED, UNDECIDED, YES
from headscope.web.report.tables import RunTable
from headscope.web.report.verdicts import verdicts_of
from headscope.web.report_wire import Mark

CLAIMS = pd.DataFrame(
    {
        "claim": ["ranks", "decides", "is needed", "is stable"],
        "verdict": [YES, NO, UNDECIDED, NOT_TESTED],
        "means": ["it ranks", "it decides", "it is needed", "it is stable"],
        "value": [0.5, 0.25, 0.1, np.nan],
        "value_low": [0.4, 0.2, 0.0, np.nan],
        "value_high": [0.6, 0.3, 0.2, np.nan],
        "baseline": [0.1, 0.2, 0.3, np.nan],
        "ceiling": [0.75, np.nan, np.nan, np.nan],
        "why": ["", "", "too few texts", np.nan],
    }
)


def test_each_claim_is_a_card() -> None:
    verdicts = list(verdicts_of([RunTable("trust", "claims", CLAIMS, TABLES["claims"])]))
    assert [verdict.holds for verdict in verdicts] == [True, False, None, None]
    assert [verdict.verdict for verdict in verdicts] == [YES, NO, UNDECIDED, NOT_TESTED]
    assert [verdict.why for verdict in verdicts] == ["", "", "too few texts", ""]
    says = "its number, over answers"
    assert verdicts[0].mark == Mark(says, "0.5 (0.4 to 0.6)", 0.5, 0.4, 0.6, 0.1, [0.75])
    assert verdicts[1].mark is not None and verdicts[1].mark.others == [None]
    assert verdicts[3].mark is None
    assert (verdicts[2].table, verdicts[2].row, verdicts[2].means) == ("claims", 2, "it is needed")


def test_tables_that_judge_no_claims_have_none() -> None:
    assert list(verdicts_of([RunTable("other", "claims", CLAIMS, TABLES["swaps"])])) == []
