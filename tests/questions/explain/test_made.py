"""Which heads made one token of a typed text: the verb's numbers, also without heads that are off."""

from __future__ import annotations

import numpy as np
import pytest

import headscope
from headscope.errors import ModelError, OptionError
from headscope.heads import Head
from headscope.models import Model
from headscope.questions.explain.made import made_token
from headscope.results.look import MadeToken
from headscope.results.result import Result

TEXT = "The keeper wrote its name"
BY = ("attention",)


def expect_same(told: MadeToken, result: Result) -> None:
    """Numbers are those that the verb's tables have for the token."""
    rows = result.table("made_by").query("place == @told.place")
    (logit,) = result.table("logits").query("place == @told.place").to_dict("records")
    assert told.pieces[told.place] == logit["token"]
    assert [str(head) for head in told.heads] == rows["head"].tolist()
    np.testing.assert_allclose(told.direct, rows["direct"], atol=1e-5)
    np.testing.assert_allclose(told.removed, rows["removed"], atol=1e-5)
    assert (told.logit, told.loss) == pytest.approx((logit["logit"], logit["loss"]), abs=1e-5)


def test_any_token_of_the_text(llama: Model) -> None:
    every = headscope.explain(llama, [TEXT], by=BY, heads=True, every=True)
    for place in (1, 3):
        expect_same(made_token(llama, TEXT, place=place), every)


def test_what_the_model_writes(llama: Model) -> None:
    written = headscope.explain(llama, [TEXT], by=BY, heads=True, generate=3)
    told = made_token(llama, TEXT, generate=3)
    assert told.written == 3 and told.place == len(told.pieces) - 1
    assert told.pieces[-3:] == written.table("logits")["token"].tolist()
    expect_same(told, written)
    expect_same(made_token(llama, TEXT, generate=3, place=told.place - 1), written)
    assert made_token(llama, TEXT).pieces == told.pieces[:-2], "one that is not to continue tells its next"


def test_the_parts_add_up_with_heads_off_too(llama: Model) -> None:
    off = [Head("decoder", 0, 1), Head("decoder", 1, 2)]
    gone = [llama.heads().index(head) for head in off]
    whole, told = (made_token(llama, TEXT, generate=1, off=heads) for heads in ((), off))
    for each in (whole, told):
        assert sum(part.value for part in each.parts) == pytest.approx(each.logit, abs=1e-4)
        assert each.parts[0].value == pytest.approx(each.direct.sum())
    assert told.pieces == whole.pieces, "the model writes with all its heads"
    assert whole.notes == [] and "with all its heads" in told.notes[0]
    assert not told.direct[gone].any() and not told.removed[gone].any()
    assert whole.direct[gone].all() and told.logit != pytest.approx(whole.logit, abs=1e-4)
    first = made_token(llama, TEXT, generate=1, off=off[:1])
    assert first.loss + first.removed[gone[1]] == pytest.approx(told.loss, abs=1e-5)


def test_removal_is_left_out_where_it_is_not_asked(llama: Model) -> None:
    told = made_token(llama, TEXT, removal=False)
    assert np.isnan(told.removed).all()
    assert told.direct == pytest.approx(made_token(llama, TEXT).direct)


def test_what_cannot_be_told_is_refused(bert: Model, llama: Model) -> None:
    pieces = len(llama.tokenizer(TEXT)["input_ids"])
    for place in (0, -1, pieces + 1):
        with pytest.raises(OptionError, match=f"no piece {place}: heads make pieces 1 to {pieces}"):
            made_token(llama, TEXT, place=place)
    with pytest.raises(ModelError, match="made a token cannot be told: it does not write the next piece"):
        made_token(bert, "A [MASK] book.")
