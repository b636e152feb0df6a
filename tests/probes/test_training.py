"""What is planted in attention is found, what is not there is not, and a seed is a seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from headscope.probes.attention import AttentionProbe
from headscope.probes.distances import DistanceProbe
from headscope.probes.outcomes import ATTENTION, BRANCHING, DISTANCES, WORDS, Outcome
from headscope.probes.padded import Shelf
from headscope.probes.scores import accuracy, parser_of, score, without_each_head
from headscope.probes.teaching import Round
from headscope.probes.training import Trainee, mean_losses, train
from headscope.results.shards import Part
from headscope.tasks.checkpoints import Memory
from headscope.tasks.course import Course
from tests.probes.planted import (
    Attend,
    noise,
    plant,
    plant_random,
    right_neighbour,
    shelf,
    some_vectors,
    to_dependents,
    to_head,
)
from tests.tasks.stopping import Stop, Stopped


def course(epochs: int, seed: int = 0, patience: int = 2) -> Course:
    return Course(epochs, evaluations=1, patience=patience, seed=seed)


def learned(attend: list[Attend], epochs: int = 4, rate: float = 0.5) -> tuple[AttentionProbe, Shelf]:
    probe = AttentionProbe(len(attend), torch.Generator().manual_seed(0))
    shelves = [shelf(plant_random(attend, sentences, seed)) for seed, sentences in enumerate((300, 30, 40))]
    train({"it": Trainee(probe, rate)}, shelves[0], shelves[1], course(epochs), Memory())
    return probe, shelves[2]


def ratios(counts: np.ndarray) -> list[float]:
    sums = counts.sum(0)
    return (sums[:, 0] / sums[:, 1]).tolist()


@pytest.mark.parametrize("knowing", [to_head, to_dependents])
def test_a_head_that_knows_the_tree_is_found_in_either_direction(knowing: Attend) -> None:
    probe, test = learned([noise, knowing, noise])
    assert ratios(score([parser_of(probe)], test)[0]) == [1, 1, 1, 1]


def test_noise_stays_noise() -> None:
    probe, test = learned([noise, noise])
    uas, *_ = ratios(score([parser_of(probe)], test)[0])
    assert uas < 0.5


def test_only_the_head_that_knows_is_missed() -> None:
    probe, test = learned([noise, to_head, noise])
    right = score([parser_of(probe)], test)[0, :, 0].sum(0)
    without = without_each_head([probe], test)[0].sum(0)
    assert without[0] == without[2] == right[0] == right[1]
    assert without[1] < 0.6 * right[1]


def test_a_model_without_special_tokens_finds_the_root_by_its_bias() -> None:
    def blind(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
        weights = to_head(heads, random)
        weights[:, [0, -1]] = 0
        return weights

    probe, test = learned([blind])
    assert ratios(score([parser_of(probe)], test)[0]) == [1, 1, 1, 1]
    assert probe.root.item() > 0


def test_distances_learn_a_fixed_offset() -> None:
    features = [right_neighbour(sentences) for sentences in (300, 40)]
    vectors = some_vectors(["ship"])
    shelves = [shelf(one, vectors) for one in features]
    probe = DistanceProbe(torch.Generator().manual_seed(0), torch.from_numpy(vectors.table))
    train({"it": Trainee(probe, 0.01)}, shelves[0], shelves[1], course(6), Memory())
    assert ratios(score([parser_of(probe)], shelves[1])[0]) == [1, 1, 1, 1]


def test_words_can_learn_the_control_task_by_heart_and_attention_alone_cannot() -> None:
    def even(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
        return np.full((len(heads) + 2, len(heads) + 2), 1 / (len(heads) + 2))

    def itself(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
        return np.eye(len(heads) + 2)

    def first(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
        return np.eye(len(heads) + 2)[np.ones(len(heads) + 2, int)]

    def last(heads: np.ndarray, random: np.random.Generator) -> np.ndarray:
        return np.eye(len(heads) + 2)[np.full(len(heads) + 2, len(heads))]

    heads = [even, itself, first, last]
    vectors = some_vectors(["ship", "keeper", "night", "old", "wrote", "a", "the", "lamp"], size=8)
    shelves = [shelf(plant_random(heads, n, n), vectors) for n in (400, 60)]
    table = torch.from_numpy(vectors.table)
    probes = [AttentionProbe(4, torch.Generator().manual_seed(0), given) for given in (None, table)]
    trainees = {str(place): Trainee(probe, 0.1, "control") for place, probe in enumerate(probes)}
    train(trainees, shelves[0], shelves[1], course(8), Memory())
    counts = accuracy(probes, shelves[1], "control").sum(1)
    alone, with_words = counts[:, 0] / counts[:, 1]
    assert with_words > 0.97 and alone < 0.75


def test_training_stops_when_other_documents_say_so_and_keeps_the_best() -> None:
    train_on, others = (shelf(plant_random([noise, noise, noise], n, n)) for n in (12, 40))
    one = Trainee(AttentionProbe(3, torch.Generator().manual_seed(0)), 5.0)
    journey = train({"it": one}, train_on, others, course(40), Memory())["it"]
    losses = [mark.dev_loss for mark in journey.marks if mark.dev_loss is not None]
    assert len(losses) == len(journey.marks) < 40 and journey.misses == 2
    assert losses[-3] == min(losses)
    assert mean_losses([one], others) == [min(losses)]


def test_a_mean_loss_is_over_words() -> None:
    """An untrained bias of 0 gives even chances: ln 2 for each of two words, ln 3 for each of three."""
    two, three = (["ship", "passed"], [2, 0]), (["the", "ship", "passed"], [2, 3, 0])
    probe = AttentionProbe(1, torch.Generator())
    with torch.no_grad():
        probe.bias.zero_()
    expected = (2 * np.log(2) + 3 * np.log(3)) / 5
    assert mean_losses([Trainee(probe, 0.1)], shelf(plant([two, three], [noise]))) == [
        pytest.approx(expected)
    ]


def test_a_round_trains_scores_and_is_kept_bit_for_bit() -> None:
    vectors = some_vectors(["ship", "keeper", "night"])
    shelves = [shelf(plant_random([noise, to_head], n, n), vectors) for n in (60, 20, 20)]
    one = Round(*shelves, heads=2, baselines=True, control=True)
    first, second = (one.run(course(2, seed=3), Memory()) for _ in range(2))
    assert list(first.scores) == [ATTENTION, WORDS, DISTANCES, BRANCHING]
    assert list(first.control) == [ATTENTION, WORDS] == list(first.without)
    arrays, meta = first.to_shard()
    again = Outcome.from_shard(arrays, meta)
    for name, array in second.to_shard()[0].items():
        np.testing.assert_array_equal(array, again.to_shard()[0][name])
    assert (again.losses, again.epochs, again.seed) == (second.losses, second.epochs, 3)
    assert one.run(course(2, seed=4), Memory()).losses != first.losses


@pytest.mark.parametrize(("stops", "done"), [([1], 0), ([5], 1), ([9, 4], 2)])
def test_a_stopped_round_goes_on_within_it_to_the_same_bits(
    stops: list[int], done: int, tmp_path: Path
) -> None:
    """An epoch has four batches, two of each shard; so many epochs are done and not trained again."""

    def made() -> Round:
        vectors = some_vectors(["ship", "keeper", "night"])
        planted = [plant_random([noise, to_head], n, n) for n in (60, 50)]
        train_on = Shelf(planted.__getitem__, [0, 1], vectors)
        others = [shelf(plant_random([noise, to_head], 20, n), vectors) for n in (1, 2)]
        return Round(train_on, *others, heads=2, baselines=True, control=True)

    whole = made().run(course(4, seed=3), Memory())
    part = Part(tmp_path)
    for after in stops:
        with pytest.raises(Stopped):
            made().run(course(4, seed=3), part, Stop(after))
    told: list[int] = []
    again = made().run(course(4, seed=3), part, lambda sentences, words: told.append(sentences))
    assert told == ([110 * done] if done else []) + told[-4 * (4 - done) :] and sum(told) == 4 * 110
    (arrays, meta), (expected, values) = again.to_shard(), whole.to_shard()
    assert meta == values and list(arrays) == list(expected)
    for name, array in expected.items():
        np.testing.assert_array_equal(arrays[name], array)


def test_a_twin_has_no_baselines_and_no_vectors_mean_no_words() -> None:
    shelves = [shelf(plant_random([noise], n, n)) for n in (20, 10, 10)]
    outcome = Round(*shelves, heads=1, baselines=False, control=False).run(course(1), Memory())
    assert (list(outcome.scores), outcome.control, outcome.without) == ([ATTENTION], {}, {})


def test_punctuation_is_trained_on_and_not_scored() -> None:
    sentences = [(["ship", "passed", "."], [2, 0, 2])] * 20
    features = plant(sentences, [to_head])
    (batch, *_) = shelf(features).batches()
    assert (batch.targets["tree"][0] >= 0).all()
    assert batch.counted[0].tolist() == [True, True, False]
