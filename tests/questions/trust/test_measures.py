"""Numbers of trust worked out by hand."""

from __future__ import annotations

import tracemalloc
from math import log

import numpy as np
import pytest
import xarray as xr

from headscope.blocks import number_of
from headscope.questions.trust.agreeing import agreements
from headscope.questions.trust.claims.people import agrees
from headscope.questions.trust.claims.ranks import ranks
from headscope.questions.trust.claims.stable import stable, taus
from headscope.questions.trust.comparing import (
    Edits,
    Given,
    divergences,
    edits_table,
    marks_of,
    matched_divergence,
    weights_apart,
)
from headscope.questions.trust.erasing import steps_of
from headscope.questions.trust.heads import best_head_table, chosen_heads
from headscope.questions.trust.numbers import FACTS, MEASURES, Numbers, best_of, halves
from headscope.questions.trust.swaps import mcnemar
from headscope.questions.trust.tables import better
from headscope.results.vocabulary import NO, UNDECIDED, YES

DOCUMENTS = np.array([number_of(f"text {number}") for number in range(30)], np.uint64)


def given(own: list[list[float]], by_head: list[list[list[float]]] | None = None) -> xr.Dataset:
    """What words are given, (answer, word); by_head: (answer, head, word)."""
    heads = np.zeros((len(own), 0, len(own[0]))) if by_head is None else np.array(by_head)
    return xr.Dataset(
        {
            "own": (("answer", "word"), np.array(own)),
            "by_head": (("answer", "head", "word"), heads),
            "document": ("answer", DOCUMENTS[: len(own)]),
        },
        coords={"head": [f"L0H{number}" for number in range(heads.shape[1])]},
    )


def weighed(weights: list[list[list[float]]]) -> xr.Dataset:
    """Weights of heads of one layer, (answer, head, piece)."""
    names = [f"L0H{number}" for number in range(len(weights[0]))]
    return xr.Dataset(
        {"weight": (("answer", "weighing", "piece"), np.array(weights))}, coords={"weighing": names}
    )


def test_agreement_leaves_signs_out_and_ties_at_chance() -> None:
    """Sizes 3 2 1 against 3 1 2: two of three pairs agree, one does not; what is even ranks nothing."""
    importance = np.array([[[3.0, -2.0, 1.0], [3.0, 1.0, 2.0], [1.0, 1.0, 1.0]]])
    found = agreements(importance, ["leave-one-out", "attention"], np.array([3]))
    assert found["tau"][0].tolist() == pytest.approx([1.0, 1 / 3, 0.0])
    assert found["top"][0, 1] == 0.5  # of two of three words, the first is in both
    assert np.isnan(found["tau_gradient"]).all()


def test_what_leaving_out_does_not_rank_is_not_told() -> None:
    found = agreements(np.array([[[0.0, 0.0], [1.0, 2.0]]]), ["leave-one-out", "attention"], np.array([2]))
    assert np.isnan(found["tau"]).all() and np.isnan(found["significant"]).all()


def test_long_texts_lose_several_words_at_once() -> None:
    """45 words in 20 steps: 3 after the first, 5 after the second, all after the last; 3 words one by one."""
    importance = np.full((2, 45), np.nan)
    importance[0], importance[1, :3] = -np.arange(45.0), [1.0, 3.0, 2.0]
    gone, steps = steps_of(importance, np.array([45, 3]), 20)
    assert gone[0].sum(1).tolist()[:3] == [3, 5, 7] and gone[0, -1].sum() == 45
    assert steps.tolist() == [20, 3]
    assert gone[1, :3, :3].astype(int).tolist() == [[0, 1, 0], [0, 1, 1], [1, 1, 1]]


def test_divergence_of_shares() -> None:
    """Of weights that share nothing it is ln 2; padding is no word."""
    one = np.array([[1.0, 0.0, np.nan], [1.0, 0.0, np.nan]])
    other = np.array([[0.0, 2.0, np.nan], [3.0, 0.0, np.nan]])
    assert divergences(one, other).tolist() == pytest.approx([log(2), 0.0])


def test_heads_are_matched_before_they_are_compared() -> None:
    one, other = given([[1, 0]], [[[1, 0], [0, 1]]]), given([[1, 0]], [[[0, 1], [1, 0]]])
    assert matched_divergence(one, other).tolist() == pytest.approx([0.0, 0.0])


def test_heads_are_matched_within_their_layer() -> None:
    """Each has its like in the other layer alone."""
    one, other = given([[1, 0]], [[[1, 0], [0, 1]]]), given([[1, 0]], [[[0, 1], [1, 0]]])
    one, other = (each.assign_coords(head=["L0H0", "L1H0"]) for each in (one, other))
    assert matched_divergence(one, other).tolist() == pytest.approx([log(2), log(2)])


def test_weights_of_other_seeds_are_as_far_as_by_hand() -> None:
    """Heads are matched over all answers; then one of two lies elsewhere in the first answer, none later."""
    here, there, beyond = [1.0, 0.0, 0.0, np.nan], [0.0, 1.0, 0.0, np.nan], [0.0, 0.0, 1.0, np.nan]
    one = weighed([[here, there], [here, there], [here, there]])
    other = weighed([[there, beyond], [there, here], [there, here]])
    assert weights_apart(one, other).tolist() == pytest.approx([log(2) / 2, 0.0, 0.0])
    halved = weighed([[[0.5, 0.5, 0.0, np.nan], there]])
    near = 1.5 * log(2) - 0.75 * log(3)  # entropy of (3/4, 1/4), less half of that of (1/2, 1/2)
    assert weights_apart(weighed([[here, there]]), halved)[0] == pytest.approx(near / 2)


def test_heads_are_compared_in_little_memory() -> None:
    """All pairs of 48 heads over 30 answers of 64 words would take 35 MB, and as much again for each step."""
    values = np.random.default_rng(0).random((2, 30, 48, 64))
    one, other = (given([[1.0] * 64] * 30, each.tolist()) for each in values)
    names = [f"L{layer}H{index}" for layer in range(4) for index in range(12)]
    one, other = (each.assign_coords(head=names) for each in (one, other))
    tracemalloc.start()
    try:
        matched_divergence(one, other)
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()


def test_the_same_order_is_stable_and_the_contrary_is_not() -> None:
    own = given([[3.0, 2.0, 1.0]] * 12)
    twin, contrary = given([[2.0, 3.0, 1.0]] * 12), given([[1.0, 2.0, 3.0]] * 12)
    assert taus(own, twin).tolist() == pytest.approx([1 / 3] * 12)
    assert stable(own, [own], twin, 0.5, 0).verdict == YES
    assert stable(own, [contrary], twin, 0.5, 0).verdict == NO


def test_edited_words_are_found() -> None:
    """“dull” is new and has two thirds of the weight; evenly it would have a half, and “fine” had a quarter.

    In the second text a word is put in and none replaced; the third has no original.
    """
    first, second, third = DOCUMENTS[:3].tolist()
    after = {first: ["dull", "film"], second: ["a", "dull", "film"], third: ["a", "film"]}
    before = {second: ["a", "film"], first: ["fine", "film"]}
    own = given([[1, 1], [1, 3]]).assign(document=("answer", DOCUMENTS[[1, 0]]))
    edited = given([[2, 1, np.nan], [1, 2, 1], [1, 1, np.nan]])
    found = Edits.of(Given(edited, after), Given(own, before))
    assert found.share.tolist() == pytest.approx([2 / 3, 1 / 2, np.nan], nan_ok=True)
    assert found.even.tolist() == pytest.approx([1 / 2, 1 / 3, np.nan], nan_ok=True)
    assert found.before.tolist() == pytest.approx([1 / 4, np.nan, np.nan], nan_ok=True)


def test_what_always_lies_there_has_not_moved_there() -> None:
    """The first word is new and has most of the weight; so had the one before it, or another."""
    documents = DOCUMENTS[:20].tolist()
    words = [{each: [first, "film", "of", "it"] for each in documents} for first in ("fine", "dull")]
    there, elsewhere = given([[8.0, 1.0, 1.0, 0.0]] * 20), given([[2.0, 1.0, 1.0, 6.0]] * 20)
    for own, moved in ((there, 0.0), (elsewhere, 0.6)):
        edits = Edits.of(Given(there, words[1]), Given(own, words[0]))
        row = edits_table(edits, 0.5, 0).iloc[0]
        assert row["verdict"] == YES
        assert row[["share", "even", "replaced"]].tolist() == pytest.approx([0.8, 0.25, 0.8 - moved])
        told = row[["difference", "difference_low", "difference_high"]].tolist()
        assert told == pytest.approx([moved] * 3)


def test_marked_words_are_held_to_their_text() -> None:
    data = given([[0.5, 0.3, np.nan]])
    words, marked = {int(DOCUMENTS[0]): ["good", "film"]}, {int(DOCUMENTS[0]): ["film", "gone"]}
    assert marks_of(data, words, marked).tolist() == [[False, True, False]]


def test_people_are_agreed_with_where_marked_words_come_first() -> None:
    importance = np.tile([0.9, 0.1, 0.5, 0.2], (20, 1))
    chance = np.random.default_rng(0).random((20, 5, 4))
    first, last = np.tile([True, False, False, False], (20, 1)), np.tile([False, True, False, False], (20, 1))
    assert agrees(importance, chance, first, DOCUMENTS[:20], 0.5, 0).verdict == YES
    assert agrees(importance, chance, last, DOCUMENTS[:20], 0.5, 0).verdict == NO
    assert agrees(importance, chance, last & False, DOCUMENTS[:20], 0.5, 0).answers == 0


def numbers(**aopc: np.ndarray) -> Numbers:
    """Numbers of explanations that are known by their area alone, which stands for tau too."""
    values = np.full((30, len(aopc), len(MEASURES)), np.nan)
    for place, values_of in enumerate(aopc.values()):
        values[:, place, [MEASURES.index("aopc"), MEASURES.index("tau")]] = values_of[:, None]
    names = [name.replace("_", "-") for name in aopc]
    return Numbers(values, names, np.zeros((30, len(FACTS))), DOCUMENTS, names[0])


def test_the_best_is_chosen_on_the_other_half() -> None:
    """One is good in the first half alone, the other in the second: chosen honestly, both are bad."""
    half = halves(DOCUMENTS).astype(float)
    found = numbers(attention=np.zeros(30), one=1 - half, other=half)
    assert best_of(found, "aopc", ["one", "other"]).tolist() == [0.0] * 30


def test_what_to_show_instead_has_to_be_better_beyond_chance() -> None:
    flat, noise = np.zeros(30), np.random.default_rng(0).normal(0, 1, 30)
    own = {"attention": flat, "random": flat, "first": flat + 0.3, "rollout": flat + 0.1}
    left_out = {**own, "leave_one_out": flat + 0.2}
    assert better(numbers(**left_out, best=flat + 0.3), 0.5, 0) == "leave-one-out", "first looks at nothing"
    assert better(numbers(**left_out, best=flat + 0.5), 0.5, 0) is None, "it does not identify, either"
    either = {"attention": flat, "random": flat, "rollout": noise, "leave_one_out": noise}
    assert better(numbers(**either, best=flat + 1), 0.5, 0) is None


def test_a_small_tau_is_no_order_although_others_are_no_better() -> None:
    flat, noise = np.zeros(30), np.random.default_rng(1).normal(0, 0.02, 30)
    for tau, verdict in ((0.1, NO), (0.2, UNDECIDED), (0.3, YES)):
        one = numbers(attention=flat + tau + noise, random=flat, rollout=flat + tau)
        assert ranks(one, 0.5, 0).verdict == verdict


def test_a_head_is_scored_where_it_was_not_chosen() -> None:
    half = halves(DOCUMENTS)
    values = np.zeros((30, 2, 2))
    values[:, 0, 0], values[:, 1, 0] = half == 0, 0.3  # tau of the first head: 1 in one half, 0 in the other
    dataset = xr.Dataset(
        {"head_value": (("answer", "head", "head_measure"), values), "document": ("answer", DOCUMENTS)},
        coords={"head": ["L0H0", "L0H1"]},
    )
    assert [order[0] for order in chosen_heads(dataset)] == [1, 0]
    table = best_head_table(dataset, numbers(attention=np.full(30, 0.25)), 0)
    assert table["tau"].tolist() == pytest.approx([0.3, 0.0])
    assert table["difference"].tolist() == pytest.approx([0.05, -0.25])


@pytest.mark.parametrize(("one", "other", "p"), [(5, 0, 0.0625), (3, 3, 1.0), (6, 0, 0.03125)])
def test_mcnemar_by_hand(one: int, other: int, p: float) -> None:
    """Of as many fair coins, twice the chance of so few on one side."""
    assert mcnemar(one, other) == pytest.approx(p)
