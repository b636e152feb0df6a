"""What was asked, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from headscope.questions import VERBS
from headscope.results.record import Entry
from headscope.web.report.overview import verb_card
from headscope.web.report_wire import Fact
from tests.web.report.runs import IDENTITY, begin_run, write_run


@pytest.mark.parametrize("verb", VERBS)
def test_a_card_tells_the_question_of_its_verb(tmp_path: Path, verb: str) -> None:
    question = verb_card(verb, begin_run(tmp_path, verb).entry(verb)).question
    assert question == VERBS[verb].question and question.endswith("?")


def test_a_card_tells_model_data_time_and_what_was_chosen(tmp_path: Path) -> None:
    entry = write_run(tmp_path, notes=["Owls are few."]).entry("survey")
    card = verb_card("survey", entry, ["one more"])
    assert (card.model, card.data, card.seconds, card.finished) == ("tiny", "owls.txt", 1.5, True)
    assert card.started == entry.started
    assert card.notes == ["Owls are few.", "one more"]
    # Options that were left alone (None) are not told; what was switched off and a seed of 0 are.
    assert card.facts == [
        Fact("pieces", "32"), Fact("distances", "yes"), Fact("gradients", "no"), Fact("seed", "0"),
        Fact("model class", "TinyModel"), Fact("model from", "models/tiny"),
        Fact("data from", "texts/owls.txt"), Fact("checksum", "f00"),
        Fact("made with", "headscope 0.1.0, torch 2.0"),
    ]  # fmt: skip


def test_what_is_off_by_itself_says_nothing() -> None:
    identity = {**IDENTITY, "options": {"gradients": False, "skip_broken": False, "limit": None}}
    facts = verb_card("survey", Entry({"identity": identity}, "2024-02-29T00:00:00Z")).facts
    assert facts[:2] == [Fact("gradients", "no"), Fact("model class", "TinyModel")]


def test_an_unfinished_verb_is_told_as_such(tmp_path: Path) -> None:
    card = verb_card("syntax", begin_run(tmp_path, "syntax").entry("syntax"))
    assert (card.finished, card.seconds, card.model, card.notes) == (False, None, "tiny", [])


def test_a_comparison_tells_the_models_of_its_runs() -> None:
    other = {**IDENTITY, "model": {"name": "tuned"}}
    identity = {"runs": [IDENTITY, other], "names": ["a", "b"], "measures": ["entropy"], "headscope": "0.1.0"}
    card = verb_card("compare", Entry({"identity": identity}, "2024-02-29T00:00:00Z"))
    assert (card.model, card.data) == ("tiny, tuned", "owls.txt")
    assert card.facts == [Fact("names", "a, b"), Fact("measures", "entropy")]


def test_a_record_of_another_making_is_read_as_far_as_it_goes() -> None:
    entry = Entry({"identity": {"model": "mine", "options": ["a"], "runs": None}, "provenance": "lost"}, "")
    card = verb_card("weigh", entry)
    assert (card.question, card.model, card.data) == ("What did weigh find?", "mine", "")
    assert card.facts == []
