"""What is said of heads from sums: which are found beside several twins, and which are named."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from headscope.analyses.census import Census
from headscope.analyses.closeness import Closeness
from headscope.engine.planning import reading_setting
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.questions.structure import scores
from headscope.questions.structure.options import Options
from headscope.text import Sentences
from tests.trees import corpus, treebank


@pytest.fixture(scope="module")
def dataset(bert) -> xr.Dataset:
    trees = corpus(*treebank(12))
    setting, _ = reading_setting(bert, Options(treebank=trees))
    plan = Plan(setting, [Closeness(Census.of(trees, "ud", 0))], 64, 8, Sentences())
    (made,) = plan.arrays(run(plan, trees, "closeness"))
    return made


def worse(dataset: xr.Dataset) -> xr.Dataset:
    """Far from true trees."""
    beside = dataset["beside"].copy()
    beside[..., 0] += 1000.0
    return dataset.assign(beside=beside)


def test_a_head_is_found_if_no_twin_has_a_better_one(dataset: xr.Dataset) -> None:
    """A twin that equals the model has a head that is as good as its best; worse twins do not excuse it."""
    tests = scores.tests_table(dataset, 0).assign(closer=True)
    assert scores.heads_table(dataset, [worse(dataset)], tests, 0)["found"].any()
    assert not scores.heads_table(dataset, [worse(dataset), dataset], tests, 0)["found"].any()


def test_a_head_that_could_not_be_scored_is_not_named(dataset: xr.Dataset) -> None:
    """One block chooses, and none is left to score the choice on."""
    block = int(np.argmax(scores.dataset_asked(dataset).sum(1) > 0))
    best = scores.best_table(dataset.isel(block=[block]), [], 0)
    assert best["gain"].isna().all()
    assert np.all(best[["head", "other_head", "same_data_head"]] == "")
