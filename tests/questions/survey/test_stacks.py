"""Surveys of encoders, decoders and encoder-decoders: what each kind has, and what it has not."""

from __future__ import annotations

import numpy as np
import pytest

from headscope import survey
from headscope.errors import OptionError
from headscope.measures.surface import OFFSETS
from headscope.models import Model
from headscope.text import Document, cut

PIECES = 24


def lengths_of(model: Model, texts: list[str], pair: bool) -> list[int]:
    documents = [Document.from_text(f"#{n}", text) for n, text in enumerate(texts)]
    return [len(one) for document in documents for one in cut(document, model.tokenizer, PIECES, pair)]


@pytest.fixture(scope="module")
def causal(llama: Model, texts: list[str]):
    return survey(llama, texts, pieces=PIECES, batch_size=4).arrays["heads"]


@pytest.fixture(scope="module")
def encoder(bert: Model, texts: list[str]):
    return survey(bert, texts, pieces=PIECES, batch_size=4).arrays["heads"]


@pytest.fixture(scope="module")
def three(t5: Model, texts: list[str]):
    return survey(t5, texts, pieces=PIECES, batch_size=4).arrays["heads"]


def test_a_causal_model_has_no_next_token(causal) -> None:
    assert np.isnan(causal["share"].sel(target="next")).all()
    assert np.isnan(causal["share_uniform"].sel(target="next")).all()
    assert np.isnan(causal["offset"].sel(distance=slice(1, None))).all()
    assert np.isfinite(causal["offset"].sel(distance=slice(None, 0))).all()
    assert np.isfinite(causal["share"].sel(target="previous")).all()


def test_the_edge_of_a_causal_model_is_its_last_token(causal, encoder) -> None:
    assert causal.attrs["causal"] == 1 and encoder.attrs["causal"] == 0
    assert np.array_equal(causal["entropy_edge"], causal["entropy_last"])
    assert causal["entropy_edge"].attrs["edge"] == "last token"
    assert np.abs(causal["entropy_first"]).max() < 1e-6, "the first token sees itself alone"
    assert np.array_equal(encoder["entropy_edge"], encoder["entropy_first"])
    assert encoder["entropy_edge"].attrs["edge"] == "first token"


def test_even_attention_of_a_causal_model_by_hand(causal, llama: Model, texts: list[str]) -> None:
    lengths = lengths_of(llama, texts, pair=False)
    entropy = np.mean([np.mean([np.log(i + 1) for i in range(n)]) for n in lengths])
    own = np.mean([np.mean([1 / (i + 1) for i in range(n)]) for n in lengths])
    previous = np.mean([np.mean([1 / (i + 1) for i in range(1, n)]) for n in lengths if n > 1])
    last = np.mean([np.log(n) for n in lengths])
    assert causal["entropy_uniform"].values == pytest.approx(entropy, rel=1e-5)
    assert causal["share_uniform"].sel(target="self").values == pytest.approx(own, rel=1e-5)
    assert causal["share_uniform"].sel(target="first").values == pytest.approx(own, rel=1e-5)
    assert causal["share_uniform"].sel(target="previous").values == pytest.approx(previous, rel=1e-5)
    assert causal["entropy_last_uniform"].values == pytest.approx(last, rel=1e-5)


def test_even_attention_of_an_encoder_by_hand(encoder, bert: Model, texts: list[str]) -> None:
    lengths = lengths_of(bert, texts, pair=True)
    even = np.mean([1 / n for n in lengths])
    assert encoder.attrs["segments"] == len(lengths)
    assert encoder["entropy_uniform"].values == pytest.approx(np.mean(np.log(lengths)), rel=1e-5)
    for target in ("self", "previous", "next", "first", "[CLS]"):
        assert encoder["share_uniform"].sel(target=target).values == pytest.approx(even, rel=1e-5), target
    reach = [n for n in lengths if n > 8]
    far = encoder["offset_uniform"].sel(distance=8).values
    assert far == pytest.approx(np.mean([1 / n for n in reach]), rel=1e-5)


def test_shares_of_all_kinds_make_a_whole(encoder, causal, three) -> None:
    for dataset, specials in ((encoder, ["[CLS]", "[SEP]"]), (causal, []), (three, ["</s>"])):
        kinds = [*specials, "other special", ". or ,", "punctuation", "word"]
        assert dataset["share"].sel(target=kinds).sum("target").values == pytest.approx(1, abs=1e-5)


def test_an_encoder_decoder_has_three_stacks(three) -> None:
    assert list(dict.fromkeys(three["stack"].values)) == ["encoder", "decoder", "cross"]
    assert three.sizes["head"] == 3 * 2 * 4
    assert list(three["head"].values[[0, 8, 23]]) == ["encoder:L0H0", "decoder:L0H0", "cross:L1H3"]


def test_cross_attention_has_no_offsets(three) -> None:
    cross = three.isel(head=three["stack"].values == "cross")
    assert np.isnan(cross["offset"]).all() and np.isnan(cross["offset_uniform"]).all()
    assert np.isnan(cross["share"].sel(target=["self", "previous", "next"])).all()
    assert np.isfinite(cross["entropy"]).all() and np.isfinite(cross["share"].sel(target="first")).all()
    decoder = three.isel(head=three["stack"].values == "decoder")
    assert np.isnan(decoder["share"].sel(target="next")).all()
    assert np.isfinite(three.isel(head=three["stack"].values == "encoder")["offset"]).all()
    assert list(three["distance"].values) == list(OFFSETS)


def test_divergences_are_within_stacks(three) -> None:
    matrix, stack = three["divergence"].values, three["stack"].values
    same = stack[:, None] == stack[None]
    assert np.isfinite(matrix[same]).all() and np.isnan(matrix[~same]).all()
    assert matrix[same].min() == 0 and matrix[same].max() < np.log(2)
    for name in ("encoder", "decoder", "cross"):
        assert 0 < three.attrs[f"layer_p_{name}"] <= 1


def test_own_losses(encoder, causal, three) -> None:
    assert [d.attrs["loss"] for d in (encoder, causal, three)] == ["masked", "causal", "sequence-to-sequence"]
    for dataset in (encoder, causal, three):
        assert (dataset["gradient"].sel(key="all") >= 0).all()
        assert (dataset["gradient"].sel(key="all") > 0).any()


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"layers": (2,)}, {"decoder": 2, "cross": 2}),
        ({"heads": (3,)}, {"encoder": 2}),
        ({"heads": (1,)}, {"encoder": 2, "decoder": 3, "cross": 3}),
        ({"layers": (0,), "heads": (0, 2)}, {"encoder": 2, "decoder": 1, "cross": 1}),
    ],
)
def test_a_choice_may_leave_stacks_out(bart: Model, texts: list[str], choice: dict, expected: dict) -> None:
    whole = survey(bart, texts, pieces=PIECES, gradients=False).arrays["heads"]
    part = survey(bart, texts, pieces=PIECES, gradients=False, **choice).arrays["heads"]
    stacks = list(part["stack"].values)
    assert {stack: stacks.count(stack) for stack in stacks} == expected
    same = whole.sel(head=part["head"].values)
    for name in ("entropy", "share", "strongest"):
        assert np.allclose(part[name], same[name], atol=1e-7, equal_nan=True)
    divergence = same["divergence"].sel(other=part["head"].values)
    assert np.allclose(part["divergence"], divergence, atol=1e-6, equal_nan=True)


def test_a_choice_without_any_head_is_refused(bart: Model, texts: list[str]) -> None:
    # Layer 2 is the decoder's, which has heads 0 and 1; head 3 is the encoder's.
    with pytest.raises(OptionError, match=r"no head has both a chosen layer and a chosen number"):
        survey(bart, texts, pieces=PIECES, layers=(2,), heads=(3,))


def test_a_model_in_training_gives_the_same_survey(bert: Model, texts: list[str], encoder) -> None:
    bert.module.train()
    try:
        found = survey(bert, texts, pieces=PIECES, batch_size=4).arrays["heads"]
        assert all(part.training for part in bert.module.modules())
    finally:
        bert.module.eval()
    for name in ("entropy", "share", "divergence", "gradient"):
        assert np.array_equal(found[name], encoder[name], equal_nan=True)


def test_sampled_rows_are_a_sample_of_the_survey(bert: Model, texts: list[str]) -> None:
    everything = survey(bert, texts, pieces=PIECES, gradients=False).arrays["heads"]
    all_rows = survey(bert, texts, pieces=PIECES, gradients=False, rows=PIECES).arrays["heads"]
    some = survey(bert, texts, pieces=PIECES, gradients=False, rows=6).arrays["heads"]
    assert np.allclose(all_rows["entropy"], everything["entropy"], rtol=1e-5)
    assert np.allclose(all_rows["divergence"], everything["divergence"], atol=1e-5)
    assert not np.allclose(some["entropy"], everything["entropy"], rtol=1e-3)
    assert np.abs(some["entropy"] - everything["entropy"]).max() < 0.5
