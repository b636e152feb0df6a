"""Tables in which nothing differs: each claim is made of them as rarely as its level says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from headscope.questions.adversary.kinds import PLAIN, SAME
from headscope.results.vocabulary import YES
from tests.questions.adversary.test_verdicts import given, planted, told

TABLES = 40
SHAPES = {
    "normal": lambda random, size: random.normal(size=size),
    "skewed": lambda random, size: 1 - random.exponential(size=size),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_equal_models_decide_for_nothing(shape: str) -> None:
    """Same scores and distances of all kinds, but for noise as large as the margin."""
    random, said = np.random.default_rng(0), Counter[str]()
    runs, frozen = planted(6), pd.concat([given(0.8, 6).assign(net=net) for net in (SAME, PLAIN)])
    for _ in range(TABLES):
        for table, columns in (
            (runs, ("score", "agreement", "jsd", "jsd_matched", "kl")),
            (frozen, ("score",)),
        ):
            for column in columns:
                table[column] = 0.8 + 0.02 * SHAPES[shape](random, len(table))
        found = told(runs, frozen)
        said.update(set(found.loc[found["verdict"] == YES, "claim"]))
    assert all(count <= 0.1 * TABLES for count in said.values()), said
