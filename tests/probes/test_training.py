"""What is planted in attention is found, what is not there is not, and a seed is a seed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.probes.attention import AttentionProbe
from headscope.probes.distances import DistanceProbe
from headscope.probes.outcomes import ATTENTION, BRANCHING, DISTANCES, WORDS, Outcome
from headscope.probes.padded import Shelf
from headscope.probes.scores import accuracy, parser_of, score, without_each_head
from headscope.probes.teaching import Round
from headscope.probes.training import Epochs, Trainee, mean_losses, train
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


def learned(attend: list[Attend], epochs: int = 4, rate: float = 0.5) -> tuple[AttentionProbe, Shelf]:
    probe = AttentionProbe(len(attend), torch.Generator().manual_seed(0))
    shelves = [shelf(plant_random(attend, sentences, seed)) for seed, sentences in enumerate((300, 30, 40))]
    train([Trainee(probe, rate)], shelves[0], shelves[1], 0, Epochs(epochs))
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
    train([Trainee(probe, 0.01)], shelves[0], shelves[1], 0, Epochs(6))
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
    trainees = [Trainee(probe, 0.1, "control") for probe in probes]
    train(trainees, shelves[0], shelves[1], 0, Epochs(8))
    counts = accuracy(probes, shelves[1], "control").sum(1)
    alone, with_words = counts[:, 0] / counts[:, 1]
    assert with_words > 0.97 and alone < 0.75


def test_training_stops_when_other_documents_say_so_and_keeps_the_best() -> None:
    train_on, others = (shelf(plant_random([noise, noise, noise], n, n)) for n in (12, 40))
    one = Trainee(AttentionProbe(3, torch.Generator().manual_seed(0)), 5.0)
    epochs = train([one], train_on, others, 0, Epochs(most=40, patience=2))
    assert epochs == len(one.losses) < 40 and one.misses == 2
    assert one.losses[-3] == one.loss
    assert one.loss == min(one.losses)
    assert mean_losses([one], others) == [pytest.approx(one.loss)]


def test_a_round_trains_scores_and_is_kept_bit_for_bit() -> None:
    vectors = some_vectors(["ship", "keeper", "night"])
    shelves = [shelf(plant_random([noise, to_head], n, n), vectors) for n in (60, 20, 20)]
    one = Round(*shelves, heads=2, baselines=True, control=True)
    first, second = (one.run(3, Epochs(2)) for _ in range(2))
    assert list(first.scores) == [ATTENTION, WORDS, DISTANCES, BRANCHING]
    assert list(first.control) == [ATTENTION, WORDS] == list(first.without)
    arrays, meta = first.to_shard()
    again = Outcome.from_shard(arrays, meta)
    for name, array in second.to_shard()[0].items():
        np.testing.assert_array_equal(array, again.to_shard()[0][name])
    assert (again.losses, again.epochs, again.seed) == (second.losses, second.epochs, 3)
    assert one.run(4, Epochs(2)).losses != first.losses


def test_a_twin_has_no_baselines_and_no_vectors_mean_no_words() -> None:
    shelves = [shelf(plant_random([noise], n, n)) for n in (20, 10, 10)]
    outcome = Round(*shelves, heads=1, baselines=False, control=False).run(0, Epochs(1))
    assert (list(outcome.scores), outcome.control, outcome.without) == ([ATTENTION], {}, {})


def test_punctuation_is_trained_on_and_not_scored() -> None:
    sentences = [(["ship", "passed", "."], [2, 0, 2])] * 20
    features = plant(sentences, [to_head])
    (batch, *_) = shelf(features).batches()
    assert (batch.targets["tree"][0] >= 0).all()
    assert batch.counted[0].tolist() == [True, True, False]
