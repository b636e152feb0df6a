"""The picture of best heads and baselines by type of mention."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from headscope.drawing.style import DOUBLE
from headscope.questions.pictures import available, draw
from headscope.results.result import Result
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")
TYPES = ["all", "pronoun", "proper", "nominal"]
RULES = ["nearest", "head match", "head match or nearest", "sieves"]


def made(twin: float = 0.1) -> Result:
    types = pd.DataFrame(
        {
            "type": TYPES, "mentions": [1000, 600, 150, 250], "accuracy": [0.5, 0.55, 0.6, 0.25],
            "low": [0.45, 0.5, 0.5, 0.125], "high": [0.55, 0.6, 0.7, 0.375],
            "chosen": ["L2H9", "L2H4", "L2H9", "L1H1"],
            "other_chosen": ["L2H9", "L2H9", "L2H9", "L1H1"], "twin": [twin] * 4,
            "paper_head": [0.65, 0.64, 0.73, 0.58],
        }
    )  # fmt: skip
    rules = pd.DataFrame([
        {"type": kind, "baseline": name, "accuracy": 0.2 + 0.15 * place, "low": 0.15 + 0.15 * place,
         "high": 0.25 + 0.15 * place, "paper": np.nan if name == "head match or nearest" else 0.3}
        for kind in TYPES for place, name in enumerate(RULES)
    ])  # fmt: skip
    return Result("coref", tables={"coref_types": types, "coref_baselines": rules})


def test_it_is_drawn_for_its_own_results_alone() -> None:
    assert available(made()) == ["coref"]
    assert "coref" not in available(build_survey())


def test_values_and_the_papers_are_drawn() -> None:
    figure = draw("coref", made())
    (axes,) = figure.axes
    drawn = {str(line.get_label()): np.asarray(line.get_ydata()) for line in axes.lines}
    assert drawn["best head, chosen on other documents"].tolist() == [0.5, 0.55, 0.6, 0.25]
    assert drawn["paper: best head, chosen on other documents"].tolist() == [0.65, 0.64, 0.73, 0.58]
    assert drawn["rules in four sieves"] == pytest.approx([0.65] * 4)
    assert np.isnan(drawn["paper: same head word, else nearest"]).all()
    assert figure.get_figwidth() == DOUBLE
    assert axes.get_xticklabels()[1].get_text() == "pronoun\n600 mentions"
    assert [text.get_text() for text in axes.texts] == ["L2H9", "L2H4\nL2H9", "L2H9", "L1H1"]
    segments = [tuple(part[:, 1]) for lines in axes.collections for part in lines.get_segments()]
    assert (0.125, 0.375) in segments


def test_without_twins_or_a_type_the_rest_is_drawn() -> None:
    result = made(twin=np.nan)
    result.tables["coref_types"].loc[3, ["accuracy", "low", "high"]] = np.nan
    figure = draw("coref", result)
    assert "random twin" not in [text.get_text() for text in figure.legends[0].get_texts()]
    assert len(figure.axes[0].texts) == 3


def test_nothing_published_stands_where_there_are_no_mentions() -> None:
    result = made()
    result.tables["coref_types"].loc[2, "mentions"] = 0
    result.tables["coref_types"].loc[2, ["accuracy", "low", "high", "twin"]] = np.nan
    (axes,) = draw("coref", result).axes
    papers = {str(line.get_label()): line for line in axes.lines if str(line.get_label()).startswith("paper")}
    values = np.stack([np.asarray(line.get_ydata(), float) for line in papers.values()])
    assert np.isnan(values[:, 2]).all() and (~np.isnan(values[:, [0, 1, 3]])).any()
    assert axes.get_xticklabels()[2].get_text() == "proper\n0 mentions"
