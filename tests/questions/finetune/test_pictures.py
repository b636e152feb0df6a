"""The picture of a training: losses, scores, and the weights that were kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from headscope.drawing.style import DOUBLE
from headscope.questions.pictures import available, draw
from headscope.results.result import Result
from tests.questions.survey.results import build_survey

pytestmark = pytest.mark.filterwarnings("error")


def build(marks: int = 12, kept: int = 7, alone: float = 0.5, test: bool = True) -> Result:
    epoch = np.arange(1, marks + 1) / 4
    training = pd.DataFrame(
        {
            "epoch": epoch,
            "train_loss": 0.7 * np.exp(-epoch),
            "dev_loss": 0.3 + 0.02 * epoch,
            "dev_score": 0.9 - 0.03 / epoch,
            "chosen": np.arange(marks) == kept,
        }
    )
    rows = [("dev", "accuracy", 0.89, 0.88, 0.9, alone), ("test", "accuracy", 0.88, 0.87, 0.89, alone)]
    scores = pd.DataFrame(rows, columns=["data", "metric", "score", "low", "high", "constant"])
    return Result("finetune", tables={"training": training, "finetuned": scores if test else scores[:1]})


def lines(axes) -> list[list[float]]:
    return [np.asarray(line.get_ydata(), float).tolist() for line in axes.lines]


def test_it_is_drawn_for_its_own_results_alone() -> None:
    assert available(build()) == ["training"]
    assert "training" not in available(build_survey())


def test_losses_scores_and_the_kept_weights_are_drawn() -> None:
    result = build()
    figure = draw("training", result)
    losses, score = figure.axes
    course = result.table("training")
    assert {tuple(course["train_loss"]), tuple(course["dev_loss"])} <= {tuple(line) for line in lines(losses)}
    assert (100 * course["dev_score"]).tolist() in lines(score) and [88.0] in lines(score)
    assert all(any(np.allclose(line.get_xdata(), 2.0) for line in axes.lines) for axes in figure.axes)
    low, high = score.collections[0].get_segments()[0][:, 1]
    assert (low, high) == pytest.approx((87.0, 89.0))
    assert score.get_ylim()[0] > 70, "the baseline does not flatten the curve"
    assert score.get_ylabel() == "accuracy (%)" and losses.get_ylim()[0] == 0
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "training data, with dropout", "dev data", "weights kept", "test data: 88.0 %",
    ]  # fmt: skip
    assert [text.get_text() for text in score.texts] == ["↓ best label alone: 50.0 %"]
    assert figure.get_figwidth() == DOUBLE


def test_one_evaluation_without_test_data_and_baseline_is_drawn() -> None:
    figure = draw("training", build(1, 0, np.nan, test=False))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "training data, with dropout", "dev data", "weights kept",
    ]  # fmt: skip


@pytest.mark.parametrize(("alone", "is_line"), [(0.1, False), (0.86, True), (0.99, False)])
def test_what_the_legend_names_is_in_the_picture(alone: float, is_line: bool) -> None:
    figure = draw("training", build(alone=alone))
    score = figure.axes[1]
    low, high = score.get_ylim()
    name = f"best label alone: {100 * alone:.1f} %"
    assert (name in [text.get_text() for text in figure.legends[0].get_texts()]) == is_line
    assert ([100 * alone] * 2 in lines(score)) == is_line == (low <= 100 * alone <= high)
    assert [text.get_text()[2:] for text in score.texts] == ([] if is_line else [name])
