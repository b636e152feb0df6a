"""Sentences of adversary: each claim once, of the net that says most, and of the groups themselves."""

from __future__ import annotations

import pandas as pd

from headscope.questions.adversary.declared import TABLES
from headscope.questions.adversary.findings import findings
from headscope.questions.adversary.kinds import MIXED, PLAIN, SAME
from headscope.questions.adversary.tables import curve_table, regimes_table
from headscope.results.result import Result
from tests.questions.adversary.test_verdicts import given, planted, told


def test_each_claim_is_told_once() -> None:
    frozen = pd.concat([given(0.89).assign(net=net) for net in (MIXED, PLAIN, SAME)])
    runs = planted(8)
    half = (runs["penalty"] == 0.003) & (runs["seed"] % 2 == 0)
    runs.loc[half, "score"] = 0.735 + 0.001 * runs.loc[half, "seed"]
    tables = {"verdict": told(runs, frozen), "regimes": regimes_table(runs, 0), "curve": curve_table(runs)}
    result = Result("adversary", {}, tables, declared=TABLES)
    texts = [each.text for each in findings(result)]
    assert [text for text in texts if text.startswith("Maps of the model help")] == texts[1:2]
    assert "(same)" in texts[1] and sum("the less maps help" in text for text in texts) <= 1
    (groups,) = (text for text in texts if "not of one normal distribution" in text)
    assert "4 of 8 score 74 %" in groups and "(attention 0.37" in groups


def test_what_is_decided_is_told_before_what_is_open() -> None:
    frozen = pd.concat([given(0.751).assign(net=SAME), given(0.89).assign(net=PLAIN)])
    even = pd.concat([given(0.7).assign(net=PLAIN, maps=name) for name in ("even", "random", "itself")])
    runs = planted(controls=0.73)
    table = told(runs, pd.concat([frozen, even]))
    result = Result("adversary", {}, {"verdict": table, "curve": curve_table(runs)}, declared=TABLES)
    (carried,) = (each.text for each in findings(result) if "aps of the model" in each.text)
    assert carried.startswith("Maps of the model help another net (mixed words beside the own)")


def test_adversaries_that_learned_nothing_are_told_first() -> None:
    runs = planted()
    result = Result("adversary", {}, {"verdict": told(runs), "curve": curve_table(runs)}, declared=TABLES)
    assert "only" not in findings(result)[0].text
    runs["agreement"] = 0.7
    result = Result("adversary", {}, {"verdict": told(runs), "curve": curve_table(runs)}, declared=TABLES)
    text = findings(result)[0].text
    assert text.startswith("What attention is worth is open: already at penalty 0") and "70" in text
