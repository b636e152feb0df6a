"""Fine-tuning chooses weights on other examples, stops when told to, and goes on to the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from headscope.errors import ModelError
from headscope.tasks.checkpoints import Memory
from headscope.tasks.course import Course, Descent
from headscope.tasks.examples import Examples
from headscope.tasks.finetuning import FineTuning, evaluate
from headscope.tasks.journey import Mark
from headscope.tasks.learner import Arrays
from tests.tasks.learning import classifier, labelled, prepared, tagged, tagger, texts
from tests.tasks.stopping import Kept, Stop, Stopped, without_time
from tests.threads import one_thread  # noqa: F401

ROWS, OTHERS = texts(60, seed=1), texts(20, seed=2)
COURSE = Course(epochs=2, batch_size=8, evaluations=3)


def training(
    wordpiece, course: Course = COURSE, rate: float = 3e-3, kind: str = "classification"
) -> FineTuning:
    model, task = classifier(wordpiece) if kind == "classification" else tagger(wordpiece)
    corpora = [labelled(rows) if kind == "classification" else tagged(rows) for rows in (ROWS, OTHERS)]
    train, dev = (prepared(model, task, corpus) for corpus in corpora)
    return FineTuning(model.module, task, Examples.of(train), dev, course, Descent(rate))


def weights(module: torch.nn.Module) -> dict[str, bytes]:
    return {name: one.detach().numpy().tobytes() for name, one in module.named_parameters()}


@pytest.fixture(scope="module")
def whole(wordpiece) -> tuple[dict[str, bytes], list[Mark]]:
    one = training(wordpiece)
    marks = one.run(Memory())
    return weights(one.module), marks


def test_a_rule_is_learned(wordpiece) -> None:
    course = Course(epochs=30, batch_size=8, evaluations=1)
    for kind in ("classification", "tagging"):
        one = training(wordpiece, course, 1e-2, kind)
        marks = one.run(Memory())
        assert max(mark.dev_score or 0 for mark in marks) > 0.9, kind
        assert marks[-1].train_loss < 0.3 * marks[0].train_loss


def test_evaluations_are_told_with_their_steps(whole: tuple[Any, list[Mark]]) -> None:
    _, marks = whole
    assert [mark.step for mark in marks] == [3, 6, 8, 11, 14, 16]
    assert [mark.epoch for mark in marks] == [0.375, 0.75, 1, 1.375, 1.75, 2]
    assert marks[0].best and all(mark.seconds > 0 for mark in marks)
    assert marks[-1].rate == pytest.approx(3e-3 / 15)


def test_the_module_ends_with_its_best_weights(wordpiece) -> None:
    one = training(wordpiece, Course(epochs=4, batch_size=8, evaluations=2), 2e-2)
    marks = one.run(Memory())
    best = max(marks, key=lambda mark: (mark.dev_score, -mark.dev_loss))
    assert best is next(mark for mark in reversed(marks) if mark.best)
    assert best is not marks[-1], "otherwise this shows nothing"
    found = evaluate(one.module, one.task, one.dev)
    assert (found.score, found.loss) == (best.dev_score, best.dev_loss)
    assert found.statistics.shape == (20, 2) and not one.module.training


@pytest.mark.parametrize("stops", [[1], [5], [7, 4], [12, 12], [25, 2, 3]])
def test_a_stopped_training_ends_in_the_same_bits(wordpiece, whole: Any, stops: list[int]) -> None:
    store = Kept()
    for after in stops:
        with pytest.raises(Stopped):
            training(wordpiece).run(store, Stop(after))
    one = training(wordpiece)
    marks = one.run(store)
    assert weights(one.module) == whole[0]
    assert without_time(marks) == without_time(whole[1])


def test_steps_before_the_last_evaluation_are_not_trained_again(wordpiece) -> None:
    store = Kept()
    with pytest.raises(Stopped):
        training(wordpiece).run(store, Stop(10))  # 3 + 3 batches (dev), 3 more, the first of dev
    told: list[tuple[int, int]] = []
    one = training(wordpiece)
    one.run(store, lambda examples, words: told.append((examples, words)))
    first = np.concatenate(one.examples.batches(8, 0, 0)[:3])
    dev = sum(len(segment.words) for sides in one.dev for segment in sides.segments)
    assert told[0] == (len(first) + 20, int(one.examples.words[first].sum()) + dev)
    assert len(told) == 1 + 13 + 5 * 3, "the first words at once, then steps 4 to 16 and five evaluations"


def test_patience_ends_it_and_a_second_run_does_not_go_on(wordpiece) -> None:
    course = Course(epochs=30, batch_size=8, evaluations=2, patience=2)
    one, store = training(wordpiece, course, 1e-5), Kept()
    # Dev examples that are never right and whose loss only grows: the first evaluation stays the best.
    for sides in one.dev:
        sides.labels[:] = torch.tensor(0)
    one.examples.labels[:] = 1
    marks = one.run(store)
    assert [mark.best for mark in marks] == [True, False, False]
    assert training(wordpiece, course, 1e-5).run(store) == marks


def test_every_evaluation_is_told_with_its_weights(wordpiece, whole: Any) -> None:
    one, told = training(wordpiece), []

    def kept(name: str, mark: Mark, arrays: Arrays) -> None:
        told.append((mark.epoch, {name: array.tobytes() for name, array in arrays.items()}))

    one.kept = kept
    marks = one.run(Memory())
    assert [epoch for epoch, _ in told] == [mark.epoch for mark in whole[1]]
    best = max(place for place, mark in enumerate(marks) if mark.best)
    assert told[best][1] == weights(one.module) == whole[0]


def test_the_random_numbers_of_the_user_stay(wordpiece) -> None:
    one = training(wordpiece, Course(epochs=1, batch_size=30))
    before = torch.get_rng_state()
    one.run(Memory())
    assert torch.equal(torch.get_rng_state(), before)


def test_another_seed_trains_otherwise(wordpiece, whole: Any) -> None:
    one = training(wordpiece, Course(epochs=2, batch_size=8, evaluations=3, seed=1))
    one.run(Memory())
    assert weights(one.module) != whole[0]


def test_a_loss_that_is_no_number_is_explained(wordpiece) -> None:
    with pytest.raises(
        ModelError, match=r"no longer a number after step 3; train at a lower rate: --rate 1e\+20"
    ):
        training(wordpiece, COURSE, 3e20).run(Memory())
