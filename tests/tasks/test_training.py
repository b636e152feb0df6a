"""The training loop: each learner as if alone, the best weights kept, stopped anywhere to the same bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn.functional import dropout

from headscope.errors import ModelError
from headscope.results.shards import Part
from headscope.tasks.checkpoints import Memory
from headscope.tasks.course import Course, Descent, Optimiser
from headscope.tasks.journey import Journey, Judged, Mark
from headscope.tasks.learner import Arrays, Learner
from headscope.tasks.training import Training
from headscope.text.batches import Progress
from tests.tasks.stopping import Kept, Stop, Stopped, without_time

COURSE = Course(epochs=3, batch_size=2, evaluations=2, seed=5)
BATCHES = 4
TARGET = torch.tensor([[1.0, -2.0], [0.5, 3.0]])


class Pair:
    """Two learners of a matrix, whose inputs are noisy."""

    def __init__(self, optimiser: Optimiser = "adadelta") -> None:
        self.weights = {name: torch.zeros(2, 2, requires_grad=True) for name in ("slow", "fast")}
        descents = {
            "slow": Descent(0.5, optimiser, "stairs"),
            "fast": Descent(1.5, "adam", "flat", clip=None),
        }
        self.learners = {
            name: Learner({"matrix": weight}, self._losses(weight), descents[name])
            for name, weight in self.weights.items()
        }
        self.asked: list[int] = []

    def _losses(self, weight: torch.Tensor) -> Callable[[torch.Tensor, int], torch.Tensor]:
        def losses(batch: torch.Tensor, step: int) -> torch.Tensor:
            return ((dropout(batch, 0.3) @ weight - batch @ TARGET) ** 2).sum(-1)

        return losses

    def batches(self, epoch: int) -> Iterator[torch.Tensor]:
        self.asked.append(epoch)
        random = torch.Generator().manual_seed(epoch)
        for _ in range(BATCHES):
            yield torch.randn(2, 2, generator=random)

    def judge(self, learning: Sequence[str], progress: Progress) -> dict[str, Judged]:
        losses = {name: float(((self.weights[name].detach() - TARGET) ** 2).sum()) for name in learning}
        progress(1, 10)
        return {name: Judged(-loss, loss) for name, loss in losses.items()}

    def training(self, course: Course = COURSE, **more: Any) -> Training[torch.Tensor]:
        given = {"judge": self.judge, "steps": BATCHES} | more
        return Training(self.learners, self.batches, lambda batch: (len(batch), 3), course, **given)

    def bits(self) -> dict[str, bytes]:
        return {name: weight.detach().numpy().tobytes() for name, weight in self.weights.items()}


class Told:
    """What progress was told of."""

    def __init__(self) -> None:
        self.counts: list[Counter[str]] = []

    def __call__(self, examples: int, words: int) -> None:
        self.counts.append(Counter(examples=examples, words=words))


def marks(journeys: dict[str, Journey]) -> dict[str, list[tuple[object, ...]]]:
    return {name: without_time(journey.marks) for name, journey in journeys.items()}


@pytest.mark.parametrize(
    ("optimiser", "more"),
    [("adamw", {}), ("amsgrad", {"judge": None}), ("adadelta", {"steps": None})],
    ids=["judged", "not judged", "epochs of unknown length"],
)
def test_a_training_stopped_anywhere_ends_in_the_same_bits(
    optimiser: Optimiser, more: dict[str, Any], tmp_path: Path
) -> None:
    course = replace(COURSE, patience=2)
    whole, told = Pair(optimiser), Told()
    journeys = whole.training(course, **more).run(Memory(), told)
    for first in range(1, len(told.counts) + 1):
        store = Part(tmp_path / str(first))
        for after in (first, 2):  # and again, soon after it went on
            with pytest.raises(Stopped):
                Pair(optimiser).training(course, **more).run(store, Stop(after))
        again, resumed = Pair(optimiser), Told()
        assert marks(again.training(course, **more).run(store, resumed)) == marks(journeys)
        assert again.bits() == whole.bits()
        assert sum(resumed.counts, Counter()) == sum(told.counts, Counter()), "told of everything once"


def test_learners_in_one_pass_learn_as_if_alone() -> None:
    together = Pair()
    journeys = together.training().run(Memory())
    for name in together.weights:
        alone = Pair()
        training = replace(alone.training(), learners={name: alone.learners[name]})
        assert marks(training.run(Memory())) == {name: without_time(journeys[name].marks)}
        assert alone.bits()[name] == together.bits()[name]


def test_each_learner_stops_for_itself_and_ends_with_its_best_weights() -> None:
    pair = Pair()
    journeys = pair.training(replace(COURSE, epochs=12, patience=2)).run(Memory())
    slow, fast = journeys["slow"], journeys["fast"]
    assert fast.misses == 2 and len(fast.marks) < len(slow.marks) == 24
    for name, journey in journeys.items():
        assert journey.best == max(journey.marks, key=lambda mark: mark.dev_score or 0)
        assert pair.judge([name], Told())[name].loss == (journey.best and journey.best.dev_loss)


def test_marks_say_where_they_were_made() -> None:
    (slow, _) = Pair().training(replace(COURSE, epochs=2)).run(Memory()).values()
    assert [(mark.step, mark.epoch, mark.rate) for mark in slow.marks] == [
        (2, 0.5, 0.5), (4, 1.0, 0.5), (6, 1.5, 0.25), (8, 2.0, 0.25)
    ]  # fmt: skip
    (slow, _) = Pair().training(replace(COURSE, epochs=2), steps=None).run(Memory()).values()
    assert [(mark.step, mark.epoch) for mark in slow.marks] == [(4, 1.0), (8, 2.0)]


def test_without_a_judge_the_last_weights_are_kept() -> None:
    pair, last = Pair(), {}

    def kept(name: str, mark: Mark, weights: Arrays) -> None:
        last[name] = weights["matrix"].tobytes()

    journeys = pair.training(judge=None, kept=kept).run(Memory())
    assert pair.bits() == last
    assert {(mark.dev_loss, mark.dev_score, mark.best) for mark in journeys["slow"].marks} == {
        (None, None, True)
    }


def test_every_point_is_told_with_its_weights_also_one_that_could_not_be_kept() -> None:
    class Full(Kept):
        """Fails to write the state of the third point, once."""

        def write(self, number: int, arrays: Arrays, meta: dict[str, Any]) -> None:
            if number == 0 and len(meta["journeys"]["slow"]["marks"]) == 3 and not failed:
                failed.append(1)
                raise Stopped
            super().write(number, arrays, meta)

    failed: list[int] = []
    points: list[tuple[str, float, bytes]] = []

    def kept(name: str, mark: Mark, weights: Arrays) -> None:
        points.append((name, mark.epoch, weights["matrix"].tobytes()))

    store = Full()
    with pytest.raises(Stopped):
        Pair().training(kept=kept).run(store)
    Pair().training(kept=kept).run(store)
    names = [(name, epoch) for name, epoch, _ in points]
    epochs = [0.5, 1.0, 1.5, 1.5, 2.0, 2.5, 3.0]
    assert names == [(name, epoch) for epoch in epochs for name in ("slow", "fast")]
    assert points[4:6] == points[6:8], "the third point twice, in the same bits"


def test_a_finished_training_asks_for_no_batch() -> None:
    store, first, second = Kept(), Pair(), Pair()
    journeys = first.training().run(store)
    assert second.training().run(store) == journeys
    assert second.asked == [] and second.bits() == first.bits()


def test_a_loss_that_is_no_number_is_explained() -> None:
    pair = Pair()

    def judge(learning: Sequence[str], progress: Progress) -> dict[str, Judged]:
        return {name: Judged(0.0, float("nan")) for name in learning}

    with pytest.raises(ModelError, match="no longer a number after step 2; train at a lower rate"):
        pair.training(judge=judge).run(Memory())
    with torch.no_grad():
        pair.weights["fast"][0, 0] = torch.inf
    with pytest.raises(ModelError, match="no longer a number after step 2; buy a model"):
        pair.training(remedy="buy a model").run(Memory())


def test_too_few_batches_are_refused() -> None:
    with pytest.raises(ValueError, match="epoch 0 has fewer batches than it was said to have"):
        Pair().training(steps=10).run(Memory())


def test_the_random_numbers_of_the_user_stay() -> None:
    before = torch.get_rng_state()
    Pair().training().run(Memory())
    assert torch.equal(torch.get_rng_state(), before)


def test_another_seed_draws_otherwise() -> None:
    one, other = Pair(), Pair()
    one.training().run(Memory())
    other.training(replace(COURSE, seed=6)).run(Memory())
    assert one.bits() != other.bits()
