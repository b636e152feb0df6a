"""Antecedents and baselines of small documents, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.questions.coref.antecedents import BASELINES, links, only_shared, picks, right, sieves
from headscope.text import read, with_trees
from headscope.text.head_words import with_heads
from headscope.text.mentions import Mentions, mentions_of, without_singletons
from tests.mentions import marked, town

NEAREST, HEAD, EITHER, SIEVES = range(4)


def mentions(text: str, *spans: tuple) -> Mentions:
    return mentions_of(with_heads(marked("d", text, spans)))


def picked(text: str, *spans: tuple) -> list[int]:
    """What each baseline picks for the last mention."""
    return picks(mentions(text, *spans))[-1].tolist()


def test_the_baselines_have_their_order() -> None:
    assert BASELINES == ("nearest", "head match", "head match or nearest", "sieves")


def test_antecedents_are_earlier_mentions_of_the_entity() -> None:
    found = links(mentions("Anna saw Bert . She saw him", (0, 1, "a"), (2, 3, "b"), (4, 5, "a"), (6, 7, "b")))
    expected = np.zeros((4, 4), bool)
    expected[2, 0] = expected[3, 1] = True
    assert np.array_equal(found, expected)


def test_earlier_is_told_by_the_head_word() -> None:
    # "[[its] dog]": the longer mention begins first, but its head word comes second.
    nested = mentions("its dog", (0, 2, "a"), (0, 1, "a"))
    assert nested.head.tolist() == [1, 0]
    assert links(nested).tolist() == [[False, True], [False, False]]


def test_mentions_with_one_head_word_are_no_antecedents_of_each_other() -> None:
    # "Anna" and "Anna , the baker" have the head word Anna.
    twice = mentions("Anna , the baker saw her", (0, 1, "a"), (0, 4, "a"), (5, 6, "a"))
    assert twice.head.tolist() == [0, 0, 5]
    assert links(twice).sum(1).tolist() == [0, 0, 2]
    assert only_shared(twice).tolist() == [True, True, False]
    assert picks(twice)[:2].tolist() == [[-1] * 4] * 2


def test_nearest() -> None:
    assert (
        picked("Anna saw Bert and Rome . She", (0, 1, "a"), (2, 3, "b"), (4, 5, "c"), (6, 7, "a"))[NEAREST]
        == 4
    )


def test_head_match_ignores_case_and_finds_the_nearest() -> None:
    found = picked("A dog the DOG the cake that Dog", (0, 2, "d"), (2, 4, "e"), (4, 6, "c"), (6, 8, "d"))
    assert found[HEAD] == 3 and found[EITHER] == 3


def test_head_match_without_a_match_is_wrong_or_falls_back() -> None:
    found = picked("Anna saw Bert and him", (0, 1, "a"), (2, 3, "b"), (4, 5, "b"))
    assert found[HEAD] == -1 and found[EITHER] == 2
    table = mentions("Anna saw Bert and him", (0, 1, "a"), (2, 3, "b"), (4, 5, "b"))
    assert right(table, picks(table))[-1].tolist() == [True, False, True, True]


@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        # 1. The same words win over a nearer mention with the same head word.
        ("the old dog saw a dog near the old dog", [(0, 3), (4, 6), (7, 10)], 2),
        # 2. The same head word wins over a nearer mention that agrees.
        ("a dog saw the cake near the old dog", [(0, 2), (3, 5), (6, 9)], 1),
        # 3. Agreement in number: "they" passes over the single cake.
        ("the dogs saw the cake . they", [(0, 2), (3, 5), (6, 7)], 1),
        # 3. Agreement in gender: "she" passes over "him", not over a name without one.
        ("Anna saw him . she", [(0, 1), (2, 3), (4, 5)], 0),
        # 3. Agreement in person: "it" passes over "I".
        ("the dog saw that I saw it", [(0, 2), (4, 5), (6, 7)], 1),
        # 4. Nothing agrees: the nearest.
        ("the dog saw the cake . they", [(0, 2), (3, 5), (6, 7)], 4),
    ],
)
def test_sieves(text: str, spans: list[tuple[int, int]], expected: int) -> None:
    named = [(*span, str(number)) for number, span in enumerate(spans)]
    assert picked(text, *named)[SIEVES] == expected


def test_sieves_contain_each_other_where_they_must() -> None:
    table = mentions_of(with_heads(town()))
    strings, words, agreement, anything = sieves(table)
    assert (words | ~strings).all(), "the same words have the same head word"
    assert (anything | ~agreement).all() and (anything | ~words).all()
    assert not np.diag(anything).any()


def test_the_town_by_hand() -> None:
    table = mentions_of(with_heads(without_singletons(town())))
    # In order: baker(1) Anna(5) She(7) dog(10) his(9) dog(13) Anna(15) dog(18) him(20).
    assert table.head.tolist() == [1, 5, 7, 10, 9, 13, 15, 18, 20]
    scored = links(table).any(1)
    assert scored.tolist() == [False, False, True, False, True, True, True, True, True]
    found = picks(table)[scored]
    assert found.tolist() == [
        [5, -1, 5, 5],  # She: Anna is nearest and agrees
        [7, -1, 7, 5],  # his: "She" does not agree; Anna, of unknown gender, does
        [10, 10, 10, 10],  # The dog: "his dog"
        [13, 5, 5, 5],  # Anna
        [15, 13, 13, 13],  # the dog: "The dog"
        [18, -1, 18, 18],  # him: nothing is the same, "the dog" is singular
    ]
    assert right(table, picks(table))[scored].tolist() == [
        [True, False, True, True],
        [False, False, False, False],
        [True, True, True, True],
        [False, True, True, True],
        [False, True, True, True],
        [False, False, False, False],
    ]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 12), st.integers(0, 10_000))
def test_picks_follow_their_definitions(size: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    table = Mentions(
        *(draw.integers(0, high, size) for high in (15, 4, 3)), draw.integers(0, 5, size),
        draw.integers(0, 4, size), draw.integers(0, 3, (size, 3)),
    )  # fmt: skip
    found, correct = picks(table), right(table, picks(table))
    for one in range(size):
        before = [other for other in range(size) if table.head[other] < table.head[one]]

        def agrees(other: int, one: int = one) -> bool:
            pairs = zip(table.features[one], table.features[other], strict=True)
            return all(a == b or not a or not b for a, b in pairs)

        tests = [
            [other for other in before if table.text[other] == table.text[one]],
            [other for other in before if table.word[other] == table.word[one]],
            [other for other in before if agrees(other)],
            before,
        ]
        nearest = [max((int(table.head[other]) for other in some), default=-1) for some in tests]
        first = next((place for place in nearest if place >= 0), -1)
        matched = nearest[1] if nearest[1] >= 0 else nearest[3]
        assert found[one].tolist() == [nearest[3], nearest[1], matched, first]
        gold = {int(table.head[other]) for other in before if table.entity[other] == table.entity[one]}
        assert correct[one].tolist() == [place in gold for place in found[one].tolist()]


def test_the_order_of_the_baselines_holds_on_real_text(data: Path) -> None:
    """Nearest below head match below sieves, as in Clark et al. 2019, over OntoGUM with the trees of GUM."""
    folder = data / "02_gum_coref"
    trees = read(folder / "ud" / "en_gum-ud-dev.conllu.xz")
    sums = np.zeros(1 + len(BASELINES))
    for document in with_trees(read(folder / "coref_conll" / "ontogum_dev.conll"), trees):
        table = mentions_of(with_heads(without_singletons(document)))
        scored = links(table).any(1)
        sums += [scored.sum(), *right(table, picks(table))[scored].sum(0)]
    assert sums[0] == 2961
    nearest, head, either, four = sums[1:] / sums[0]
    assert nearest + 0.1 < head < either < four
