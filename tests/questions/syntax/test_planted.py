"""Heads that are made to follow a rule are found to follow it, through the whole engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.analyses.trees import tree_of
from headscope.attention import Heard, WeightEdit
from headscope.engine.running import run
from headscope.heads import Head
from headscope.models import Model, Sides
from headscope.questions.syntax.answer import Options, make_plan
from headscope.questions.syntax.relations import relations_table, with_all
from headscope.questions.treebank import count_relations
from headscope.text import Segment
from tests.tree_counts import looking
from tests.trees import corpus, treebank

TREES = corpus(*treebank(40))
Rule = Callable[[Segment], list[int]]


class Planted(WeightEdit):
    """Makes every word look at the one word that a rule names, or at a special piece for -1."""

    def __init__(self, head: Head, rule: Rule) -> None:
        super().__init__([head])
        self.rule = rule
        self.segments: Sequence[Segment] = ()

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        return looking(self.segments, [self.rule(one) for one in self.segments], special=0.1)


class Telling:
    """An analysis that asks nothing; it tells the edits which batch is about to run."""

    name = "telling"

    def __init__(self, edits: Sequence[Planted]) -> None:
        self.edits = edits
        self.tallies: Tallies = {}

    def work(self, setting: Setting) -> Telling:
        return self

    def arrays(self, tallies: object, setting: Setting) -> xr.Dataset:
        return xr.Dataset()

    def listeners(self) -> list:
        return []

    def begin(self, sides: Sides) -> None:
        for edit in self.edits:
            edit.segments = sides.segments

    def end(self, documents: Sequence[str]) -> None:
        pass


def to_head(segment: Segment) -> list[int]:
    """Every word looks at its head."""
    return tree_of(segment).heads.tolist()


def to_article(segment: Segment) -> list[int]:
    """A noun looks at its article, everybody else at nothing."""
    tree = tree_of(segment)
    wanted = np.full(len(tree), -1)
    for word, relation in enumerate(tree.relations):
        if relation == "det":
            wanted[tree.heads[word]] = word
    return wanted.tolist()


def to_next(segment: Segment) -> list[int]:
    size = len(segment.words)
    return [*range(1, size), -1]


PLANTS = {"L0H1": to_head, "L1H0": to_article, "L1H3": to_next}


@pytest.fixture(scope="module")
def found(bert: Model) -> xr.Dataset:
    plan, _ = make_plan(bert, Options(treebank=TREES, batch_size=8, pieces=64), count_relations(TREES))
    edits = [Planted(Head.parse(head), rule) for head, rule in PLANTS.items()]
    (analysis,) = plan.analyses
    plan = replace(plan, analyses=[Telling(edits), analysis], edits=edits)
    done = run(plan, TREES, "syntax")
    return analysis.arrays(done.tallies["syntax"], plan.setting)


def accuracy(found: xr.Dataset, head: str, reading: str) -> dict[str, float]:
    share = found["right"].sum("block") / found["count"].sum("block")
    values = share.sel(head=head, reading=reading)
    return dict(zip(values["relation"].values.tolist(), values.values.tolist(), strict=True))


def test_a_head_that_follows_the_heads_is_always_right(found: xr.Dataset) -> None:
    assert accuracy(found, "L0H1", "dep->head") == dict.fromkeys(
        ("advmod", "amod", "det", "nsubj", "obj"), 1.0
    )


def test_it_is_right_in_that_direction_alone(found: xr.Dataset) -> None:
    back = accuracy(found, "L0H1", "head<-dep")
    # a verb looks at nothing, so it is never the one that looks most; nor does a noun look at its article
    assert back == dict.fromkeys(back, 0.0)
    assert accuracy(found, "L0H1", "head->dep") == dict.fromkeys(back, 0.0)


def test_a_head_that_looks_from_nouns_to_articles(found: xr.Dataset) -> None:
    assert accuracy(found, "L1H0", "head<-dep") == {"det": 1, "amod": 0, "nsubj": 0, "obj": 0, "advmod": 0}
    assert accuracy(found, "L1H0", "head->dep") == {"det": 1, "amod": 0, "nsubj": 0, "obj": 0, "advmod": 0}
    assert set(accuracy(found, "L1H0", "dep->head").values()) == {0.0}


def test_a_head_that_looks_at_the_next_word_is_the_offset(found: xr.Dataset) -> None:
    """In every block and relation; who looks most at a word is then the one before it."""
    right, near = found["right"].sel(head="L1H3", drop=True), found["offset_right"]
    for reading, offset in (("dep->head", 1), ("head<-dep", -1), ("head->dep", 1)):
        expected = near.sel(offset=offset, reading=reading)
        assert np.array_equal(right.sel(reading=reading), expected), reading
        assert expected.sum() > 0
    assert 0 < accuracy(found, "L1H3", "dep->head")["nsubj"] < 1


def test_the_best_heads_are_the_planted_ones(found: xr.Dataset) -> None:
    table = relations_table(with_all(found), [], least=5, seed=0).set_index("relation")
    assert set(table["head"]) == {"L0H1"} and set(table["reading"]) == {"dep->head"}
    assert (table["accuracy"] == 1).all() and (table["low"] == 1).all()
    # articles and their nouns may have adjectives between them; the next word is then wrong
    assert table.loc["det", "offset_accuracy"] < 0.8 and table.loc["det", "found"]


def test_attention_to_special_tokens_is_what_was_planted(found: xr.Dataset) -> None:
    special = found["special"].sel(head="L0H1", bearer="dependent") / found["pairs"].sel(bearer="dependent")
    assert np.allclose(special, 0.1, atol=1e-6)
    verbs = found["special"].sel(head="L0H1", bearer="head", relation="nsubj")
    assert verbs.item() == found["pairs"].sel(bearer="head", relation="nsubj").item(), "roots look at nothing"


def test_nothing_stays_planted(bert: Model, found: xr.Dataset) -> None:
    plan, _ = make_plan(bert, Options(treebank=TREES, batch_size=8, pieces=64), count_relations(TREES))
    (analysis,) = plan.analyses
    plain = analysis.arrays(run(plan, TREES, "syntax").tallies["syntax"], plan.setting)
    for head in PLANTS:
        assert not np.array_equal(plain["right"].sel(head=head), found["right"].sel(head=head))
    # a head of the first layer that nobody touched hears what it always heard
    assert np.array_equal(plain["right"].sel(head="L0H0"), found["right"].sel(head="L0H0"))
