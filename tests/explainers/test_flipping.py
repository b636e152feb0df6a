"""The fewest words that change an answer: greedy, and exact where the greedy way takes too many."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from headscope.errors import ModelError
from headscope.explainers import Asked, ask, stepwise
from headscope.explainers.blank import blank_of
from headscope.explainers.flipping import smallest_flips
from headscope.explainers.removal import Judged
from tests.explainers.models import TEXTS, made, sides_for
from tests.explainers.planted import planted
from tests.threads import one_thread  # noqa: F401

WORDS = 5


@pytest.fixture
def asked() -> Asked:
    model = made("bert")
    return ask(model, sides_for(model, [" ".join(f"w{number}" for number in range(3, 3 + WORDS))]))


def units(asked: Asked) -> torch.Tensor:
    return torch.where(asked.special, -1, torch.arange(asked.ids.shape[1]))


def pretended(monkeypatch: pytest.MonkeyPatch, flips: Any, costs: Any) -> None:
    """A model that answers otherwise without certain words, as their numbers from 0 tell."""

    def judged(asked: Asked, gone: torch.Tensor, how: str, wanted: torch.Tensor | None) -> Judged:
        sets = [{int(piece) - 1 for piece in row.nonzero()[:, 0]} for row in gone[0]]
        likelihood = torch.tensor([[float(-costs(lost)) for lost in sets]]).double()
        other = torch.tensor([[flips(lost) for lost in sets]])
        return Judged(likelihood, torch.where(other, 1 - asked.entries, asked.entries))

    monkeypatch.setattr(stepwise, "judged_without", judged)


def removed(asked: Asked, exact: int) -> set[int] | None:
    found = smallest_flips(asked, units(asked), exact)
    return {int(piece) - 1 for piece in found.removed[0].nonzero()[:, 0]} if bool(found.flipped[0]) else None


def test_greedy_takes_the_costliest_first_and_exact_the_fewest(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Word 0 costs the most but does not help; 1 and 2 together change the answer."""
    pretended(
        monkeypatch, lambda gone: {1, 2} <= gone, lambda gone: sum((9, 3, 2, 1, 1)[word] for word in gone)
    )
    assert removed(asked, exact=0) == {0, 1, 2}
    assert removed(asked, exact=WORDS) == {1, 2}


def test_an_answer_may_stay_whatever_goes(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    pretended(monkeypatch, lambda gone: False, len)
    assert removed(asked, exact=WORDS) is None


def test_exact_finds_what_greedy_cannot(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """The greedy way always has word 0 in it, with which nothing changes."""
    pretended(monkeypatch, lambda gone: gone == {3, 4}, lambda gone: 10 * (0 in gone) + len(gone))
    assert removed(asked, exact=0) is None
    assert removed(asked, exact=WORDS) == {3, 4}


def test_pieces_of_a_word_go_together() -> None:
    model = planted(looks=True)
    asked = ask(model, sides_for(model, ["w3 w4 w49 w5"]))
    joined = torch.tensor([[-1, 0, 1, 1, 2, -1]])
    assert smallest_flips(asked, joined).removed[0].tolist() == [False, False, True, True, False, False]


@pytest.mark.parametrize("exact", [0, 6])
def test_all_answers_go_on_together_as_each_by_itself(exact: int) -> None:
    """Against a plain loop over one text at a time, and all its sets."""
    model = made("bert")
    sides = sides_for(model)
    asked = ask(model, sides)
    together = smallest_flips(asked, units(asked), exact)
    for row, text in enumerate(TEXTS):
        alone = ask(model, sides_for(model, [text]))
        expected = smallest_flips(alone, units(alone), exact)
        size = alone.ids.shape[1]
        assert torch.equal(together.removed[row, :size], expected.removed[0])
        assert together.flipped[row] == expected.flipped[0] and together.becomes[row] == expected.becomes[0]
        if exact:
            words = range(1, size - 1)
            tried = (some for count in words for some in combinations(words, count))
            fewest = next((len(some) for some in tried if decision(alone, some) != alone.entries[0]), None)
            assert fewest == (int(expected.removed.sum()) if bool(expected.flipped[0]) else None)


def decision(asked: Asked, blanks: tuple[int, ...]) -> int:
    ids = asked.ids.clone()
    ids[0, list(blanks)] = blank_of(asked.model) or 0
    with torch.no_grad():
        return int(asked.model.module(**{**asked.inputs, "input_ids": ids}).logits.argmax())


def test_an_answer_that_was_never_given_is_not_flipped() -> None:
    """What the model says instead of its own answer comes true, and another one does not."""
    model = planted(looks=True)
    sides = sides_for(model, ["w3 w4 w49 w5"])
    own = int(ask(model, sides).entries[0])
    for entry, given in ((own, True), (1 - own, False)):
        flips = smallest_flips(
            ask(model, sides, entries=np.array([entry])), torch.tensor([[-1, 0, 1, 2, 3, -1]])
        )
        assert (flips.given.tolist(), flips.flipped.tolist()) == ([given], [given])
        assert flips.becomes.tolist() == [1 - own] and bool(flips.removed.any()) == given


def test_a_tokenizer_without_a_blank_is_refused(asked: Asked) -> None:
    own = units(asked)
    asked.model.tokenizer = SimpleNamespace()
    with pytest.raises(ModelError, match="can be taken away: its tokenizer has no piece that says nothing"):
        smallest_flips(asked, own)
