"""Tables, sentences, screen and pictures of explain, from answers made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headscope.explainers import EXPLAINERS
from headscope.questions import VERBS
from headscope.questions.explain.explaining import way_of
from headscope.questions.explain.findings import findings
from headscope.questions.explain.keeping import from_record, to_record
from headscope.questions.explain.screen import screen
from headscope.questions.explain.tables import (
    Text,
    agreement_table,
    answers_table,
    explained_in,
    explainers_table,
    importance_table,
    tokens_of,
)
from headscope.questions.pictures import available, draw
from headscope.results.look import Answer, Axis, Explanation
from headscope.results.result import Result

WAYS = [EXPLAINERS[name] for name in ("attention", "occlusion", "random")]
PASSES = np.array([[1.0, 0.0], [5.0, 0.0], [0.0, 0.0]])
TOKENS = ["[CLS]", "a", "good", "film"]
AXIS = Axis(TOKENS, [0, 1, 2, 3], TOKENS, [True, False, False, False])


def answer(text: str, importance: list[list[float]]) -> Text:
    explanation = Explanation(
        text, "tiny", [AXIS], [Answer("good", 0.75)], [way_of(way) for way in WAYS],
        np.array(importance)[:, None], np.ones((1, 4), bool), notes=["3 words are cut off"],
    )  # fmt: skip
    return Text(explanation, PASSES, np.array([np.nan]), [None], [None])


FIRST = answer("t0", [[0.7, 0.0, 0.2, 0.1], [np.nan, -1.0, 3.0, 0.0], [0.1, 0.3, 0.1, 0.2]])
FIRST = replace(FIRST, removed=[["good", "film"]], becomes=["bad"])
SECOND = answer("t1", [[0.4, 0.1, 0.2, 0.3], [np.nan, 3.0, 2.0, 1.0], [0.1, 0.2, 0.2, 0.2]])


@pytest.fixture
def result() -> Result:
    texts = [FIRST, SECOND]
    explained = [each for text in texts for each in explained_in(text.explanation, words=False)]
    tables = {
        "importance": importance_table(explained),
        "answers": answers_table(texts, words=False),
        "agreement": agreement_table(explained, 1),
        "explainers": explainers_table(texts, WAYS),
    }
    return Result("explain", {}, tables, declared=VERBS["explain"].tables)


def test_shares_are_of_what_is_not_special_without_a_sign(result: Result) -> None:
    table = result.table("importance")
    own = table[(table["text"] == "t0") & (table["explainer"] == "occlusion")]
    assert own["share"].tolist()[1:] == [0.25, 0.75, 0.0] and np.isnan(own["share"].iloc[0])
    assert own["importance"].tolist()[1] == -1.0


def test_agreement_by_hand(result: Result) -> None:
    """Of t0, good > film > a beside good > a > film: one of three pairs is turned. Of t1 all three are."""
    table = result.table("agreement").set_index(["explainer", "other"])
    pair = table.loc[("attention", "occlusion")]
    assert pair["tau"] == pytest.approx((1 / 3 - 1) / 2)
    assert pair["top"] == 0.5 and pair["answers"] == 2
    assert table.loc[("attention", "random"), "answers"] == 1, "what ranks nothing is left out"


def test_what_flips_is_told(result: Result) -> None:
    answers = result.table("answers")
    assert answers["removed"].tolist()[0] == 2 and np.isnan(answers["removed"][1])
    assert answers["without"].tolist() == ["“good”, “film”", ""]
    assert answers["becomes"].tolist() == ["bad", ""]


def test_sentences(result: Result) -> None:
    assert [each.text for each in findings(result)] == [
        "Without “good”, “film”, the answer good becomes bad.",
        "By occlusion, “good” mattered most for the first answer, “good”, with 75 % of all importance.",
        "By attention, “good” mattered most for the first answer, “good”, with 67 % of all importance.",
        "In these texts, attention and occlusion agree with a tau of -0.333.",
    ]


def test_what_matters_most_may_speak_against_the_answer(result: Result) -> None:
    importance = result.table("importance")
    spoken = importance["explainer"].eq("occlusion") & importance["token"].eq("good")
    importance.loc[spoken, "importance"] *= -1
    assert findings(result)[1].text == (
        "By occlusion, “good” mattered most for the first answer, “good”, speaking against it, with 75 % of "
        "all importance."
    )
    first, *_ = screen(result)
    assert first.table["occlusion"].tolist() == ["-25.0", "-75.0", "0.0"]


def test_of_chance_alone_nothing_is_told(result: Result) -> None:
    result.tables["explainers"][["forward", "backward"]] = 0.0
    assert [each.table for each in findings(result)] == ["answers"]


def test_the_screen_shows_tokens_side_by_side(result: Result) -> None:
    first, second, flips, agreement, costs = screen(result)
    assert flips.table.to_numpy().tolist() == [["t0", "good", "“good”, “film”", "bad"]]
    assert first.title == "answer good (75.0 %), t0: part of each piece in %, minus speaks against it"
    assert second.title == "answer good (75.0 %), t1: part of each piece in %"
    assert first.table["occlusion"].tolist() == ["-25.0", "75.0", "0.0"]
    assert agreement.table.shape == (3, 4) and costs.table["forward"].tolist() == [1, 5, 0]


def test_the_screen_says_what_it_leaves_out() -> None:
    """Of 30 tokens the 20 with the largest shares, in the order of the text; of 7 texts the first 3."""
    places = [f"w{place}" for place in range(30)]
    axis = Axis(places, list(range(30)), places, [False] * 30)
    importance = np.arange(30.0)[None, None] * np.where(np.arange(30) % 2, 1, -1)
    explanations = [
        Explanation(f"t{text}", "tiny", [axis], [Answer("1", 0.5)], [way_of(WAYS[1])], importance,
                    np.ones((1, 30), bool))
        for text in range(7)
    ]  # fmt: skip
    texts = [Text(each, PASSES[1:2], np.array([np.nan]), [None], [None]) for each in explanations]
    explained = [each for text in texts for each in explained_in(text.explanation, words=True)]
    tables = {
        "importance": importance_table(explained),
        "answers": answers_table(texts, words=True),
        "agreement": agreement_table(explained, 1),
        "explainers": explainers_table(texts, WAYS[1:2]),
    }
    asked = {"identity": {"options": {"task": "classification", "words": True}}}
    result = Result("explain", {}, tables, asked, declared=VERBS["explain"].tables)
    first, _, third, left_out, _ = screen(result)
    assert first.title == (
        "label 1 (50.0 %), t0: part of each word in %, minus speaks against it; the 20 of 30 that matter most"
    )
    assert first.table["word"].tolist() == places[10:] and first.table["occlusion"].iloc[0] == "-2.3"
    assert third.title.startswith("label 1 (50.0 %), t2") and left_out.table is None
    assert left_out.title == "3 of 7 texts; all are in the tables"
    titles = [axes.get_title(loc="left") for axes in draw("explanations", result).axes]
    assert titles == [f"label 1 (50.0 %), t{text}" for text in range(6)]


def test_pictures_draw_also_where_numbers_are_missing(result: Result) -> None:
    assert set(available(result)) == {"explanations", "explainer_agreement"}
    for name in available(result):
        assert draw(name, result).get_axes()


def test_a_kept_text_comes_back_as_it_was() -> None:
    again = from_record(to_record(FIRST))
    assert np.array_equal(again.explanation.importance, FIRST.explanation.importance, equal_nan=True)
    for name in ("passes", "saturated"):
        assert np.array_equal(getattr(again, name), getattr(FIRST, name), equal_nan=True)
    for name in ("title", "axes", "answers", "ways", "notes"):
        assert getattr(again.explanation, name) == getattr(FIRST.explanation, name)
    assert (again.removed, again.becomes) == (FIRST.removed, FIRST.becomes)


def test_a_decoder_s_answer_has_the_tokens_that_were_read() -> None:
    """Words are summed; of a word of which one piece was read, that piece counts."""
    axis = Axis(["light", "house", "old"], [0, 0, 1], ["lighthouse", "old"], [False] * 3)
    seen = np.array([[True, False, False], [True, True, True]])
    importance = np.array([[[1.0, 0.0, 0.0], [1.0, 2.0, -5.0]]])
    answers = [Answer("house", 0.5), Answer("keeper", 0.5)]
    explanation = Explanation("t", "tiny", [axis], answers, [way_of(WAYS[1])], importance, seen)
    pieces, words = (list(explained_in(explanation, words)) for words in (False, True))
    assert [each.tokens for each in pieces] == [["light"], ["light", "house", "old"]]
    assert [each.tokens for each in words] == [["light"], ["lighthouse", "old"]]
    assert [each.importance.tolist() for each in words] == [[[1.0]], [[3.0, -5.0]]]


def test_words_of_source_and_target_are_numbered_through() -> None:
    source = Axis(["[CLS]", "light", "##house"], [0, 1, 1], ["[CLS]", "lighthouse"], [True, False, False])
    target = Axis(["<s>", "Turm"], [0, 1], ["<s>", "Turm"], [True, False])
    tokens, sides, special, members = tokens_of([source, target], words=True)
    assert tokens == ["[CLS]", "lighthouse", "<s>", "Turm"]
    assert sides == ["source", "source", "target", "target"]
    assert special.tolist() == [True, False, True, False] and members.tolist() == [0, 1, 1, 2, 3]
