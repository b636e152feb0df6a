"""Where there is nothing to find, syntax finds little: in random trees, in untrained models."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
import transformers as tf
import xarray as xr

from benchmarks.null_trees import Looks, counts, real_distances, rejections, with_random_trees
from benchmarks.planted_heads import power, words_of
from headscope.analyses.analysis import Setting
from headscope.analyses.crossfit import cross_fit
from headscope.attention import Site
from headscope.engine.twins import run_twins
from headscope.measures.statistics import sign_flip
from headscope.models import Model, load
from headscope.questions.syntax.answer import Options, make_plan
from headscope.questions.syntax.relations import ALL, EITHER, compare, relations_table, with_all
from headscope.questions.treebank import count_relations
from headscope.text import Corpus, Segment, read, sentences
from tests.tree_counts import OnlySites, segment
from tests.trees import corpus, document, treebank

HEADS, DOCUMENTS, CORPORA = 12, 40, 30
LEVEL = 0.05


@pytest.fixture(scope="module")
def looks() -> Looks:
    """Heads whose words look at random ones, in sentences so short that their ends matter."""
    draw = np.random.default_rng(0)
    sizes = draw.integers(3, 13, 3 * DOCUMENTS)
    texts = [_flat(f"d{number // 3}", size, draw) for number, size in enumerate(sizes)]
    to, by = (np.stack([_others(size, draw) for size in sizes]) for _ in range(2))
    setting = Setting(cast(Any, OnlySites([Site("encoder", 0, HEADS, False)])))
    return Looks(setting, texts, to, by)


def _flat(name: str, size: int, draw: np.random.Generator) -> Segment:
    """A sentence under its first word; relations are drawn."""
    relations = draw.choice(["det", "obj", "amod"], size - 1)
    return segment(document(name, " ".join(["w>0:root", *(f"w>1:{one}" for one in relations)])))


def _others(size: int, draw: np.random.Generator) -> np.ndarray:
    """Another word for each, (head, word), filled up to the longest sentence."""
    chosen = draw.integers(0, size - 1, (HEADS, size))
    chosen += chosen >= np.arange(size)
    return np.pad(chosen, ((0, 0), (0, 12 - size)), constant_values=-1)


@pytest.fixture(scope="module")
def nulls(looks: Looks) -> list[xr.Dataset]:
    drawn = (with_random_trees(looks.segments, np.random.default_rng(seed)) for seed in range(CORPORA))
    return [counts(looks, list(segments)) for segments in drawn]


def test_head_and_offset_have_the_same_chance(looks: Looks, nulls: list[xr.Dataset]) -> None:
    every = sum(one.sel(relation=ALL, reading=["dep->head", "head<-dep"]).sum("block") for one in nulls)
    rates = {
        name: float(every[name].mean() / every["count"].mean()) for name in every if "right" in str(name)
    }
    sizes = np.concatenate([[len(one.words)] * len(one.words) for one in looks.segments])
    chance = np.mean(1 / (sizes - 1))
    assert rates["right"] == pytest.approx(chance, rel=0.02)
    assert rates["inside_right"] == pytest.approx(chance, rel=0.02)
    assert rates["offset_right"] < 0.7 * chance, "the papers' offsets run off the end"


def test_random_trees_are_rarely_called_known(looks: Looks) -> None:
    for distances in (None, real_distances(looks.segments)):
        found = rejections(looks, CORPORA, least=60, distances=distances)
        assert found.tests == 3 * CORPORA
        assert found.rejected / found.tests <= 0.065 and found.discoveries <= CORPORA // 10


def test_the_accuracy_of_a_chosen_head_is_that_of_chance(nulls: list[xr.Dataset]) -> None:
    fits = [compare(one)[EITHER].head for one in nulls]
    honest = sum(fit.right.sum(0) for fit in fits) / sum(fit.count.sum(0) for fit in fits)
    right = sum(one["right"].sum("block").isel(reading=slice(2)).max(("head", "reading")) for one in nulls)
    same = right.values / sum(one["count"].sum("block").isel(reading=0) for one in nulls).values
    assert (same > 1.1 * honest).all(), "the best head on the words that chose it looks better than it is"


def test_an_offset_that_runs_off_the_end_would_find_too_much(nulls: list[xr.Dataset]) -> None:
    """What the comparison over the same words protects from."""
    rejected = []
    for one in nulls:
        count = one["count"].isel(reading=0).transpose("block", "relation").values
        sums = (one[name].isel(reading=0) for name in ("right", "offset_right"))
        head, offset = (cross_fit(right.transpose("block", ..., "relation").values, count) for right in sums)
        rejected.append(sign_flip(head.right - offset.right, seed=0)[1:] <= LEVEL)
    assert np.mean(rejected) > 0.15


def test_planted_heads_are_found_where_there_are_words_enough() -> None:
    written = [segment(part) for one in treebank(450) for _, part in sentences(one)]
    words = words_of(written)
    assert len(words.frequent(1500)) == 2
    assert power(words, 1500, None, trials=5) >= 0.9
    assert power(words, 1500, 60, trials=5) <= 0.5, "sixty words are few"


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
    found = discoveries(tiny, corpus(*documents), 8)
    assert sum(one > 0 for one in found) <= 2
