"""What tables tell of speeds, and what speeds and states are, by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.measures.slowness import speeds
from headscope.questions.memory.learning import Kind, build, losses
from headscope.questions.memory.making import Vocabulary, classes_of
from headscope.questions.memory.nets import LONGER, PLAIN, SLOWER, OfNets
from headscope.questions.memory.options import Options
from headscope.questions.memory.slowing import SCORED, _punished, averaged, filler, slow, under
from headscope.questions.memory.tables import tables_of_nets
from tests.questions.memory.made import FEW


def measured(speed: np.ndarray, right: np.ndarray) -> dict[str, np.ndarray]:
    """What a net left: speeds and accuracy at the longest delay, (class,) each."""
    read = np.ones_like(speed)
    found = {"judged": np.ones_like(right), "right": np.stack([np.ones_like(right), right]), "moved": speed}
    for after in (PLAIN, LONGER, SLOWER):
        slower = speed / 2 if after == SLOWER else speed
        found |= {f"{after}/speed": slower, f"{after}/mean_speed": 2 * speed, f"{after}/read": read}
        found[f"{after}/right"] = found["right"]
    return found


def test_faster_classes_that_forget_more_are_found() -> None:
    """In each of four models the faster class is the worse one, and all right answers follow from that."""
    options = Options(model="gru", classes=10, delays=(4, 40), seeds=4, curriculum="delay", tested=100)
    question, speed = OfNets.of(options), np.linspace(0.1, 1.0, 10)
    found = {kind: measured(speed * (1 + kind.seed), 1 - speed) for kind in question.kinds}
    tables = tables_of_nets(question, found)
    rows = tables["forgetting"].set_index("scope")
    assert rows.loc["within models", "spearman"] == -1 and rows.loc["within models", "sure"]
    assert rows.loc["pooled", "spearman"] < 0 and np.isnan(rows.loc["between models", "spearman"])
    retention = tables["retention"].set_index("delay")
    assert retention["mean"].to_dict() == {4: 1.0, 40: pytest.approx(0.45)}
    assert retention["change"][40] == pytest.approx(-0.55) and retention["beyond"].to_dict() == {
        4: False,
        40: True,
    }
    change = tables["slowed_change"].set_index("delay")
    assert change["speed"][40] == pytest.approx(0.5) and change["change"][40] == 0.0
    assert change["speed_p"][40] == pytest.approx(2 / 2**4)


def test_shuffled_speeds_are_not_found() -> None:
    options = Options(model="gru", classes=10, delays=(4, 40), seeds=4, curriculum="delay", tested=100)
    question, random = OfNets.of(options), np.random.default_rng(0)
    found = {kind: measured(random.random(10), random.random(10)) for kind in question.kinds}
    assert not tables_of_nets(question, found)["forgetting"]["sure"].any()


def test_a_net_that_has_not_learned_tells_nothing_of_forgetting() -> None:
    """One gives the same answer always: its class is never forgotten, and its slow point is as it is."""
    options = Options(model="gru", classes=10, delays=(4, 40), seeds=3, curriculum="delay", tested=100)
    question, speed = OfNets.of(options), np.linspace(0.1, 1.0, 10)
    found = {kind: measured(speed, 1 - speed) for kind in question.kinds}
    alone = tables_of_nets(question, {kind: own for kind, own in found.items() if kind.seed < 2})
    constant = measured(speed[::-1], np.eye(10)[3])
    for after in (PLAIN, LONGER, SLOWER):
        constant[f"{after}/right"] = np.stack([np.eye(10)[3]] * 2)
    found[question.kinds[2]] = constant | {"right": constant[f"{PLAIN}/right"], "judged": np.eye(10)[3]}
    tables = tables_of_nets(question, found)
    assert tables["forgetting"].equals(alone["forgetting"])
    assert tables["slowed_change"].equals(alone["slowed_change"])
    assert set(tables["retention"]["learned"]) == {2} and set(tables["retention"]["models"]) == {3}
    told = tables["slow_points"].groupby("seed")["learned"].all().to_dict()
    assert told == {0: True, 1: True, 2: False}


def test_where_nothing_was_learned_there_is_no_correlation() -> None:
    options = Options(model="gru", classes=4, delays=(4, 40), seeds=2, curriculum="delay", tested=40)
    question = OfNets.of(options)
    found = {kind: measured(np.arange(1.0, 5), np.zeros(4)) for kind in question.kinds}
    for own in found.values():
        own["right"], own["judged"] = np.zeros((2, 4)), np.zeros(4)
    tables = tables_of_nets(question, found)
    assert tables["forgetting"]["spearman"].isna().all() and set(tables["forgetting"]["models"]) == {0}
    assert tables["slowed_change"][["speed", "speed_p", "change", "p"]].isna().all(axis=None)


def test_that_a_net_has_learned_is_judged_where_it_was_trained() -> None:
    """It forgets all by the shortest delay that was asked for, and is told to have learned."""
    options = Options(model="gru", classes=4, delays=(60, 100), seeds=1, curriculum="delay", tested=40)
    question = OfNets.of(options)
    assert question.judged == options.delay == 18
    own = measured(np.arange(1.0, 5), np.zeros(4)) | {"right": np.zeros((2, 4))}
    tables = tables_of_nets(question, dict.fromkeys(question.kinds, own))
    assert tables["retention"]["learned"].tolist() == [1, 1] and tables["slow_points"]["learned"].all()
    assert tables["retention"]["delay"].tolist() == [60, 100]


def test_delays_of_training_are_shown_and_not_tested() -> None:
    options = Options(model="gru", classes=4, delays=(4, 18, 40), seeds=2, curriculum="delay", tested=40)
    question = OfNets.of(options)
    own = measured(np.arange(1.0, 5), np.ones(4))
    for after in (PLAIN, LONGER, SLOWER):
        own[f"{after}/right"] = np.ones((3, 4))
    own["right"] = np.ones((3, 4))
    change = tables_of_nets(question, dict.fromkeys(question.kinds, own))["slowed_change"].set_index("delay")
    assert change["p"].isna().to_dict() == {4: True, 18: True, 40: False}
    assert (change["change"] == 0).all()


def test_every_sequence_counts_the_same_in_all_tables() -> None:
    """Of 5 sequences of 2 classes, 3 are of the first: 3 / 5 right, and not 1 / 2."""
    options = Options(model="gru", classes=2, delays=(4, 40), seeds=1, curriculum="delay", tested=5)
    question = OfNets.of(options)
    (kind,) = question.kinds
    own = measured(np.array([0.1, 0.2]), np.array([1.0, 0.0]))
    tables = tables_of_nets(question, {kind: own})
    assert tables["retention"].set_index("delay")["mean"][40] == pytest.approx(0.6)
    assert tables["slowed"]["longest"].tolist() == pytest.approx([0.6] * 3)


@pytest.fixture(scope="module")
def asked() -> Options:
    return Options(model="gru", **FEW)


@pytest.fixture(scope="module")
def vocabulary(asked: Options) -> Vocabulary:
    return Vocabulary(classes_of(asked))


@pytest.mark.parametrize("net", ["gru", "lstm"])
def test_states_are_averaged_over_right_answers(net: str, asked: Options, vocabulary: Vocabulary) -> None:
    """Behind four fillers, at the longest delay of training; one sequence at a time."""
    one = build(Kind(net, "delay", 0), asked, vocabulary)
    with torch.no_grad():
        one.output.bias[0] = -9.0  # so that some answers of a net that knows nothing are right
    drawn = vocabulary.scored(np.random.default_rng([asked.seed, SCORED, 0]), asked.tested, 5)
    states: list[list[torch.Tensor]] = [[] for _ in range(asked.classes)]
    with torch.no_grad():
        for ids, own in zip(torch.from_numpy(drawn.ids), drawn.classes.tolist(), strict=True):
            if one(ids[None]).logits[0, -1].argmax() == own + 1:
                states[own].append(one.memory.recurrence(one.memory.embedding(ids[None, :-1]))[1][0])
        found = averaged(one, vocabulary, asked)
    assert any(states)
    for own, mean in zip(states, found, strict=True):
        assert torch.allclose(torch.stack(own).mean(0), mean, atol=1e-6) if own else bool(mean.isnan().all())


def test_the_speed_is_that_under_the_mean_filler(asked: Options, vocabulary: Vocabulary) -> None:
    one = build(Kind("gru", "delay", 0), asked, vocabulary)
    vectors = one.memory.embedding.weight.detach()
    mean = torch.stack([vectors[number] for number in vocabulary.fillers]).mean(0)
    assert torch.allclose(filler(one, vocabulary), mean, atol=1e-6)
    state = torch.full((1, asked.hidden), 0.3)
    with torch.no_grad():
        moved = one.memory.recurrence.cell(mean[None, None], state[None])[0][0]
        wanted = (moved - state).norm().item()
        assert speeds(under(one, filler(one, vocabulary)), state).item() == pytest.approx(wanted, abs=1e-6)


def test_slow_points_are_states_that_there_can_be(asked: Options, vocabulary: Vocabulary) -> None:
    """A filler drives every number of the state beyond 1, where the descent would follow."""
    one = build(Kind("gru", "delay", 0), Options(model="gru", **FEW | {"descent": 300}), vocabulary)
    with torch.no_grad():
        one.output.bias[0] = -9.0
        one.memory.recurrence.cell.bias_ih_l0[: 2 * asked.hidden] -= 1.0
        one.memory.recurrence.cell.bias_ih_l0[2 * asked.hidden :] += 9.0
        one.memory.recurrence.cell.bias_ih_l0[asked.hidden : 2 * asked.hidden] += 6.0
    points = slow(one, vocabulary, Options(model="gru", **FEW | {"descent": 300}))["points"]
    assert np.nanmax(np.abs(points)) <= 1.0


def test_the_penalty_is_the_mean_squared_speed_under_drawn_fillers(
    asked: Options, vocabulary: Vocabulary
) -> None:
    one = build(Kind("gru", "delay", 0), asked, vocabulary)
    points = np.array([[0.2] * 8, [np.nan] * 8, [-0.4] * 8], np.float32)
    batch = vocabulary.training(np.random.default_rng(0), 4, asked.delay, asked.delay, 3)
    torch.manual_seed(3)
    with torch.no_grad():
        loss = _punished(one, vocabulary, 2.0, points)(batch, 0)
        torch.manual_seed(3)
        fed = one.memory.embedding(torch.from_numpy(vocabulary.fillers)[torch.randint(59, (20,))])
        states = torch.from_numpy(points[[0, 2]]).repeat(10, 1)
        moved = one.memory.recurrence.cell(fed[:, None], states[None])[0][:, 0] - states
        wanted = losses(one, batch) + 2 * moved.square().sum(1).mean()
    assert torch.allclose(loss, wanted, atol=1e-5)
