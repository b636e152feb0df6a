"""Where there is nothing to find, little is found: in heads that look at random, in untrained models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as tf
import xarray as xr

from headscope.engine.twins import run_twins
from headscope.measures.statistics import sign_flip
from headscope.models import Model, load
from headscope.questions.syntax.analysis import Syntax
from headscope.questions.syntax.answer import Options, make_plan
from headscope.questions.syntax.relations import EITHER, compare, relations_table, with_all
from headscope.questions.syntax.trees import count_relations
from headscope.text import Corpus, Dependencies, Segment, read
from tests.tree_counts import counted, segment
from tests.trees import corpus, document

WORDS, EDGE, HEADS, DOCUMENTS, SENTENCES = 14, 3, 12, 24, 3
# Words near an end have no neighbour at some offsets, which would then have less of a chance than a head.
RELATIONS = tuple("inner" if EDGE <= word < WORDS - EDGE else "edge" for word in range(WORDS))
PEAKED = np.exp(np.linspace(0, 3, WORDS)) / np.exp(np.linspace(0, 3, WORDS)).sum()
LEVEL = 0.05


@pytest.fixture(scope="module")
def texts() -> list[Segment]:
    """Sentences of equal length, a few to a document, whose trees are still to be drawn."""
    flat = " ".join(["w>0:root"] + ["w>1:edge"] * (WORDS - 1))
    return [segment(document(f"d{number}", flat)) for number in range(DOCUMENTS) for _ in range(SENTENCES)]


def with_random_tree(text: Segment, draw: np.random.Generator) -> Segment:
    """Heads are drawn evenly among the other words; that they are trees is of no matter here."""
    heads = draw.integers(0, WORDS - 1, WORDS)
    heads += heads >= np.arange(WORDS)
    assert text.part is not None
    tree = Dependencies(heads, RELATIONS, np.zeros(WORDS, int), ("",) * WORDS, ("",) * WORDS)
    return replace(text, part=replace(text.part, dependencies=tree))


def null(texts: list[Segment], seed: int) -> xr.Dataset:
    """Counts of heads whose rows all have the same peaked weights, each on keys of its own drawing."""
    draw = np.random.default_rng(seed)
    drawn = [with_random_tree(text, draw) for text in texts]
    weights = np.zeros((len(texts), HEADS, WORDS + 2, WORDS + 2), np.float32)
    shape = (len(texts), HEADS, WORDS, WORDS)
    weights[..., 1:-1, 1:-1] = draw.permuted(np.broadcast_to(PEAKED, shape), axis=-1)
    return counted(Syntax({"inner": "inner"}, reach=EDGE), [(drawn, torch.from_numpy(weights))])


@pytest.fixture(scope="module")
def nulls(texts: list[Segment]) -> list[xr.Dataset]:
    return [null(texts, seed) for seed in range(200)]


def test_head_and_offset_have_the_same_chance(nulls: list[xr.Dataset]) -> None:
    words = sum(int(one["count"].sel(reading="dep->head").sum()) for one in nulls)
    assert words == len(nulls) * DOCUMENTS * SENTENCES * (WORDS - 2 * EDGE)
    for reading in ("dep->head", "head<-dep"):
        heads = sum(float(one["right"].sel(reading=reading).sum()) for one in nulls) / HEADS
        offsets = sum(float(one["offset_right"].sel(reading=reading).sum()) for one in nulls) / (2 * EDGE)
        assert heads / words == pytest.approx(1 / (WORDS - 1), rel=0.01)
        assert offsets / words == pytest.approx(1 / (WORDS - 1), rel=0.01)


def test_a_true_null_is_rejected_as_often_as_was_said(nulls: list[xr.Dataset]) -> None:
    fits = [compare(one)[EITHER] for one in nulls]
    p = np.array([sign_flip(fit.head.right - fit.offset.right, seed=0).item() for fit in fits])
    assert 0.02 <= (p <= LEVEL).mean() <= 0.09
    assert 0.35 < p.mean() < 0.65
    # Accuracy is that of chance, while the best head on its own data looks better.
    chance = 1 / (WORDS - 1)
    assert np.mean([fit.head.accuracy() for fit in fits]) == pytest.approx(chance, rel=0.02)
    same = [float((one["right"].sum("block") / one["count"].sum("block"))[0, :, :2].max()) for one in nulls]
    assert np.mean(same) > 1.15 * chance


def test_choosing_and_scoring_on_the_same_data_would_find_too_much(nulls: list[xr.Dataset]) -> None:
    """What the choice on the other half protects from: the best of many against one fixed offset."""
    rejected = []
    for one in nulls:
        right = one["right"].isel(relation=0, reading=0).values
        best = right[:, right.sum(0).argmax()]
        offset = one["offset_right"].isel(relation=0, reading=0, offset=0).values
        rejected.append(sign_flip(best - offset, seed=0).item() <= LEVEL)
    assert np.mean(rejected) > 0.15


@pytest.fixture(scope="module")
def tiny(tokenizers) -> Model:
    """A model that has learned nothing, with a tokenizer that knows English."""
    tokenizer = tokenizers["minilm"]
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    return load(tf.BertModel(tf.BertConfig(**sizes, vocab_size=len(tokenizer))).eval(), tokenizer)


def discoveries(model: Model, treebank: Corpus, twins: int) -> list[int]:
    """How many relations each random twin is held to know, corrected for all that are tested."""
    plan, _ = make_plan(model, Options(treebank=treebank), count_relations(treebank))
    found = []
    for (dataset,) in run_twins(plan, twins, treebank, "syntax"):
        table = relations_table(with_all(dataset), [], least=20, seed=0)
        assert table["p"].notna().sum() >= 10
        found.append(int((table["p_holm"] < LEVEL).sum()))
    return found


def test_random_twins_find_next_to_nothing_in_real_trees(tiny: Model, data: Path) -> None:
    documents = list(read(data / "01_ud_english_ewt" / "en_ewt-ud-dev.conllu").limited(20))
    found = discoveries(tiny, corpus(*documents), 20)
    assert sum(one > 0 for one in found) <= 3
