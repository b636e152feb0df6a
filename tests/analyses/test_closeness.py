"""Heads beside trees through the whole analysis: references, planted heads, masks, batches."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.analyses.census import Census, sentence_key, with_cases_above
from headscope.analyses.closeness import ASKED, BY_SENTENCE, REACHED, SENTENCES, Closeness
from headscope.analyses.trees import tree_of
from headscope.attention import Heard, Site
from headscope.engine.planning import reading_setting
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.measures.closeness import DIVERGENCE, RANK
from headscope.measures.matched_trees import arc_counts, class_of
from headscope.models.load import with_module
from headscope.questions.structure.options import Options
from headscope.questions.structure.scores import compare
from headscope.results.vocabulary import FALSE_TREES
from headscope.text import Document, Segment, Sentences, read, sentences
from tests.tree_counts import OnlySites, counted, looking
from tests.trees import corpus, document, treebank

EWT = "01_ud_english_ewt/en_ewt-ud-dev.conllu"


def segments_of(documents: list[Document]) -> list[Segment]:
    """Each sentence between two special pieces, a piece for each word."""
    made = []
    for one in documents:
        for number, part in sentences(one):
            word = np.array([-1, *range(len(part.words)), -1])
            pieces = np.arange(len(word))
            made.append(
                Segment(one.id, number, pieces, None, word < 0, word, part.surfaces(), (0,), part=part)
            )
    return made


def setting_of(site: Site) -> Setting:
    return Setting(cast(Any, OnlySites([site])))


def over_words(dataset: xr.Dataset, name: str, measure: int, out_of: int, tree: str = "true") -> float:
    column = dataset.sel(target="parent", tree=tree).isel(head=0)
    return float(column[name][..., measure].sum() / column["counts"][..., out_of].sum())


@pytest.fixture(scope="module")
def ewt(data: Path) -> list[Document]:
    return list(read(data / EWT))


@pytest.fixture(scope="module")
def ewt_census(ewt: list[Document]) -> Census:
    return Census.of(ewt, "ud", 0)


@pytest.mark.parametrize(
    ("mask", "by_sentence", "by_word"),
    [("sees_earlier", 0.673, 0.864), ("sees_later", 0.939, 1.313), ("diagonal", 2.103, 2.823)],
)
def test_even_attention_over_a_treebank(
    ewt: list[Document], ewt_census: Census, mask: str, by_sentence: float, by_word: float
) -> None:
    analysis = Closeness(ewt_census)
    site = Site("encoder", 0, 1)
    ordered = sorted(segments_of(ewt), key=len)
    work = analysis.work(setting_of(site))
    for start in range(0, len(ordered), 128):
        some = ordered[start : start + 128]
        longest = max(map(len, some))
        every = torch.ones(longest, longest, dtype=torch.bool)
        visible = {"sees_earlier": every.tril(-1), "sees_later": every.triu(1)}.get(
            mask, every ^ torch.eye(longest, dtype=torch.bool)
        )
        work.begin(cast(Any, SimpleNamespace(segments=some)))
        weights = torch.zeros(len(some), 1, longest, longest)
        work.hear(Heard(site, weights, torch.arange(longest), None, visible[None, None]))
        work.end([one.document for one in some])
    dataset = analysis.arrays(work.tallies, setting_of(site))
    assert dataset["counts"].sel(target="parent", tree="true")[..., SENTENCES].sum() == 1901
    assert abs(over_words(dataset, "even", BY_SENTENCE, SENTENCES) - by_sentence) < 0.003
    assert abs(over_words(dataset, "even", DIVERGENCE, ASKED) - by_word) < 0.003


def test_matched_trees_have_the_arcs_of_true_ones(ewt: list[Document], ewt_census: Census) -> None:
    """Four trees a sentence, so that chance does not hide the fit; classes of few arcs are left out."""
    true: dict[int, np.ndarray] = {}
    false: dict[int, np.ndarray] = {}
    short = 0
    for one in ewt:
        for number, part in sentences(one):
            words = len(part.words)
            drawn = [ewt_census.matched.tree(sentence_key(seed, one.id, number), words) for seed in range(4)]
            if drawn[0] is None:
                short += 1
                assert words < 6
                continue
            assert part.dependencies is not None
            size = class_of(words)
            true[size] = true.get(size, 0) + arc_counts(part.dependencies.heads)
            false[size] = false.get(size, 0) + sum(arc_counts(tree) for tree in drawn if tree is not None)
    large = [size for size in true if true[size].sum() > 1000]
    assert short == 565 and len(large) == 8
    for size in large:
        assert np.abs(true[size] / true[size].sum() - false[size] / false[size].sum()).sum() / 2 <= 0.02


def test_the_reference_is_a_model_whose_logits_are_all_zero(bert) -> None:
    """Letters that the tokenizer does not know make one piece of each word."""
    greek = "ζ>2:a ηη>0:root θ>2:b λ>3:c", "θ>0:root ξξ>1:a ζ>2:b ψ>2:c ωω>4:d", "ω>2:a ψ>0:root"
    trees = corpus(*(document(f"d{number}", *greek[number % 2 :]) for number in range(4)))
    module = deepcopy(bert.module)
    for layer in module.base_model.encoder.layer:
        layer.attention.self.query.weight.data.zero_()
        layer.attention.self.query.bias.data.zero_()
    model = with_module(bert, module)
    setting, _ = reading_setting(model, Options(treebank=trees))
    plan = Plan(setting, [Closeness(Census.of(trees, "ud", 0))], 64, 8, Sentences())
    (dataset,) = plan.arrays(run(plan, trees, "closeness"))
    np.testing.assert_allclose(dataset["sums"].values, dataset["even"].values, atol=1e-6)
    assert float(dataset["sums"].sum()) > 0


TREES = treebank(24)
SEGMENTS = segments_of(TREES)


def test_attention_that_follows_parents_has_no_divergence_and_rank_one() -> None:
    census = Census.of(TREES, "ud", 0)
    gold = looking(SEGMENTS, [tree_of(one).heads.tolist() for one in SEGMENTS], special=0.1)
    dataset = counted(cast(Any, Closeness(census)), [(SEGMENTS, gold)])
    assert abs(over_words(dataset, "sums", DIVERGENCE, REACHED)) < 1e-6
    assert over_words(dataset, "sums", RANK, REACHED) == 1
    assert all(over_words(dataset, "sums", DIVERGENCE, REACHED, tree) > 1 for tree in FALSE_TREES)
    assert all(is_better(dataset, tree) for tree in FALSE_TREES)


def test_attention_that_follows_matched_random_trees_is_rarely_found() -> None:
    """A hundred nulls, each with its own false trees; against those of a random parser they look good."""
    found = naive = 0
    for null in range(100):
        census = Census.of(TREES, "ud", null)
        planted = [_planted(census, null, one) for one in SEGMENTS]
        dataset = counted(cast(Any, Closeness(census)), [(SEGMENTS, following(planted))])
        naive += is_better(dataset, "arc_standard")
        found += all(is_better(dataset, tree) for tree in reversed(FALSE_TREES))
    assert found <= 9
    assert naive > 50


def following(planted: list[list[int]]) -> torch.Tensor:
    """Attention (batch, 1, piece, piece) of words to one other each; the root looks at the first piece."""
    weights = torch.zeros(len(planted), 1, *[max(map(len, SEGMENTS))] * 2)
    text = np.repeat(np.arange(len(planted)), [len(heads) for heads in planted])
    word = np.concatenate([np.arange(len(heads)) for heads in planted])
    weights[text, 0, word + 1, np.concatenate(planted) + 1] = 1
    return weights


def _planted(census: Census, null: int, segment: Segment) -> list[int]:
    key = sentence_key(1000 + null, segment.document, segment.index)
    tree = census.matched.tree(key, len(segment.words))
    # Sentences that are too short for a matched tree borrow that of another, which is as blind to the words.
    lender = census.lender(key, len(segment.words)) if tree is None else None
    heads = tree if lender is None else lender.heads
    return [0] * len(segment.words) if heads is None else heads.tolist()


def is_better(dataset: xr.Dataset, tree: str) -> bool:
    tested = compare(dataset, "parent", tree, 0)[2]
    return bool(tested.significant[0] and tested.value[0] < 0)


def test_batches_do_not_matter() -> None:
    census = Census.of(TREES, "ud", 0)
    random = torch.rand(len(SEGMENTS), 2, 16, 16, generator=torch.Generator().manual_seed(0))

    def attention(some: list[int]) -> torch.Tensor:
        longest = max(len(SEGMENTS[one]) for one in some)
        weights = random[some, :, :longest, :longest].clone()
        for row, one in enumerate(some):
            weights[row, :, :, len(SEGMENTS[one]) :] = 0
        return weights / weights.sum(-1, keepdim=True)

    def over(parts: list[list[int]]) -> xr.Dataset:
        batches = [([SEGMENTS[one] for one in part], attention(part)) for part in parts]
        return counted(cast(Any, Closeness(census)), batches)

    places = list(range(24))
    together, apart = over([places]), over([[one] for one in places])
    for name in together.data_vars:
        np.testing.assert_allclose(together[name], apart[name], rtol=1e-5, atol=1e-6)


def test_prepositions_above_their_nouns() -> None:
    """came out of the house: 'out' takes the place of 'house', 'of' hangs on 'out', 'house' on 'of'."""
    heads, relations = np.array([-1, 4, 4, 4, 0]), ["root", "case", "case", "det", "obl"]
    assert with_cases_above(heads, relations).tolist() == [-1, 0, 1, 4, 2]


def test_a_sentence_borrows_from_another_of_its_length() -> None:
    census = Census.of(
        [document("a", "x>0:root y>1:a"), document("b", "x>2:a y>0:root"), document("c", "x>0:root")], "ud", 0
    )
    lender = census.lender(sentence_key(0, "a", 0), 2)
    assert lender is not None and lender.heads.tolist() == [1, -1]
    assert census.lender(sentence_key(0, "c", 0), 1) is None


def test_frequency_and_tf_idf_by_hand() -> None:
    """Three sentences: 'x' is in two of them, three times in all."""
    census = Census.of([document("a", "x>0:root X>1:a", "x>0:root y>1:a", "z>0:root y>1:a")], "ud", 0)
    values = census.rarity(["x", "z"])
    np.testing.assert_allclose(values, [[np.log(3), 0], [np.log(3 / 2), np.log(3)]])
