"""Models whose answer is known to come through attention, or past it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from headscope.questions.trust.claims.decides import decides
from headscope.questions.trust.claims.identifies import identifies
from headscope.questions.trust.claims.ranks import ranks
from headscope.questions.trust.numbers import Numbers
from headscope.results.vocabulary import NO, YES
from tests.questions.trust.tried import numbers, permuted

CLAIMS = (identifies, ranks, decides)
RUNS, ALLOWED = 200, 20


def verdicts(found: Numbers) -> list[str]:
    return [claim(found, 0.5, 0).verdict for claim in CLAIMS]


def test_a_model_that_looks_at_its_key_word() -> None:
    assert verdicts(numbers(looks=True)) == [YES, YES, YES]


def test_a_model_whose_answer_comes_from_values() -> None:
    assert verdicts(numbers(looks=False))[0] == NO


@pytest.fixture(scope="module")
def shuffled() -> Numbers:
    """Numbers of attention in 200 permutations, each computed like attention itself."""
    return numbers(looks=True, more=[permuted(f"permuted {seed}", seed) for seed in range(RUNS)])


@pytest.mark.parametrize("margin", [0.5, 0.0])
def test_permuted_attention_is_rarely_trusted(shuffled: Numbers, margin: float) -> None:
    """Also where nothing more is asked than to be better than chance."""
    said = Counter(
        (claim.__name__, claim(_alone(shuffled, f"permuted {seed}"), margin, 0).verdict)
        for claim in CLAIMS
        for seed in range(RUNS)
    )
    assert all(said[claim.__name__, YES] <= ALLOWED for claim in CLAIMS), said


def _alone(found: Numbers, of: str) -> Numbers:
    """One of them on trial, the others gone."""
    kept = [place for place, name in enumerate(found.names) if name == of or not name.startswith("permuted")]
    names = [found.names[place] for place in kept]
    return replace(found, values=found.values[:, kept], names=names, of=of)


def test_leave_one_out_in_its_place_is_trusted() -> None:
    found = numbers(looks=True, of="leave-one-out", count=400, seed=1, words=8)
    parts = np.arange(400) % 20
    for part in range(20):
        own = replace(found, values=found.values[parts == part], documents=found.documents[parts == part])
        assert verdicts(own) == [YES, YES, YES], part
