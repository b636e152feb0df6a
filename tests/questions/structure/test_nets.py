"""structure of DiSAN: masks of one side, words that see nothing, and weights that can be known."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import headscope
from headscope.nets.disan import DIRECTIONS, Disa, DisanConfig, DisanForSequenceClassification
from headscope.results.result import Result
from tests.nets.made import SIZES, net
from tests.trees import corpus, treebank

# A word of several pieces has as many parts of attention that is even over pieces.
TREES = corpus(*(document for document in treebank(60) if "-" not in document.text))


@pytest.fixture(scope="module")
def even() -> Result:
    """A net for pairs whose scores are all zero, asked of single sentences."""
    config = DisanConfig(embedding_size=4, hidden_size=4, layers=2, texts=2, **SIZES)
    module = DisanForSequenceClassification(config)
    for block in module.modules():
        if isinstance(block, Disa):
            torch.nn.init.zeros_(block.seen.weight)
            torch.nn.init.zeros_(block.seeing.weight)
    return headscope.structure(net(module), TREES, twins=0)


def test_scores_of_zero_are_even_attention(even: Result) -> None:
    heads = even.table("structure")
    assert len(heads) == 2 * 2 * 4 * 3, "directions, layers, features, targets; the pool is left out"
    for own, reference in (("kl", "even"), ("kl_all", "even_all"), ("weight", "even_weight")):
        np.testing.assert_allclose(heads[own], heads[reference], atol=1e-6)


def test_each_side_sees_the_parents_there(even: Result) -> None:
    heads = even.table("structure")
    before = even.table("structure_trees").set_index("tree").loc["true", "parent_before"]
    coverage = heads[heads["target"] == "parent"].groupby("stack")["coverage"].mean()
    np.testing.assert_allclose(coverage[[*DIRECTIONS]], [before, 1 - before])


def test_words_that_see_nothing_do_not_count(even: Result) -> None:
    """All that is seen are words: without the first (or last) one of each sentence it is all of attention."""
    np.testing.assert_allclose(even.table("structure_reception")["on_words"], 1.0, atol=1e-6)
