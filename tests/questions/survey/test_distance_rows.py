"""Distances between many heads use some rows of each segment, and say how far that may be off."""

from __future__ import annotations

import numpy as np
import pytest

from headscope import survey
from headscope.heads import Head
from headscope.models import Model
from headscope.models import forecast as room
from headscope.models.forecast import distance_rows, forward_operations
from headscope.questions.survey import answer

TEXT = "ships pass the old lighthouse at night and he writes every name into a small book of his own"
TEXTS = [" ".join(np.random.default_rng(number).permutation(TEXT.split())) + "." for number in range(40)]


def heads_of(count: int) -> list[Head]:
    return [Head("encoder", 0, index) for index in range(count)]


def test_rows_by_hand(bert: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHEAP", 60_000)
    monkeypatch.setattr(room, "forward_operations", lambda model, pieces: 0.0)
    # 45 pairs x 32 keys x 32 rows are 46,080; 190 pairs need 6,080 for a row: 9 rows, evened down.
    assert distance_rows(bert, 32, 4, heads_of(10)) is None
    assert distance_rows(bert, 32, 4, heads_of(20)) == 8
    assert distance_rows(bert, 32, 4, heads_of(500)) == 2
    # A slower model has the time: 100 x 6,080 comparisons cost as much as its own pass.
    monkeypatch.setattr(room, "forward_operations", lambda model, pieces: 60.0 * 20 * 6080)
    assert distance_rows(bert, 32, 4, heads_of(20)) == 20


def test_operations_of_a_pass_by_hand(bert: Model) -> None:
    embedding = bert.module.get_input_embeddings().weight.numel()
    weights = sum(weight.numel() for weight in bert.module.parameters()) - embedding
    width, layers = bert.module.config.hidden_size, bert.module.config.num_hidden_layers
    assert forward_operations(bert, 10) == 20 * weights + 4 * layers * width * 100


def test_a_sample_is_off_by_what_it_says(bert: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"pieces": 32, "gradients": False}
    whole = survey(bert, TEXTS, **options).arrays["heads"]
    assert "divergence_error" not in whole
    upper = np.triu_indices(whole.sizes["head"], 1)
    beyond, ratios = [], []
    for seed in range(6):
        monkeypatch.setattr(answer, "distance_rows", lambda *_: 6)
        sampled = survey(bert, TEXTS, seed=seed, **options).arrays["heads"]
        off = np.abs(sampled["divergence"].values - whole["divergence"].values)[upper]
        error = sampled["divergence_error"].values[upper]
        beyond.append(off > 3 * error)
        ratios.append(off / error)
    # The standard error is neither too small nor too large: normal deviations have a root mean square of 1.
    assert np.mean(beyond) <= 0.01
    assert 0.6 < np.sqrt(np.mean(np.square(ratios))) < 1.5


def test_a_sampled_survey_tells_its_error_and_does_not_depend_on_batches(
    bert: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "distance_rows", lambda *_: 4)
    options = {"pieces": 32, "gradients": False}
    one, many = (survey(bert, TEXTS[:6], batch_size=size, **options) for size in (1, 8))
    assert any("distances use 4 query rows of each segment" in note for note in one.notes)
    for name in ("divergence", "divergence_error"):
        np.testing.assert_allclose(
            one.arrays["heads"][name].values, many.arrays["heads"][name].values, rtol=1e-4, atol=1e-7
        )


def test_sampling_all_rows_is_no_sampling(bert: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"pieces": 32, "gradients": False}
    whole = survey(bert, TEXTS[:3], **options).arrays["heads"]["divergence"].values
    monkeypatch.setattr(answer, "distance_rows", lambda *_: 32)
    sampled = survey(bert, TEXTS[:3], **options).arrays["heads"]
    np.testing.assert_array_equal(sampled["divergence"].values, whole)
    assert not sampled["divergence_error"].values.any()
