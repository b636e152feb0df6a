"""Other weights in deciding rows: the same as maps that are changed by hand, text by text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from headscope.attention import Recorder, Site
from headscope.attention.edit import Freeze
from headscope.errors import ModelError, OptionError
from headscope.explainers import Asked
from headscope.explainers import given_attention as module_under_test
from headscope.explainers.deciding import deciding
from headscope.explainers.given_attention import (
    Scope,
    Weigh,
    answers_given,
    erased,
    even,
    given,
    permuted,
    removed,
    sites_in,
)
from headscope.explainers.mixing import mixing_of
from headscope.explainers.relevance import likelihood_slopes
from headscope.heads import Head
from tests.explainers.models import ALL, SOME, TEXTS, answers, asked_of, sides_for
from tests.sampling import sampled
from tests.threads import one_thread  # noqa: F401

Change = Callable[[np.ndarray, np.ndarray, slice], np.ndarray]
"""A row of weights (key,), its visible keys, and where its keys stand among all pieces."""


def by_hand(asked: Asked, change: Change, scope: Scope) -> torch.Tensor:
    """Log probabilities (entry,) of a single text, each deciding row of each head changed by itself."""
    rows, maps = deciding(asked)[0] > 0, {}
    sites = sites_in(asked.model, scope)
    for site in [site for site in asked.hearing.maps if site in sites]:  # in the order of their calls
        target = len(asked.sizes) > 1 and site.stack == "decoder"
        keys = slice(asked.sizes[0], None) if target else slice(0, asked.sizes[0])
        recorder = Recorder()
        with torch.no_grad(), asked.attached([recorder], [Freeze(maps)]) as module:
            asked.run(module)
        weights = recorder.maps[site][0][0].clone()  # as it follows from the changes below
        for head in range(site.heads):
            for query in rows.nonzero()[:, 0].tolist():
                visible = weights[head, query] > 0
                row = change(weights[head, query].numpy(), visible.numpy(), keys)
                weights[head, query] = torch.from_numpy(row)
            maps[Head(site.stack, site.layer, head)] = weights[head]
    with torch.no_grad(), asked.attached(edits=[Freeze(maps)]) as module:
        return asked.answers(asked.run(module))[0].double().log_softmax(-1)


def evened(row: np.ndarray, visible: np.ndarray, keys: slice) -> np.ndarray:
    return visible / max(1, visible.sum())


def nothing(row: np.ndarray, visible: np.ndarray, keys: slice) -> np.ndarray:
    return np.zeros_like(row)


def lacking(gone: np.ndarray) -> Change:
    def change(row: np.ndarray, visible: np.ndarray, keys: slice) -> np.ndarray:
        left = np.where(gone[keys][: len(row)], 0.0, row)
        return left / left.sum() if left.sum() > 0 else left

    return change


def some_pieces(asked: Asked, sets: int = 3) -> torch.Tensor:
    """Every third piece and so on, (answer, set, piece)."""
    places = torch.cat([torch.arange(size) for size in asked.sizes])
    return torch.stack([(places + number) % 3 == 0 for number in range(sets)]).expand(
        len(asked.texts), -1, -1
    )


@pytest.mark.parametrize("scope", ["last", 0, "all"])
@pytest.mark.parametrize("name", sampled(ALL, ("bert", "llama", "bart", "pooled", "disan-tagger")))
def test_the_same_as_maps_changed_by_hand(name: str, scope: Scope) -> None:
    asked = asked_of(name, dtype=torch.float64)
    if name == "mpnet":
        with pytest.raises(ModelError, match="cannot be given: it attends outside the shared function"):
            answers_given(asked, even, scope=scope)
        return
    found = {
        "even": answers_given(asked, even, scope=scope)[:, 0],
        "removed": answers_given(asked, removed, scope=scope)[:, 0],
        "erased": answers_given(asked, erased(asked, some_pieces(asked)), 3, scope)[:, 2],
    }
    for row, text in enumerate(TEXTS):
        alone = answers(asked.model, sides_for(asked.model, [text]))
        gone = some_pieces(alone)[0, 2].numpy()
        changes = {"even": evened, "removed": nothing, "erased": lacking(gone)}
        for way, change in changes.items():
            assert torch.allclose(found[way][row], by_hand(alone, change, scope), atol=1e-6), way


@pytest.mark.parametrize("scope", ["last", "all"])
@pytest.mark.parametrize("name", sampled(SOME, ("llama", "bart", "pooled", "disan")))
def test_neither_padding_nor_batch_nor_portions_matter(
    name: str, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_of(name)
    together = answers_given(asked, permuted(asked, 7), 7, scope)
    monkeypatch.setattr(module_under_test, "PIECES", 2 * sum(asked.sizes))
    assert torch.allclose(answers_given(asked, permuted(asked, 7), 7, scope), together, atol=1e-4)
    for row, text in enumerate(TEXTS):
        alone = answers(asked.model, sides_for(asked.model, [text]))
        expected = answers_given(alone, permuted(alone, 7), 7, scope)
        assert torch.allclose(together[row], expected[0], atol=2e-4)


def test_a_net_that_is_linear_needs_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of("pooled")
    ways: list[tuple[Weigh, int]] = [(even, 1), (removed, 1), (permuted(asked, 4), 4)]
    without = [answers_given(asked, weigh, draws) for weigh, draws in ways]
    monkeypatch.setattr(module_under_test, "is_linear", lambda model: False)
    for (weigh, draws), expected in zip(ways, without, strict=True):
        assert torch.allclose(answers_given(asked, weigh, draws), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["bert", "pooled"])
def test_permuted_rows_hold_the_same_weights_in_other_places(name: str) -> None:
    asked = asked_of(name)
    found: dict[Site, torch.Tensor] = {}
    shuffle = permuted(asked, 5)

    def weigh(heard, copies):  # type: ignore[no-untyped-def]
        rows = shuffle(heard, copies)
        assert torch.allclose(rows.sort(-1).values, heard.weights.sort(-1).values)
        assert bool((rows.masked_select(~heard.visible.expand_as(rows)) == 0).all())
        found[heard.site] = rows
        return rows

    answers_given(asked, weigh, 5)
    (rows,) = found.values()
    assert len({tuple(row.tolist()) for row in rows[:, 0, 0]}) > 5


def test_own_weights_change_nothing_and_given_ones_are_taken() -> None:
    asked = asked_of("bert")
    (site,) = sites_in(asked.model, "last")
    maps = asked.hearing.maps[site][asked.texts][:, None].detach()
    kept = asked.answers(asked.hearing.logits).double().log_softmax(-1)
    assert torch.allclose(answers_given(asked, given({site: maps}))[:, 0], kept, atol=1e-5)
    flat = torch.full_like(maps, 0.0)
    assert torch.allclose(answers_given(asked, given({site: flat})), answers_given(asked, removed), atol=1e-6)


def test_what_is_told_is_kept() -> None:
    asked = asked_of("pooled")
    decisions = answers_given(asked, permuted(asked, 3), 3, told=lambda answer, chances: chances.argmax(-1))
    assert torch.equal(decisions, answers_given(asked, permuted(asked, 3), 3).argmax(-1))


def test_a_layer_that_there_is_not_is_refused() -> None:
    asked = asked_of("bert")
    with pytest.raises(OptionError, match="no layer 7"):
        answers_given(asked, even, scope=7)


def test_slopes_are_those_of_finite_differences() -> None:
    """The log probability follows all heads' weight of a piece, a little of it more."""
    asked = asked_of("bert", dtype=torch.float64)
    (site,), row = sites_in(asked.model, "last"), deciding(asked).argmax(1)
    maps, step = asked.hearing.maps[site].detach(), 1e-6
    slopes, products = likelihood_slopes(asked)
    before = asked.answers(asked.hearing.logits).log_softmax(-1).gather(1, asked.entries[:, None])
    for piece in range(4):
        more = maps.clone()
        more[torch.arange(3), :, row, piece] += step
        after = answers_given(asked, given({site: more[:, None]}))[:, 0].gather(1, asked.entries[:, None])
        assert torch.allclose(slopes[:, piece], ((after - before) / step)[:, 0], atol=1e-5)
    assert torch.equal(slopes == 0, products == 0)


def test_slopes_of_a_linear_net_by_hand() -> None:
    """d log p / d weight of a piece is what it says for the answer less what it says on the mean."""
    asked = asked_of("pooled", dtype=torch.float64)
    mixing = mixing_of(asked)
    chances = asked.answers(asked.hearing.logits).softmax(-1)
    own = mixing.parts.gather(2, asked.entries[:, None, None].expand(-1, mixing.parts.shape[1], 1))[..., 0]
    expected = (own - (mixing.parts * chances[:, None]).sum(-1)) * asked.seen
    slopes, products = likelihood_slopes(asked)
    assert torch.allclose(slopes, expected) and torch.allclose(products, expected * mixing.weights)
