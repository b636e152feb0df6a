"""The fewest words that change an answer: greedy, and exact where the greedy way takes too many."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from headscope.errors import ModelError
from headscope.explainers import Asked, ask, flipping
from headscope.explainers.flipping import smallest_flips
from tests.explainers.models import made, sides_for
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

    def run(self: Any, answer: int, blanks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        sets = [{int(piece) - 1 for piece in row.nonzero()[:, 0]} for row in blanks]
        return torch.tensor([float(-costs(gone)) for gone in sets]), torch.tensor(
            [flips(gone) for gone in sets]
        )

    monkeypatch.setattr(flipping._Tried, "_run", run)


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


def test_what_is_pretended_is_what_is_run(asked: Asked) -> None:
    """The runs that the tests above replace give an answer for every set."""
    blanks = torch.eye(asked.ids.shape[1], dtype=torch.bool)
    with torch.no_grad(), asked.attached() as module:
        likelihood, other = flipping._Tried(asked, module, 1)._run(0, blanks)
    assert likelihood.shape == other.shape == (asked.ids.shape[1],) and bool((likelihood < 0).all())


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
