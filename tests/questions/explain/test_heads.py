"""explain --heads: tables of who made a token, what is refused, and that a kept run has the same numbers."""

from __future__ import annotations

import pytest

import headscope
from headscope.errors import ModelError, OptionError
from headscope.models import Model
from headscope.questions.findings import findings_of
from headscope.questions.pictures import files_of

TEXT = "The keeper wrote its name"
BY = ("attention",)


@pytest.fixture(scope="module")
def explained(llama: Model):
    return headscope.explain(llama, [TEXT], by=BY, heads=True, generate=2)


def test_a_row_for_each_token_and_head_and_the_logit_adds_up(explained, llama: Model) -> None:
    made, logits = explained.table("made_by"), explained.table("logits")
    assert len(made) == 2 * len(llama.heads()) and len(logits) == 2
    assert made["token"].unique().tolist() == logits["token"].tolist()
    assert logits["off"].abs().max() < 1e-4
    sums = made.groupby("place")["direct"].sum()
    assert sums.to_numpy() == pytest.approx(logits.set_index("place")["heads"].to_numpy())
    assert logits["token"].tolist() == explained.table("answers")["label"].tolist()


def test_every_token_of_a_text(llama: Model) -> None:
    result = headscope.explain(llama, [TEXT], by=BY, heads=True, every=True)
    pieces = llama.tokenizer(TEXT)["input_ids"]
    logits = result.table("logits")
    assert logits["place"].tolist() == list(range(1, len(pieces)))
    assert logits["off"].abs().max() < 1e-4


def test_an_asked_token(llama: Model) -> None:
    result = headscope.explain(llama, [TEXT], by=BY, heads=True, answer="a")
    assert result.table("logits")["token"].tolist() == ["a"]


def test_it_is_told_drawn_and_kept(explained, llama: Model, tmp_path) -> None:
    first = findings_of(explained)[0].text
    best = explained.table("made_by").iloc[: len(llama.heads())]["direct"].idxmax()
    assert explained.table("made_by")["head"][best] in first
    assert any("heads_that_made" in name for name in files_of(explained))
    kept = headscope.explain(llama, [TEXT], by=BY, heads=True, generate=2, out=tmp_path / "run", plots=False)
    assert kept.table("made_by").equals(explained.table("made_by"))


def test_what_cannot_be_told_is_refused(bert: Model, llama: Model) -> None:
    with pytest.raises(ModelError, match="does not write the next piece"):
        headscope.explain(bert, ["A [MASK] book."], heads=True)
    with pytest.raises(ModelError, match="does not write the next piece"):  # without any head for a task
        headscope.explain("default", ["A small book."], heads=True)
    with pytest.raises(OptionError, match="give both"):
        headscope.explain(llama, [TEXT], every=True)
