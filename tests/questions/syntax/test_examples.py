"""Example sentences of relations: the maps, the arcs, and that the best ones are shown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import torch
import xarray as xr

from headscope.attention import Recorder
from headscope.engine.work import Plan
from headscope.models import Model, sides_of
from headscope.questions.syntax.answer import Options, make_plan
from headscope.questions.syntax.examples import LONGEST, SHORTEST, examples
from headscope.questions.treebank import count_relations
from headscope.text import Segment, batches
from headscope.text.alignment import number_all
from tests.torch_words import to_words
from tests.trees import corpus, treebank

TREES = corpus(*treebank(12, seed=5))
ROWS = [("nsubj", "L0H2", "dep->head"), ("amod", "L1H1", "head<-dep"), ("obj", "L1H3", "dep->head")]


def relations(rows: list[tuple[str, str, str]], found: bool = True) -> pd.DataFrame:
    """A table in which these were found, the first with the largest gain over its offset."""
    table = pd.DataFrame(rows, columns=["relation", "same_data_head", "same_data_reading"])
    return table.assign(found=found, accuracy=np.linspace(0.9, 0.6, len(rows)), offset_accuracy=0.5)


@pytest.fixture(scope="module")
def plan(bert: Model) -> Plan:
    return make_plan(bert, Options(treebank=TREES), count_relations(TREES))[0]


@pytest.fixture(scope="module")
def shown(plan: Plan) -> xr.Dataset:
    return examples(plan, TREES, relations(ROWS))


@pytest.fixture(scope="module")
def sentences(plan: Plan) -> dict[tuple[str, ...], tuple[Segment, dict[str, np.ndarray]]]:
    """By its words, each sentence that may be drawn, with maps over words and special tokens of all heads."""
    model, found = plan.setting.model, {}
    for document in TREES:
        for text in plan.cut(document):
            assert isinstance(text, Segment)
            if not SHORTEST <= len(text.words) <= LONGEST:
                continue
            recorder = Recorder()
            sides = sides_of(model, next(iter(batches([text], model.tokenizer, 1))))
            with torch.no_grad(), model.attached([recorder]) as module:
                module(**sides.inputs)
            number = torch.as_tensor(number_all(text.word))
            maps = {
                f"L{site.layer}H{head}": to_words(weights[0][0, head].double(), number, number).numpy()
                for site, weights in recorder.maps.items()
                for head in range(site.heads)
            }
            found[text.words] = (text, maps)
    return found


def arcs_of(text: Segment, relation: str) -> list[tuple[int, int]]:
    """Dependent and head of each arc, counted behind the first special token."""
    tree = text.part.dependencies
    return [
        (word + 1, int(tree.heads[word]) + 1) for word, name in enumerate(tree.relations) if name == relation
    ]


def hits(text: Segment, map: np.ndarray, relation: str, reading: str) -> tuple[int, int]:
    """How many arcs are right and how many wrong."""
    words = map[1:-1, 1:-1].copy()
    np.fill_diagonal(words, 0)
    right = [
        (words[word - 1].argmax() if reading == "dep->head" else words[:, word - 1].argmax()) == head - 1
        for word, head in arcs_of(text, relation)
    ]
    return sum(right), len(right) - sum(right)


def words_of(example: xr.Dataset) -> tuple[str, ...]:
    return tuple(word for word in example["word"].values if word)[1:-1]


def test_two_sentences_for_each_relation_that_was_found(shown: xr.Dataset) -> None:
    labels = list(
        zip(*(shown[name].values.tolist() for name in ("relation", "head", "reading")), strict=True)
    )
    assert labels == [row for row in ROWS for _ in range(2)]


def test_maps_and_words(shown: xr.Dataset, sentences) -> None:
    for number in range(shown.sizes["example"]):
        example = shown.isel(example=number)
        text, maps = sentences[words_of(example)]
        size = len(text.words) + 2
        assert example["word"].values[[0, size - 1]].tolist() == ["[CLS]", "[SEP]"]
        assert np.allclose(
            example["weights"].values[:size, :size], maps[str(example["head"].values)], atol=1e-5
        )
        assert np.isnan(example["weights"].values[size:]).all()


def test_arcs_go_from_the_word_that_attends(shown: xr.Dataset, sentences) -> None:
    for number in range(shown.sizes["example"]):
        example = shown.isel(example=number)
        text, _ = sentences[words_of(example)]
        arcs = arcs_of(text, str(example["relation"].values))
        drawn = {(query, int(key)) for query, key in enumerate(example["arc"].values) if key >= 0}
        wanted = set(arcs) if example["reading"] == "dep->head" else {(head, word) for word, head in arcs}
        # a noun with two adjectives has room for one of them
        assert drawn <= wanted and {query for query, _ in drawn} == {query for query, _ in wanted}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_where_the_head_is_right_most(shown: xr.Dataset, sentences, row: tuple[str, str, str]) -> None:
    relation, head, reading = row
    scores = {
        words: hits(text, maps[head], relation, reading)
        for words, (text, maps) in sentences.items()
        if arcs_of(text, relation)
    }
    order = sorted((-right, wrong) for right, wrong in scores.values())
    chosen = shown.isel(example=np.flatnonzero(shown["relation"].values == relation))
    drawn = [scores[words_of(chosen.isel(example=number))] for number in range(2)]
    assert [(-right, wrong) for right, wrong in drawn] == order[:2]


def test_nothing_found_shows_nothing(plan: Plan) -> None:
    assert examples(plan, TREES, relations(ROWS, found=False)).sizes["example"] == 0
    assert examples(plan, TREES, relations([("all", "L0H0", "dep->head")])).sizes["example"] == 0
