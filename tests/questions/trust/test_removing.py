"""Sets of words are run once, whichever order led there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headscope.explainers import removal
from headscope.models import load
from headscope.questions.trust.erasing import Erasing
from headscope.questions.trust.removing import Without
from tests.cli.labelled import save_model
from tests.questions.trust.test_answering import answered, segments


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many changed texts each call runs."""
    counted: list[int] = []
    of = removal.changed_texts

    def counting(*given: object, **more: object) -> removal.Changed:
        changed = of(*given, **more)  # type: ignore[arg-type]
        counted.append(len(changed.texts))
        return changed

    monkeypatch.setattr(removal, "changed_texts", counting)
    return counted


def test_nothing_is_run_twice(tmp_path: Path, run: list[int]) -> None:
    model = load(save_model(tmp_path / "classifier"))
    batch = answered(model, "classification", segments(model, "classification")[:2])
    without, size = Without(batch, "mask"), batch.words.most
    single = np.broadcast_to(np.eye(size, dtype=bool), (2, size, size))
    wanted = np.zeros((2, size), bool)
    wanted[0, :3] = True
    some, decisions = without(single, wanted)
    assert run == [3] and np.isnan(some[~wanted]).all() and (decisions[~wanted] == -1).all()
    every, _ = without(single[:, :4])
    assert run == [3, 5] and np.array_equal(every[0, :3], some[0, :3])
    again, _ = without(single[:, :4])
    assert len(run) == 2 and np.array_equal(again, every)
    np.testing.assert_allclose(Without(batch, "mask")(single[:, :4])[0], every, rtol=1e-5)


def test_an_order_is_followed_until_the_answer_changes(tmp_path: Path) -> None:
    """In as many steps as there are, the same share as where all of them are run."""
    model = load(save_model(tmp_path / "classifier"))
    batch = answered(model, "classification", segments(model, "classification"))
    random = np.random.default_rng(0).random((3, 6, batch.words.most))
    importance = np.where(batch.words.real.numpy()[:, None], random, np.nan)
    erasing = Erasing(batch, "mask", 0)
    measured = erasing.measured(importance)
    np.testing.assert_array_equal(erasing.until(importance, 20), measured.until)
    np.testing.assert_array_equal(erasing.areas(importance), measured.aopc)
