"""Where the truth is known: a model that looks at one word, and one that takes its value without a look."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from headscope.explainers import EXPLAINERS, Asked, ask
from headscope.explainers.flipping import smallest_flips
from tests.explainers.models import sides_for
from tests.explainers.planted import KEYS, planted, texts
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

COUNT, FLIPPED = 100, 20
SAMPLE = ("attention", "rollout", "flow", "norms", "generic", "integrated-gradients", "occlusion", "deletion")
VALUES = ("occlusion", "deletion", "erasure", "norms", "generic", "value-zeroing")
TELLING = [name for name in EXPLAINERS if name not in ("random", "first")]


@pytest.fixture(scope="module")
def truth() -> tuple[list[str], np.ndarray]:
    return texts(COUNT)


@pytest.fixture(scope="module")
def looking(truth: tuple[list[str], np.ndarray]) -> Asked:
    model = planted(looks=True)
    return ask(model, sides_for(model, truth[0]))


@pytest.fixture(scope="module")
def even(truth: tuple[list[str], np.ndarray]) -> Asked:
    model = planted(looks=False)
    return ask(model, sides_for(model, truth[0]))


def times_first(asked: Asked, name: str, places: np.ndarray) -> int:
    """How often the key word has more than every other word."""
    importance = EXPLAINERS[name](asked).masked_fill(asked.special | ~asked.seen, -torch.inf)
    importance = importance.nan_to_num(nan=-torch.inf)
    best = importance.topk(2, dim=1)
    strictly = best.values[:, 0] > best.values[:, 1] + 1e-9
    return int((strictly & (best.indices[:, 0] == torch.from_numpy(places))).sum())


def test_the_model_answers_by_its_key_word(looking: Asked, truth: tuple[list[str], np.ndarray]) -> None:
    expected = [next(KEYS.index(word) for word in text.split() if word in KEYS) for text in truth[0]]
    assert looking.entries.tolist() == expected


@pytest.mark.parametrize("name", sampled(TELLING, SAMPLE))
def test_all_put_the_word_first_that_is_looked_at(
    name: str, looking: Asked, truth: tuple[list[str], np.ndarray]
) -> None:
    assert times_first(looking, name, truth[1]) >= 95


@pytest.mark.parametrize("name", ["random", "first"])
def test_chance_does_not(name: str, looking: Asked, truth: tuple[list[str], np.ndarray]) -> None:
    assert times_first(looking, name, truth[1]) <= 35


@pytest.mark.parametrize("name", ["attention", "layers", "received", "rollout", "product"])
def test_even_attention_tells_nothing(name: str, even: Asked, truth: tuple[list[str], np.ndarray]) -> None:
    assert times_first(even, name, truth[1]) <= 5


@pytest.mark.parametrize("name", sampled(VALUES, SAMPLE))
def test_values_tell_where_attention_does_not(
    name: str, even: Asked, truth: tuple[list[str], np.ndarray]
) -> None:
    assert times_first(even, name, truth[1]) >= 95


def test_one_word_is_enough_to_flip(truth: tuple[list[str], np.ndarray]) -> None:
    """Without its key word the classifier answers 0 for everything, so texts of class 1 flip by that word."""
    model, places = planted(looks=True), truth[1][:FLIPPED]
    looking = ask(model, sides_for(model, truth[0][:FLIPPED]))
    units = torch.where(looking.special, -1, torch.arange(looking.ids.shape[1]))
    flips = smallest_flips(looking, units)
    ones = looking.entries == 1
    assert bool(flips.flipped[ones].all()) and not bool(flips.flipped[~ones].any())
    assert flips.removed[ones].int().argmax(1).tolist() == places[ones.numpy()].tolist()
    assert bool((flips.removed[ones].sum(1) == 1).all())
