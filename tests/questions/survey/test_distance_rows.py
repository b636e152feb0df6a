"""Distances between many heads use some rows of each segment, and say how far that may be off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from headscope import survey
from headscope.analyses.analysis import Setting
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.heads import Head, Stack
from headscope.measures.sampling import cautious_error
from headscope.models import Model
from headscope.models import forecast as room
from headscope.models.forecast import distance_rows, forward_operations
from headscope.questions.survey import answer
from headscope.questions.survey.distances import Distances, DistancesWork
from headscope.text import Spans, read

TEXT = "ships pass the old lighthouse at night and he writes every name into a small book of his own"
TEXTS = [" ".join(np.random.default_rng(number).permutation(TEXT.split())) + "." for number in range(6)]


def heads_of(count: int) -> list[Head]:
    return [Head("encoder", 0, index) for index in range(count)]


def test_rows_by_hand(bert: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "CHEAP", 60_000)
    monkeypatch.setattr(room, "forward_operations", lambda model, pieces: 0.0)
    # 45 pairs x 32 keys x 32 rows are 46,080; 190 pairs need 6,080 for a row: 9 rows.
    assert distance_rows(bert, 32, 4, heads_of(10)) is None
    assert distance_rows(bert, 32, 4, heads_of(20)) == 9
    assert distance_rows(bert, 32, 4, heads_of(500)) == 2
    # A slower model has the time: 100 x 6,080 comparisons cost as much as its own pass.
    monkeypatch.setattr(room, "forward_operations", lambda model, pieces: 60.0 * 20 * 6080)
    assert distance_rows(bert, 32, 4, heads_of(20)) == 20


def test_operations_of_a_pass_by_hand(bert: Model) -> None:
    embedding = bert.module.get_input_embeddings().weight.numel()
    weights = sum(weight.numel() for weight in bert.module.parameters()) - embedding
    width, layers = bert.module.config.hidden_size, bert.module.config.num_hidden_layers
    assert forward_operations(bert, 10) == 20 * weights + 4 * layers * width * 100


def distances(
    model: Model, texts: list[str], rows: int | None, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Divergences of each pair of heads once, and their errors, (pair,)."""
    plan = Plan(Setting(model, seed=seed), [Distances(rows)], 32, 16, Spans(pair=False))
    ((means, variances, doubts),) = [run(plan, read(texts), "survey").tallies["distances"].values()]
    found = means.result(), cautious_error(variances.total, doubts.total) / means.count
    first, second = np.triu_indices(len(found[0]), 1)
    return found[0][first, second], found[1][first, second]


@pytest.mark.parametrize(("texts", "rows"), [(1, 8), (3, 2), (6, 6)])
def test_a_sample_is_off_by_what_it_says(bert: Model, texts: int, rows: int) -> None:
    """However few the segments and rows: pairs of one seed share their rows, so that many seeds are asked."""
    whole, no_error = distances(bert, TEXTS[:texts], None)
    assert not no_error.any()
    sampled = [distances(bert, TEXTS[:texts], rows, seed) for seed in range(100)]
    ratios = np.array([np.abs(found - whole) / error for found, error in sampled])
    assert np.mean(ratios > 3) <= 0.01
    # The errors are not merely large: half of all deviations are beyond a few tenths of them.
    assert np.median(ratios) > (0.1 if rows == 2 else 0.3)


def test_a_sampled_survey_tells_its_error_and_does_not_depend_on_batches(
    bert: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "distance_rows", lambda *_: 4)
    options = {"pieces": 32, "gradients": False}
    one, many = (survey(bert, TEXTS[:6], batch_size=size, **options) for size in (1, 8))
    assert any("distances use 4 query rows of each segment" in note for note in one.notes)
    pairs, names = one.table("divergences"), one.arrays["heads"]["head"].values.tolist()
    first, second = ([names.index(name) for name in pairs[side]] for side in ("first", "second"))
    np.testing.assert_array_equal(
        pairs["error"], one.arrays["heads"]["divergence_error"].values[first, second]
    )
    for name in ("divergence", "divergence_error"):
        np.testing.assert_allclose(
            one.arrays["heads"][name].values, many.arrays["heads"][name].values, rtol=1e-4, atol=1e-7
        )


def test_sampling_all_rows_is_no_sampling(bert: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"pieces": 32, "gradients": False}
    whole = survey(bert, TEXTS[:3], **options).arrays["heads"]["divergence"].values
    monkeypatch.setattr(answer, "distance_rows", lambda *_: 32)
    found = survey(bert, TEXTS[:3], **options)
    sampled = found.arrays["heads"]
    assert not found.table("divergences")["error"].any()
    np.testing.assert_array_equal(sampled["divergence"].values, whole)
    assert not sampled["divergence_error"].values.any()


@pytest.mark.parametrize(("heard", "limit", "used"), [(2, None, 2), (8, 3, 3)])
def test_of_rows_that_are_not_heard_no_error_is_told(
    bert: Model, monkeypatch: pytest.MonkeyPatch, heard: int, limit: int | None, used: int
) -> None:
    """Distances take their rows from those that are heard; a short segment may have fewer of these."""
    monkeypatch.setattr(answer, "distance_rows", lambda *_: limit)
    sizes: list[int] = []
    update = DistancesWork._update

    def noting(self: DistancesWork, stack: Stack, maps: torch.Tensor, *given: Any) -> None:
        sizes.append(maps.shape[1])
        update(self, stack, maps, *given)

    monkeypatch.setattr(DistancesWork, "_update", noting)
    found = survey(bert, TEXTS[:3], pieces=32, gradients=False, rows=heard)
    assert len(sizes) >= 3 and 0 < min(sizes) <= max(sizes) == used
    pairs = found.table("divergences")
    assert len(pairs) and pairs["error"].isna().all() and pairs["divergence"].notna().all()
    assert any(f"distances use {used} query rows" in note and "not known" in note for note in found.notes)
