"""Heads that follow antecedents: planted ones, real maps counted by hand, and what must not matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
import pytest
import torch
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.attention import Recorder
from headscope.attention.edit import Replace
from headscope.attention.listen import Heard
from headscope.blocks import block_of
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.heads import Head
from headscope.models import Model, Sides, sides_of
from headscope.questions.coref.analysis import TYPES, Coref, CorefWork
from headscope.questions.coref.antecedents import BASELINES
from headscope.questions.coref.options import Candidates
from headscope.questions.coref.tables import types_table
from headscope.text import Document, Segment, Windows, batches
from headscope.text.alignment import number_all
from headscope.text.head_words import with_heads
from tests.mentions import SHORT, SHORT_MENTIONS, marked
from tests.mentions import mixed as documents
from tests.torch_words import to_words

PLANTED = Head("encoder", 1, 2)


def arrays(
    model: Model,
    documents: Sequence[Document],
    analysis: Coref | None = None,
    batch_size: int = 5,
    window: int = 30,
) -> xr.Dataset:
    analysis = analysis or Coref()
    setting = Setting(model)
    plan = Plan(setting, [analysis], 60, batch_size, Windows(window))
    done = run(plan, list(documents), "coref")
    return analysis.arrays(done.tallies["coref"], setting)


class Watched(Coref):
    """Tells what batch is running."""

    segments: list[Segment]

    def work(self, setting: Setting) -> CorefWork:
        outer = self

        class Work(CorefWork):
            def begin(self, sides: Sides) -> None:
                outer.segments = sides.segments
                super().begin(sides)

        return Work(self, setting)


def gold(segment: Segment) -> dict[int, set[int]]:
    """The head words of the antecedents of each head word."""
    found: dict[int, set[int]] = {}
    mentions = segment.part.coreference.mentions
    for one in mentions:
        for other in mentions:
            if other.entity == one.entity and other.head < one.head:
                found.setdefault(one.head, set()).add(other.head)
    return found


def test_a_planted_head_is_always_right(bert: Model) -> None:
    analysis = Watched()

    def follow(weights: torch.Tensor, heard: Heard) -> torch.Tensor:
        planted = torch.zeros_like(weights)
        planted[..., 0] = 1.0  # everything else goes to [CLS], which is no word
        for row, segment in enumerate(analysis.segments):
            for word, antecedents in gold(segment).items():
                pieces = np.flatnonzero(segment.word == word)
                keys = np.flatnonzero(segment.word == min(antecedents))
                planted[row, :, pieces] = 0.0
                planted[row, 0, pieces[:, None], keys] = 0.4 / len(keys)
                planted[row, 0, pieces, 0] = 0.6
        return planted

    with bert.attached(edits=[Replace([PLANTED], follow)]):
        found = arrays(bert, documents(), analysis)
    accuracy = found["accuracy"].sel(head=str(PLANTED))
    assert accuracy.sel(type=["all", "pronoun", "proper", "nominal"]).values.tolist() == [1.0] * 4
    assert (found["accuracy"].sel(type="all") < 1).sum() == found.sizes["head"] - 1
    table = types_table(found, [], seed=0).set_index("type")
    assert table.loc["all", "chosen"] == table.loc["all", "head"] == "L1H2"
    assert table.loc["all", "accuracy"] == table.loc["all", "low"] == 1.0


def naive(
    model: Model, documents: Sequence[Document], candidates: Candidates, window: int = 30
) -> np.ndarray:
    """(head,) how often each head is right, one mention and one head at a time."""
    right = np.zeros(len(Setting(model).chosen()))
    for document in documents:
        for segment in Windows(window)(document, model.tokenizer, 60):
            (batch,) = batches([segment], model.tokenizer, 1)
            recorder = Recorder()
            with torch.no_grad(), model.attached([recorder]) as module:
                module(**sides_of(model, batch).inputs)
            numbers = torch.as_tensor(number_all(segment.word))
            first = {int(word): int(number) for word, number in zip(segment.word, numbers, strict=True)}
            maps = torch.cat([recorder.maps[site][0][0] for site in Setting(model).sites()])
            words = to_words(maps, numbers, numbers).numpy()
            heads = {mention.head for mention in segment.part.coreference.mentions}
            for mention in segment.part.coreference.mentions:
                targets = gold(segment).get(mention.head, set())
                if not targets or not any(_links(segment, mention)):
                    continue
                allowed = {
                    "words": set(range(len(segment.words))),
                    "mentions": heads,
                    "preceding": {head for head in heads if head < mention.head},
                }[candidates] - {mention.head}
                order = sorted(allowed)
                given = words[:, first[mention.head]][:, [first[word] for word in order]]
                own = {other.head for other in _links(segment, mention)}
                right += np.array([order[place] in own for place in given.argmax(1)])
    return right


def _links(segment: Segment, mention) -> list:
    every = segment.part.coreference.mentions
    return [one for one in every if one.entity == mention.entity and one.head < mention.head]


@pytest.mark.parametrize("candidates", get_args(Candidates))
def test_counts_equal_those_of_one_mention_at_a_time(bert: Model, candidates: Candidates) -> None:
    found = arrays(bert, documents(6), Coref(candidates))
    expected = naive(bert, documents(6), candidates)
    assert np.array_equal(found["right"].sel(type="all").sum("block"), expected)
    assert expected.max() > expected.min()


def test_fewer_candidates_never_hurt_the_right_answer(bert: Model) -> None:
    """What is right among all words is right among fewer that still hold it."""
    all_words, mentions, preceding = (
        arrays(bert, documents(), Coref(one))["right"].sum("block").values for one in get_args(Candidates)
    )
    assert (all_words <= mentions).all() and (mentions <= preceding).all()
    assert (all_words < preceding).any()


def test_types_and_baselines_of_one_document_by_hand(bert: Model) -> None:
    found = arrays(bert, documents(1))
    # She, his, The dog, Anna, the dog, him; Rome is a candidate, and nearest to nothing that counts.
    assert found["count"].sum("block").values.tolist() == [6, 3, 1, 2]
    mentions = {"mentions": 10, "scored": 6, "shared": 0, "without pieces": 0}
    assert found.attrs == {"documents": 1, **mentions, "cut windows": 0, "cut mentions": 0}
    right = found["baseline_right"].sum("block").to_series().unstack("type")[list(TYPES)]
    assert right.loc[list(BASELINES)].values.tolist() == [
        [2, 1, 0, 1],
        [3, 0, 1, 2],
        [4, 1, 1, 2],
        [4, 1, 1, 2],
    ]
    assert np.flatnonzero(found["count"].sel(type="all")).tolist() == [block_of("doc0")]


def test_antecedents_must_be_in_the_window(bert: Model) -> None:
    assert arrays(bert, documents(1), window=12).attrs["scored"] == 3  # She, his; the dog after The dog
    assert arrays(bert, documents(1), window=22).attrs["scored"] == 6


def test_mentions_without_a_type_count_in_all(bert: Model) -> None:
    bare = marked("d", SHORT, SHORT_MENTIONS, tags=[""] * 9)
    later = marked("e", "Rome saw Rome", [(0, 1, "r"), (2, 3, "r")], tags=[""] * 3)
    found = arrays(bert, [with_heads(bare), with_heads(later)])
    assert found["count"].sum("block").values.tolist() == [3, 2, 0, 0]


@pytest.mark.parametrize("batch_size", [1, 3, 16])
def test_batches_padding_and_order_do_not_matter(bert: Model, batch_size: int) -> None:
    expected = arrays(bert, documents())
    order = np.random.default_rng(batch_size).permutation(12)
    found = arrays(bert, [documents()[number] for number in order], batch_size=batch_size)
    for name in ("right", "count", "baseline_right"):
        assert np.array_equal(found[name], expected[name]), name
    assert found.attrs == expected.attrs


def test_a_causal_model_looks_back(llama: Model) -> None:
    words, mentions, preceding = (arrays(llama, documents(6), Coref(one)) for one in get_args(Candidates))
    assert np.array_equal(mentions["right"], preceding["right"]), "later mentions get nothing"
    assert words["right"].sum() > 0
