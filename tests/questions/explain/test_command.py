"""explain from the command line and Python: every kind of model, words, several texts, and mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headscope
from headscope.errors import HeadscopeError, InputError, ModelError, OptionError
from headscope.explainers import EXPLAINERS, gradients, through_layers
from headscope.models import Model
from headscope.questions.explain.screen import screen
from headscope.results.result import Result
from tests.cli.conftest import command

SENTENCE = "The old keeper wrote a book."
HOSTILE = "<script>alert('x')</script> & \"quoted\" $x_1$ \\input{me} ![](x) old keeper"


def explained(model: Any, text: Any = SENTENCE, **options: Any) -> Result:
    return headscope.explain(model, text, **options)


def one(result: Result, explainer: str, answer: int = 0) -> Any:
    table = result.table("importance")
    return table[(table["explainer"] == explainer) & (table["answer"] == answer)]


def test_a_classifier_is_explained_by_every_way(classifier: Model) -> None:
    result = explained(classifier, by=["all"], flip=True)
    assert set(result.table("explainers")["explainer"]) == set(EXPLAINERS)
    answers = result.table("answers")
    assert len(answers) == 1 and answers["label"][0] in ("bad", "even", "good")
    assert 1 / 3 <= answers["probability"][0] <= 1
    assert len(result.table("agreement")) == len(EXPLAINERS) * (len(EXPLAINERS) - 1) // 2
    assert next(screen(result)).title.endswith(f"; 5 of {len(EXPLAINERS)} ways")
    told = " ".join(finding.text for finding in result.findings)
    assert "random" not in told and "By first" not in told
    shares = result.table("importance").groupby("explainer")["share"].sum()
    assert np.allclose(shares, 1)


def test_a_label_can_be_asked_for(classifier: Model) -> None:
    labels = ["bad", "even", "good"]
    answers = [explained(classifier, answer=label).table("answers") for label in labels]
    assert sum(table["probability"][0] for table in answers) == pytest.approx(1)


def test_words_that_change_an_answer_are_looked_for_if_it_was_given(classifier: Model) -> None:
    own = explained(classifier, by=["random"]).table("answers")["label"][0]
    for label in ("bad", "even", "good"):
        result = explained(classifier, by=["random"], answer=label, flip=True)
        answers, told = result.table("answers"), " ".join(result.notes)
        assert (f"'{label}' is not what the model answers" in told) == (label != own)
        assert label == own or (np.isnan(answers["removed"][0]) and answers["becomes"][0] == "")
        none = f"'{label}' is the answer to 'text', and no set of words that changes it was found"
        assert (none.replace("'text'", repr(answers["text"][0])) in told) == (
            label == own and np.isnan(answers["removed"][0])
        )


def test_pieces_sum_to_words(classifier: Model) -> None:
    text = "Lighthouses outshine unlikely keepers."
    pieces, words = (explained(classifier, text, by=["attention"], words=on) for on in (False, True))
    assert one(words, "attention")["token"].tolist()[1:3] == ["Lighthouses", "outshine"]
    assert len(words.table("importance")) < len(pieces.table("importance"))
    totals = [one(result, "attention")["importance"].sum() for result in (pieces, words)]
    assert totals == pytest.approx([1.0, 1.0])


def test_a_pair_is_read_as_one_text(classifier: Model) -> None:
    result = explained(classifier, second="A book was written.", by=["rollout"])
    assert one(result, "rollout")["special"].sum() == 3
    assert one(result, "rollout")["importance"].sum() == pytest.approx(1)


def test_each_word_of_a_tagger_has_an_answer(tagger: Model) -> None:
    every, single = explained(tagger), explained(tagger, word=1)
    assert len(every.table("answers")) == 7
    assert single.table("answers")["label"][0] == every.table("answers")["label"][1]
    for name in ("attention", "generic", "occlusion"):
        assert np.allclose(one(single, name)["share"], one(every, name, 1)["share"], equal_nan=True)


def test_each_mask_has_an_answer(masked: Model) -> None:
    result = explained(masked, "The [MASK] keeper wrote a [MASK].")
    assert len(result.table("answers")) == 2
    with pytest.raises(InputError, match=r"has no \[MASK\]; write one"):
        explained(masked)


def test_sources_of_each_generated_piece(decoder: Model) -> None:
    result = explained(decoder, generate=3, by=["all"])
    answers = result.table("answers")
    assert len(answers) == 3 and answers["tokens"].diff().dropna().tolist() == [1, 1]
    tokens = [one(result, "attention", number)["token"].tolist() for number in range(3)]
    assert tokens[1][:-1] == tokens[0] and tokens[2][:-1] == tokens[1]
    assert tokens[1][-1] == answers["label"][0]


def test_a_next_piece_can_be_asked_for(decoder: Model) -> None:
    result = explained(decoder, answer=".", by=["occlusion"])
    assert result.table("answers")["label"][0] == "."


def test_each_step_of_a_translation_has_source_and_target(translator: Model) -> None:
    result = explained(translator, target="A book was old.", by=["rollout", "generic", "occlusion"])
    sides = one(result, "rollout", 2)["side"].tolist()
    assert sides.count("target") == 3 and "source" in sides
    written = explained(translator, generate=4, by=["attention"])
    assert len(written.table("answers")) <= 4


def test_several_texts(classifier: Model, tmp_path: Path) -> None:
    (tmp_path / "texts.tsv").write_text("text\tlabel\nThe old keeper.\t1\nA ship wrote a book.\t0\n")
    result = explained(classifier, str(tmp_path / "texts.tsv"))
    alone = explained(classifier, "A ship wrote a book.")
    assert len(result.table("answers")) == 2 and set(result.table("agreement")["answers"]) == {2}
    second = result.table("importance").groupby("text", sort=False).get_group("texts.tsv:3")
    expected = alone.table("importance")["importance"]
    assert np.allclose(second["importance"], expected, atol=1e-5, equal_nan=True)


def test_a_text_of_one_piece_is_left_out(classifier: Model, tmp_path: Path) -> None:
    """The others are explained as they are without it; alone, it is refused."""
    (tmp_path / "texts.tsv").write_text("text\tlabel\nThe old keeper.\t1\nKeeper\t1\nA ship wrote.\t0\n")
    result = explained(classifier, str(tmp_path / "texts.tsv"), by=["attention"])
    assert result.table("answers")["text"].tolist() == ["texts.tsv:2", "texts.tsv:4"]
    assert any(
        "1 of 3 texts is left out: document 'texts.tsv:3' has one piece" in note for note in result.notes
    )


def test_texts_without_an_answer_are_left_out_before_any_work(
    masked: Model, tagger: Model, tmp_path: Path
) -> None:
    """A row without a mask, or without the word that is asked for, stops no run."""
    rows = ["The old [MASK].", "A ship wrote a book.", "A [MASK] wrote."]
    path = tmp_path / "texts.tsv"
    path.write_text("text\tlabel\n" + "".join(f"{row}\t1\n" for row in rows))
    result = explained(masked, str(path), by=["attention"])
    assert result.table("answers")["text"].tolist() == ["texts.tsv:2", "texts.tsv:4"]
    left_out = r"1 of 3 texts is left out: document 'texts.tsv:3' has no [MASK]; write one"
    assert any(left_out in note for note in result.notes)
    path.write_text("text\tlabel\nA ship wrote a book.\t1\nA ship wrote.\t1\n")
    short = explained(tagger, str(path), word=4, by=["attention"])
    assert short.table("answers")["text"].tolist() == ["texts.tsv:2"]
    assert any("--word 4: document 'texts.tsv:3' has words 0 to 3" in note for note in short.notes)


def test_texts_keep_their_order_whatever_their_length(classifier: Model, tmp_path: Path) -> None:
    rows = ["The old keeper wrote a long book about ships.", "A ship.", "The keeper wrote."]
    (tmp_path / "texts.tsv").write_text("text\tlabel\n" + "".join(f"{row}\t1\n" for row in rows))
    result = explained(classifier, str(tmp_path / "texts.tsv"), by=["attention"])
    assert result.table("answers")["text"].tolist() == [f"texts.tsv:{line}" for line in (2, 3, 4)]


def test_a_long_text_can_be_typed(classifier: Model) -> None:
    """Longer than the name of a file can be, and than what fits."""
    result = explained(classifier, f"{SENTENCE} " * 60, by=["attention"], pieces=20)
    assert len(one(result, "attention")) <= 20
    assert any("are cut off after 20 pieces" in note for note in result.notes)


def test_one_word_is_no_text(classifier: Model) -> None:
    with pytest.raises(InputError, match="'good' is no file, and in one word alone there is nothing"):
        explained(classifier, "good")


def test_a_typed_pair_needs_its_second_text(classifier: Model) -> None:
    with pytest.raises(
        OptionError, match='answers to pairs of texts; give the second one too: --second "TEXT"'
    ):
        explained(classifier, task="pairs")


def test_flow_says_what_does_not_depend_on_the_answer(classifier: Model) -> None:
    assert 0 <= explained(classifier, by=["flow"]).table("answers")["saturated"][0] <= 1
    assert np.isnan(explained(classifier, by=["rollout"]).table("answers")["saturated"][0])


def test_flow_is_computed_once(classifier: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, flow = [], through_layers.attention_flow
    monkeypatch.setattr(through_layers, "attention_flow", lambda *given: calls.append(1) or flow(*given))
    explained(classifier, by=["flow"])
    assert len(calls) == 1


def test_it_is_told_where_integrated_gradients_miss_something(
    classifier: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = ["integrated-gradients"]
    right = explained(classifier, by=by)
    assert right.table("explainers")["forward"][0] >= 18
    monkeypatch.setattr(gradients, "POINTS", 1)
    monkeypatch.setattr(gradients, "MOST", 1)
    wrong = explained(classifier, by=by)
    assert wrong.table("explainers")["forward"][0] == 3
    told = [any("integrated-gradients miss" in note for note in each.notes) for each in (right, wrong)]
    assert told == [False, True]


def test_text_is_data(classifier: Model, tmp_path: Path) -> None:
    """What a text holds is drawn, printed and kept as it is, and does nothing."""
    result = explained(classifier, HOSTILE, words=True, out=tmp_path / "run")
    tokens = set(result.table("importance")["token"])
    assert {"<", "script", ">", "&", "$"} & tokens
    assert command("report", tmp_path / "run").code == 0
    assert "<script>alert('x')</script>" not in (tmp_path / "run" / "report.html").read_text("utf-8")
    assert (tmp_path / "run/plots/explanations.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"answer": "good-ish"}, "unknown label 'good-ish'; did you mean 'good'?"),
        ({"by": ["rolout"]}, "unknown explainer 'rolout'; did you mean 'rollout'?"),
        ({"by": ["L9H0"]}, "the model has no head L9H0"),
        ({"word": 2}, "--word is for taggers"),
        ({"generate": 2}, "does not continue a text"),
        ({"target": "x"}, "is no translator"),
        ({"task": "tagging"}, "has no tagging head"),
    ],
)
def test_a_wish_that_cannot_be_met(classifier: Model, options: dict[str, Any], message: str) -> None:
    with pytest.raises((OptionError, ModelError), match="(?s)" + message.replace("?", r"\?")):
        explained(classifier, **options)


def test_other_mistakes(
    classifier: Model, encoder: Model, tagger: Model, decoder: Model, translator: Model, tmp_path: Path
) -> None:
    (tmp_path / "word.txt").write_text("Keeper\n")
    with pytest.raises(InputError, match="one piece alone, so there is nothing to tell apart"):
        explained(classifier, str(tmp_path / "word.txt"))
    with pytest.raises(InputError, match="empty"):
        explained(classifier, "  ")
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        explained(classifier, "nowhere.txt")
    with pytest.raises(ModelError, match="no classifier, tagger or language model on top"):
        explained(encoder)
    with pytest.raises(InputError, match=r"--word 40: document '.*' has words 0 to 6"):
        explained(tagger, word=40)
    with pytest.raises(OptionError, match="give one piece"):
        explained(decoder, answer="unlikely lighthouses")
    with pytest.raises(HeadscopeError, match="each piece is explained"):
        explained(translator, answer="x")
