"""What trees ask of heads, worked out by hand on small sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headscope.analyses.trees import Trees, padded_words, tree_of
from headscope.blocks import block_of
from headscope.errors import InputError
from headscope.text import Dependencies, Document
from headscope.text.layers import OUTSIDE, ROOT
from tests.tree_counts import segment
from tests.trees import document

NUMBERS = {"det": 0, "nsubj": 1, "obj": 2, "advmod": 3, "nmod:poss": 4}
DOGS = document("dogs", "The>2:det keeper>3:nsubj fed>0:root two>6:nummod old>6:amod dogs>3:obj .>3:punct")
SLEEP = document("sleep", "Now>3:advmod he>3:nsubj sleeps>0:root well>3:advmod")
OWNER = document("owner", "Anna>3:nmod:poss 's>1:case dog>4:nsubj barks>0:root")


def of(*documents: Document, causal: bool = False, possessive: bool = False) -> Trees:
    return Trees.of([segment(one) for one in documents], NUMBERS, causal, possessive)


def predictions(*texts: list[int]) -> np.ndarray:
    """(batch, 1, word), filled with -1."""
    longest = max(len(text) for text in texts)
    return np.array([[text + [-1] * (longest - len(text))] for text in texts])


NOBODY = [-1] * 7


def test_rows_are_the_words_whose_relation_counts() -> None:
    trees = of(DOGS, SLEEP)
    assert trees.text.tolist() == [0, 0, 0, 1, 1, 1]
    assert trees.word.tolist() == [0, 1, 5, 0, 1, 3]
    assert trees.head.tolist() == [1, 2, 2, 2, 2, 2]
    assert trees.relation.tolist() == [0, 1, 2, 3, 1, 3]
    assert trees.asked.tolist() == trees.word.tolist()
    assert trees.block.tolist() == [block_of("dogs")] * 3 + [block_of("sleep")] * 3
    assert trees.words.tolist() == [7, 4]
    assert trees.reached.all()


def test_the_dependent_attends_to_its_head() -> None:
    to = predictions([1, 0, 1, 5, 5, 2, 2], [2, 2, 3, 1])
    right = of(DOGS, SLEEP).right(to, predictions(NOBODY, NOBODY[:4]))
    assert right[:, 0, 0].tolist() == [True, False, True, True, True, False]
    assert not right[:, 0, 1].any()


def test_the_head_attends_most_to_the_dependent() -> None:
    """head<-dep: of all words, the head is the one that looks most at the dependent."""
    by = predictions([1, 2, 0, 5, 5, 4, 2], [1, 2, 2, 2])
    right = of(DOGS, SLEEP).right(predictions(NOBODY, NOBODY[:4]), by)
    assert right[:, 0, 1].tolist() == [True, True, False, False, True, True]
    assert not right[:, 0, (0, 2)].any()


def test_the_head_word_attends_to_one_of_its_dependents() -> None:
    """head->dep: `sleeps` has two adverbs; it is asked once about them, and either will do."""
    trees = of(SLEEP)
    assert trees.counts()[:, 2].tolist() == [1, 1, 0]  # first advmod, nsubj, second advmod
    for favourite, expected in ((0, [1, 0]), (3, [1, 0]), (1, [0, 1]), (-1, [0, 0])):
        right = trees.right(predictions([-1, -1, favourite, -1]), predictions(NOBODY[:4]))
        adverbs = right[[0, 2], 0, 2].sum()
        assert [adverbs, right[1, 0, 2]] == expected


def test_counts_of_words_and_head_words() -> None:
    counts = of(SLEEP, SLEEP).counts()
    # dep->head and head<-dep count words, head->dep head words; then all words and head words as they are
    assert counts.sum(0).tolist() == [6, 6, 4, 6, 4]
    assert counts[[0, 2]].sum(0).tolist() == [2, 2, 1, 2, 1]


def test_a_head_word_counts_for_each_relation() -> None:
    trees = of(document("d", "We>2:nsubj saw>0:root ships>2:obj now>2:advmod here>2:advmod"))
    assert trees.counts()[:, 2].tolist() == [1, 1, 1, 0]


def test_joined_relations_count_a_head_word_once() -> None:
    text = segment(document("d", "ships>2:nsubj:pass seen>0:root dogs>2:nsubj"))
    apart = Trees.of([text], {"nsubj": 0, "nsubj:pass": 1}, False, False)
    joined = Trees.of([text], {"nsubj": 0, "nsubj:pass": 0}, False, False)
    assert (apart.counts()[:, 2].sum(), joined.counts()[:, 2].sum()) == (2, 1)


def test_the_ends_of_a_sentence_have_no_neighbours() -> None:
    near = of(SLEEP, document("d", "he>2:nsubj sleeps>0:root")).neighbours(np.array([-2, -1, 1, 2]))
    assert near[0].tolist() == [[-1, -1, 0, 1], [-1, 0, 1, 2], [1, 2, 3, -1], [2, 3, -1, -1]]
    assert near[1, :, :2].tolist() == [[-1, -1], [-1, 0], [1, -1], [-1, -1]]
    assert (near[1, :, 2:] < 2).all(), "no word beyond the end of a shorter text is ever named"


def test_offsets_kept_inside_a_sentence_always_name_another_word() -> None:
    """Beyond an end the last word there; for that word itself, the one beside it."""
    near = of(SLEEP, document("d", "he>2:nsubj sleeps>0:root")).neighbours_inside(np.array([-2, -1, 1, 2]))
    assert near[0].tolist() == [[1, 0, 0, 1], [1, 0, 1, 2], [1, 2, 3, 2], [2, 3, 3, 2]]
    assert near[1, :, :2].tolist() == [[1, 0]] * 4


def test_offsets_kept_inside_pass_over_words_without_a_piece() -> None:
    """No head can choose them. The second of five words has none."""
    text = segment(document("d", "a>5:det \u200b>5:dep b>5:det c>5:det d>0:root"), [1, 0, 1, 2, 1])
    near = Trees.of([text], {"det": 0}, False, False).neighbours_inside(np.array([-1, 1, 2]))
    assert near[0][:, [0, 2, 3, 4]].tolist() == [[2, 0, 2, 3], [2, 3, 4, 3], [3, 4, 4, 3]]


def test_offsets_are_right_where_the_head_stands_there() -> None:
    trees = of(DOGS)
    near = trees.neighbours(np.array([-3, 1]))
    right = trees.right(near, near)
    # The-keeper and keeper-fed are one apart; dogs is three behind fed
    assert right[:, 0].tolist() == [[False] * 3, [False] * 3, [True, True, False]]
    assert right[:, 1, :2].tolist() == [[True, True], [True, True], [False, False]]
    # keeper's next word is fed, fed's is two, which is no dependent that counts
    assert right[:, 1, 2].tolist() == [False, False, False]


def test_a_causal_model_reaches_back_only() -> None:
    trees = of(DOGS, causal=True)
    # The and keeper stand before their heads, dogs behind
    assert trees.reached.tolist() == [[False, True, True], [False, True, True], [True, False, False]]
    every = predictions([1, 2, 5, 5, 5, 2, 2])
    assert trees.right(every, every)[:, 0].tolist() == [
        [False, True, False],
        [False, True, False],
        [True, False, False],
    ]
    assert trees.counts().sum(0).tolist() == [1, 2, 2, 3, 3]


def test_the_first_dependent_that_a_causal_head_word_sees_counts() -> None:
    """`sleeps` sees one of its two adverbs: it is still asked once."""
    assert of(SLEEP, causal=True).counts()[:, 2:].tolist() == [[1, 1, 1], [1, 1, 1], [0, 1, 0]]
    behind = document("d", "He>2:nsubj sleeps>0:root well>2:advmod now>2:advmod")
    assert of(behind, causal=True).counts()[:, 2:].tolist() == [[1, 1, 1], [0, 1, 1], [0, 1, 0]]


def test_a_possessor_is_asked_through_its_mark() -> None:
    trees = of(OWNER, possessive=True)
    assert trees.word.tolist() == [0, 2] and trees.asked.tolist() == [1, 2]
    # Anna herself looks at the dog, her 's does not; then the other way round
    own, mark = predictions([2, 0, 3, 2]), predictions([3, 2, 3, 2])
    assert trees.right(own, own)[:, 0, 0].tolist() == [False, True]
    assert trees.right(mark, mark)[:, 0, 0].tolist() == [True, True]
    assert of(OWNER).right(own, own)[:, 0, 0].tolist() == [True, True]
    # the head word is asked about the possessor itself
    dog = predictions([-1, -1, 0, -1])
    assert trees.right(dog, dog)[0, 0, 2]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("dogs>3:nmod:poss '>1:case tails>4:nsubj wag>0:root", 1),
        ("dog>3:nmod:poss ’s>1:case tail>4:nsubj wags>0:root", 1),
        ("his>2:nmod:poss tail>3:nsubj wags>0:root", 0),
        ("tail>3:obj dog>1:nmod:poss wags>0:root", 1),
        ("wags>0:root dog>1:nmod:poss", 1),  # a possessor at the end has nothing behind it
    ],
)
def test_marks_of_possession(written: str, asked: int) -> None:
    trees = of(document("d", written), possessive=True)
    owner = trees.relation.tolist().index(NUMBERS["nmod:poss"])
    assert trees.asked[owner] == asked


def test_a_mark_in_the_next_sentence_is_not_asked() -> None:
    ends, begins = document("a", "wags>0:root dog>1:nmod:poss"), document("b", "'s>2:nsubj it>0:root")
    assert of(ends, begins, possessive=True).asked.tolist() == [1, 0]


def test_words_without_pieces_do_not_count() -> None:
    texts = [segment(SLEEP, [1, 0, 2, 1]), segment(SLEEP, [1, 1, 0, 1]), segment(OWNER, [1, 0, 1, 1])]
    trees = Trees.of(texts, NUMBERS, False, True)
    # he has no piece; sleeps, everybody's head, has none; 's has none, so Anna is asked herself
    assert trees.text.tolist() == [0, 0, 2, 2]
    assert trees.word.tolist() == [0, 3, 0, 2]
    assert trees.asked.tolist() == [0, 3, 0, 2]


def test_a_batch_without_any_row() -> None:
    trees = of(document("d", "Ships>0:root"))
    assert len(trees.word) == 0 and trees.counts().shape == (0, 5)
    assert trees.right(*[predictions([-1])] * 2).shape == (0, 1, 3)


@pytest.mark.parametrize("head", [ROOT, OUTSIDE])
def test_a_head_outside_the_sentence_does_not_count(head: int) -> None:
    plain = Document.from_words("d", ["ships"])
    tree = Dependencies(np.array([head]), ("nsubj",), np.array([0]), ("",), ("",))
    one = segment(replace(plain, dependencies=tree))
    assert len(Trees.of([one], NUMBERS, False, False).word) == 0


def test_pieces_are_padded_with_no_word() -> None:
    numbers = padded_words([segment(OWNER, [2, 1, 1, 1]), segment(document("d", "ships>0:root"))])
    assert numbers.tolist() == [[-1, 0, 0, 1, 2, 3, -1], [-1, 0, -1, -2, -2, -2, -2]]


def test_a_text_without_trees_is_refused() -> None:
    one = replace(segment(OWNER), part=None)
    with pytest.raises(InputError, match="document 'owner' has no trees; read a treebank, or parse the text"):
        tree_of(one)
