"""Layers of documents, and what becomes of them in a part of the document."""

from __future__ import annotations

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.text import Coreference, Corpus, Dependencies, Document, Mention, sentences, window


def annotated() -> Document:
    """Two sentences: "Ann 's dog barks ." and "She hears it"."""
    words = ["Ann", "'s", "dog", "barks", ".", "She", "hears", "it"]
    plain = Document.from_words("d", words, [False, True, True, False, True, True, True, True], "target")
    marks = np.repeat([0, 1], [5, 3])
    tags = ("NNP", "POS", "NN", "VBZ", ".", "PRP", "VBZ", "PRP")
    relations = ("nmod", "case", "nsubj", "root", "punct", "nsubj", "root", "obj")
    tree = Dependencies(np.array([2, 0, 3, -1, 3, 6, -1, 6]), relations, marks, tags, ("X",) * 8)
    dog, ann = Mention(0, 3, "dog", 2), Mention(0, 1, "ann", 0)
    mentions = (dog, ann, Mention(5, 6, "ann", 5), Mention(7, 8, "dog"))
    return Document(plain.id, plain.text, plain.words, "target", tree, Coreference(mentions, marks, tags))


def test_sentences_count_their_own_words() -> None:
    (first, opening), (second, closing) = sentences(annotated())
    assert (first, opening.text, opening.id) == (0, "Ann's dog barks.", "d")
    assert (second, closing.text, closing.id, closing.target) == (1, "She hears it", "d", "target")
    assert closing.words == ((0, 3), (4, 9), (10, 12))
    assert closing.dependencies.heads.tolist() == [1, -1, 1]
    assert closing.dependencies.relations == ("nsubj", "root", "obj")
    assert closing.coreference.mentions == (Mention(0, 1, "ann", 0), Mention(2, 3, "dog", None))
    assert closing.coreference.tags == closing.dependencies.tags == ("PRP", "VBZ", "PRP")
    assert closing.dependencies.sentences.tolist() == closing.coreference.sentences.tolist() == [1, 1, 1]
    assert opening.coreference.mentions == (Mention(0, 3, "dog", 2), Mention(0, 1, "ann", 0))


def test_sentences_of_coreference_alone() -> None:
    whole = annotated()
    document = Document(whole.id, whole.text, whole.words, coreference=whole.coreference)
    assert [(number, len(part.words)) for number, part in sentences(document)] == [(0, 5), (1, 3)]


def test_a_window_marks_what_it_cuts_away() -> None:
    part = window(annotated(), 1, 7)
    assert part.text == "'s dog barks. She hears"
    # the head of 's was Ann
    assert part.dependencies.heads.tolist() == [-2, 2, -1, 2, 5, -1]
    assert part.dependencies.relations[0] == "case"
    # the first mention begins outside, the last one too
    assert part.coreference.mentions == (Mention(4, 5, "ann", 4),)
    assert part.dependencies.sentences.tolist() == [0, 0, 0, 0, 1, 1]


def test_a_window_of_a_window_keeps_what_is_outside() -> None:
    part = window(window(annotated(), 1, 7), 0, 2)
    assert part.dependencies.heads.tolist() == [-2, -2]


def test_the_whole_window_is_the_document() -> None:
    document = annotated()
    part = window(document, 0, 8)
    assert (part.text, part.words, part.coreference.mentions) == (
        document.text,
        document.words,
        document.coreference.mentions,
    )
    np.testing.assert_array_equal(part.dependencies.heads, document.dependencies.heads)


@pytest.mark.parametrize(("start", "stop"), [(-1, 3), (3, 3), (4, 2), (0, 9)])
def test_windows_must_hold_words_of_the_document(start: int, stop: int) -> None:
    with pytest.raises(InputError, match=f"document 'd': words {start} to {stop} were asked for.* has 8"):
        window(annotated(), start, stop)


def test_a_plain_document_has_windows_but_no_sentences() -> None:
    document = Document.from_text("a", "One. Two.")
    assert window(document, 2, 4).text == "Two."
    with pytest.raises(InputError, match="document 'a' has no sentence marks; read a treebank, or parse"):
        list(sentences(document))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"relations": ("root",)}, "2 heads, but 1 relations"),
        ({"upos": ()}, "2 heads, but 0 upos"),
        ({"heads": np.array([2, -1])}, "a head is none of the 2 words"),
        ({"heads": np.array([-3, -1])}, "a head is none of the 2 words"),
        ({"sentences": np.array([1, 0])}, "never run backwards"),
        ({"sentences": np.array([-1, 0])}, "begin at 0 or above"),
    ],
)
def test_wrong_dependencies_are_refused(change: dict, message: str) -> None:
    fields = {
        "heads": np.array([1, -1]),
        "relations": ("det", "root"),
        "sentences": np.array([0, 0]),
        "tags": ("", ""),
        "upos": ("", ""),
    }
    with pytest.raises(InputError, match=message):
        Dependencies(**(fields | change))


def test_wrong_mentions_are_refused() -> None:
    marks, tags = np.array([0, 0]), ("", "")
    with pytest.raises(InputError, match="a mention leaves the 2 words"):
        Coreference((Mention(1, 3, "a"),), marks, tags)
    with pytest.raises(InputError, match="in the order of their starts, longer ones first"):
        Coreference((Mention(0, 1, "a"), Mention(0, 2, "b")), marks, tags)
    with pytest.raises(InputError, match="2 sentences, but 1 tags"):
        Coreference((), marks, ("",))
    for place in [(1, 1, None), (-1, 1, None), (0, 2, 2)]:
        with pytest.raises(InputError, match="a mention needs words, and its head must be one of them"):
            Mention(place[0], place[1], "a", place[2])


def test_layers_must_be_as_long_as_the_document() -> None:
    layer = Coreference((), np.array([0, 0]), ("", ""))
    with pytest.raises(InputError, match="document 'd': 1 words, but coreference of 2"):
        Document("d", "a", ((0, 1),), coreference=layer)


def test_layers_count_in_the_checksum() -> None:
    document = annotated()
    tree = document.dependencies
    heads = tree.heads.copy()
    heads[7] = 5
    moved = Dependencies(heads, tree.relations, tree.sentences, tree.tags, tree.upos)
    variants = [
        document,
        Document("d", document.text, document.words, "target"),
        Document("d", document.text, document.words, "target", tree),
        Document("d", document.text, document.words, "target", moved),
    ]
    sums = {Corpus("c", "memory", lambda one=one: [one]).checksum for one in variants}
    assert len(sums) == 4
    assert Corpus("c", "memory", lambda: [annotated()]).checksum in sums
