"""Roles through training: rows of every checkpoint, and onsets by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import headscope
from headscope.errors import ModelError
from headscope.questions.checkpoints import Point
from headscope.questions.survey.series import onsets_table
from tests.questions.survey.noise import untrained_causal
from tests.questions.survey.test_rules import causal_head

TOLD = ("red", "blue", "old", "new", "slow", "last", "next")
QUICK = {"pieces": 32, "made": 3, "distances": False, "gradients": False}
TEXT = ["The old ship passed the old keeper.", "He wrote its name."]


def test_every_checkpoint_is_surveyed_as_it_would_be_alone(tmp_path: Path) -> None:
    first, second, model = (untrained_causal(tmp_path, seed) for seed in (1, 2, 3))
    result = headscope.survey(model, TEXT, checkpoints=[first, second], **QUICK)
    series = result.table("series")
    assert series["checkpoint"].drop_duplicates().tolist() == ["causal-1", "causal-2", "causal-3"]
    again = headscope.survey(model, TEXT, checkpoints=[first, model], **QUICK).table("series")
    assert again["checkpoint"].drop_duplicates().tolist() == ["causal-1", "causal-3"]
    alone = headscope.survey(second, TEXT, **QUICK).table("heads")
    own = series[series["checkpoint"] == "causal-2"]
    assert own["induction"].to_numpy() == pytest.approx(alone["induction"].to_numpy())
    assert own["previous_token"].to_numpy() == pytest.approx(alone["previous"].to_numpy())
    assert own["role"].tolist() == alone["role"].tolist()
    assert "series" not in headscope.survey(model, TEXT, **QUICK).tables


def test_a_series_is_compared_as_its_surveys_are(tmp_path: Path) -> None:
    first, model = (untrained_causal(tmp_path, seed) for seed in (1, 2))
    text = [f"The {word} ship passed its old keeper." for word in TOLD]
    headscope.survey(model, text, checkpoints=[first], out=tmp_path / "run", plots=False, **QUICK)
    assert headscope.compare([tmp_path / "run"]).table("differences")["measure"].nunique() > 3
    own = headscope.compare([tmp_path / "run"], measure=["entropy"]).table("differences")
    assert set(own["pair"]) == {"causal-1 → run"}
    for place in (first, model):
        headscope.survey(place, text, out=tmp_path / f"of-{place.name}", plots=False, **QUICK)
    runs = [tmp_path / f"of-{place.name}" for place in (first, model)]
    apart = headscope.compare(runs, measure=["entropy"]).table("differences")
    assert own.drop(columns="pair").equals(apart.drop(columns="pair")) and own["significant"].any()


def test_a_model_that_is_its_last_checkpoint_is_compared_once(tmp_path: Path) -> None:
    first, model = (untrained_causal(tmp_path, seed) for seed in (1, 2))
    headscope.survey(model, TEXT, checkpoints=[first, model], out=tmp_path / "run", plots=False, **QUICK)
    table = headscope.compare([tmp_path / "run"]).table("differences")
    assert set(table["pair"]) == {"causal-1 → causal-2"} and "induction" in set(table["measure"])


def test_equal_checkpoints_are_refused(tmp_path: Path) -> None:
    first = untrained_causal(tmp_path, 1)
    (tmp_path / "again").mkdir()
    again = untrained_causal(tmp_path / "again", 1)
    with pytest.raises(ModelError, match="same weights"):
        headscope.survey(untrained_causal(tmp_path, 2), TEXT, checkpoints=[first, again], **QUICK)


def test_onsets_by_hand() -> None:
    shares = [{}, {"previous": 0.6}, {"previous": 0.7}, {"previous": 0.9, "induction": 0.6}]
    points = [Point("", f"step-{place}", causal_head(**own)) for place, own in enumerate(shares)]
    table = onsets_table(points).set_index("role")
    assert table["checkpoint"].to_dict() == {
        "previous token": "step-1", "first-token sink": "", "duplicate token": "", "induction": "step-3",
    }  # fmt: skip
    assert table["order"]["previous token"] == 1 and table["order"]["induction"] == 2
    assert np.isnan(table["order"]["duplicate token"])
    assert table["score"]["induction"] == 0.6


def test_what_is_lost_again_has_no_onset() -> None:
    points = [Point("", str(place), causal_head(induction=score)) for place, score in enumerate((0.9, 0.1))]
    assert onsets_table(points).set_index("role")["checkpoint"]["induction"] == ""
