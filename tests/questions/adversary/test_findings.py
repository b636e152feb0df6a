"""Sentences of adversary: each claim once, of the net that says most, and of the groups themselves."""

from __future__ import annotations

import pandas as pd

from headscope.questions.adversary.declared import TABLES
from headscope.questions.adversary.findings import findings
from headscope.questions.adversary.kinds import MIXED, PLAIN, SAME
from headscope.questions.adversary.tables import regimes_table
from headscope.results.result import Result
from tests.questions.adversary.test_verdicts import given, planted, told


def test_each_claim_is_told_once() -> None:
    frozen = pd.concat([given(0.89).assign(net=net) for net in (MIXED, PLAIN, SAME)])
    runs = planted(8)
    half = (runs["penalty"] == 0.003) & (runs["seed"] % 2 == 0)
    runs.loc[half, "score"] = 0.735 + 0.001 * runs.loc[half, "seed"]
    tables = {"verdict": told(runs, frozen), "regimes": regimes_table(runs, 0)}
    result = Result("adversary", {}, tables, declared=TABLES)
    texts = [each.text for each in findings(result)]
    assert [text for text in texts if text.startswith("Maps of the model help")] == texts[1:2]
    assert "(same)" in texts[1] and sum("the less maps help" in text for text in texts) <= 1
    (groups,) = (text for text in texts if "not of one normal distribution" in text)
    assert "4 of 8 score 74 %" in groups and "(attention 0.37" in groups
