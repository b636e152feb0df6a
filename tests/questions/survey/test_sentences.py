"""The few sentences of a corpus that a survey keeps: which they are, and that their maps are the model's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from headscope.heads import Head
from headscope.models import Model
from headscope.questions.maps.looking import look
from headscope.questions.survey import sentences as keeping
from headscope.questions.survey.answer import Options, make_plan
from headscope.questions.survey.sentences import choose, look_at, within_budget
from headscope.results.look import Look
from headscope.text import read

SHORT = "The old ship."
"""Four pieces and two special ones; each further `OLD` adds two."""

OLD = "The old "


def chosen(model: Model, documents: list[str]) -> list[tuple[str, str]]:
    """Document and text of each sentence that is kept."""
    plan, _ = make_plan(model, Options(text=documents, distances=False, gradients=False))
    return [(one.document.id, one.text) for one in choose(plan, read(documents))]


def looked(model: Model, text: str, **options: Any) -> Look:
    plan, _ = make_plan(model, Options(text=text, distances=False, gradients=False, **options))
    return look_at(plan, choose(plan, read([text]))[0])


def test_the_longest_that_fit_of_different_documents(encoder: Model) -> None:
    fits_on_paper, fits, too_long = 4 * OLD + SHORT, 9 * OLD + SHORT, 10 * OLD + SHORT
    documents = [f"{fits} {fits_on_paper}", f"{fits} {SHORT}", f"{too_long} {SHORT}"]
    assert chosen(encoder, documents) == [("#0", fits_on_paper), ("#1", fits), ("#2", SHORT)]


def test_one_document_gives_several(encoder: Model) -> None:
    longer = OLD + SHORT
    assert chosen(encoder, [f"{SHORT} {longer}"]) == [("#0", longer), ("#0", SHORT)]


def test_of_a_text_without_a_short_sentence_as_much_as_fits(encoder: Model) -> None:
    assert chosen(encoder, [40 * OLD]) == [("#0", (6 * OLD + "The").strip())]


@pytest.mark.parametrize("kind", ["encoder", "decoder", "translator"])
def test_maps_and_tokens_are_those_of_a_look(kind: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(kind)
    found, expected = looked(model, SHORT), look(model, SHORT)
    assert [part.stack for part in found.stacks] == model.stacks()
    for part, other in zip(found.stacks, expected.stacks, strict=True):
        assert (part.stack, part.query, part.key) == (other.stack, other.query, other.key)
        for sheet, same in zip(part.sheets, other.sheets, strict=True):
            assert (sheet.layer, sheet.heads) == (same.layer, same.heads)
            np.testing.assert_allclose(sheet.weights, same.weights, atol=1e-6)


def test_only_the_heads_that_are_looked_at_are_kept(encoder: Model) -> None:
    found = looked(encoder, SHORT, layers=(1,), heads=(0, 2))
    (sheet,) = found.stack().sheets
    assert (sheet.layer, sheet.heads) == (1, [0, 2])
    head = Head("encoder", 1, 2)
    np.testing.assert_allclose(found.map(head).weights, look(encoder, SHORT).map(head).weights, atol=1e-6)


def test_no_more_is_kept_than_may_be(encoder: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence is 8 heads of 6 x 6 weights."""
    one = looked(encoder, SHORT)
    for budget, kept in ((287, 0), (288, 1), (575, 1), (576, 2)):
        monkeypatch.setattr(keeping, "BUDGET", budget)
        assert len(within_budget([one, one])) == kept


def test_whole_sentences_come_before_longer_fragments(encoder: Model) -> None:
    fragments = ["@ 3 in ) , the old old old ship", "the old old old old ship .", '" The old old old ship .']
    documents = [f"{fragment}\n{SHORT}" for fragment in fragments]
    assert [text for _, text in chosen(encoder, documents)] == [SHORT] * 3
    assert chosen(encoder, fragments[:1])[0][1] == fragments[0], "where nothing else is there"


def test_a_number_does_not_part_a_sentence(encoder: Model) -> None:
    text = "The old ship 2 @.@ 3 in."
    assert [one for _, one in chosen(encoder, [text])] == [text]
