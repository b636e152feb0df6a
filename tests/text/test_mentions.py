"""Head words, kinds and features of mentions, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.text import Corpus, Document, read, with_trees
from headscope.text.agreement import FEMALE, MALE, NEUTER, PLURAL, SINGULAR, UNKNOWN, Features, features_of
from headscope.text.head_words import by_rule, with_heads
from headscope.text.mentions import KINDS, kind_of, linked, mentions_of, without_singletons
from tests.mentions import marked, town


def heads(document: Document, finder: str) -> list[int | None]:
    layer = with_heads(document, finder).coreference
    assert layer is not None
    return [mention.head for mention in layer.mentions]


def test_a_given_head_goes_before_the_tree_and_the_tree_before_the_rule() -> None:
    # "the town mayor of Rome": given 0, by the tree 1, by the rule 2.
    tree = [1, -1, 1, 4, 1]
    given = marked("d", "the town mayor of Rome", [(0, 5, "m", 0)], heads=tree)
    assert heads(given, "given") == [0]
    assert heads(given, "tree") == [1]
    assert heads(given, "rule") == [2]
    assert heads(marked("d", "the town mayor of Rome", [(0, 5, "m")], heads=tree), "given") == [1]
    assert heads(marked("d", "the town mayor of Rome", [(0, 5, "m")]), "given") == [2]


def test_a_word_whose_head_was_cut_away_may_be_the_head() -> None:
    assert heads(marked("d", "the town mayor", [(0, 3, "m")], heads=[2, 2, -2]), "tree") == [2]


@pytest.mark.parametrize(
    ("words", "tags", "expected"),
    [
        ("the old baker", "DT JJ NN", "baker"),
        ("the baker of the town", "DT NN IN DT NN", "baker"),
        ("anna , the baker", "NNP , DT NN", "anna"),
        ("anna 's dog", "NNP POS NN", "dog"),
        ("anna 's", "NNP POS", "anna"),
        ("the women who left", "DT NNS WP VBD", "women"),
        ("of rome", "IN NNP", "rome"),
        ("she", "PRP", "she"),
        ("the poor", "DT JJ", "poor"),
        ("the old baker", "", "baker"),
        ("the baker of the town", "", "baker"),
        ("anna 's", "", "anna"),
        ("'s", "", "'s"),
        ("to walk in rome", "TO VB IN NNP", "walk"),
    ],
)
def test_the_rule(words: str, tags: str, expected: str) -> None:
    split = words.split()
    assert split[by_rule(split, tags.split() or [""] * len(split))] == expected


def test_what_has_no_mentions_or_no_tree_is_explained() -> None:
    with pytest.raises(InputError, match=r"document 'd' has no mentions; read CoNLL-2012"):
        with_heads(Document.from_text("d", "A text."))
    with pytest.raises(InputError, match=r"document 'town' has no tree to find the heads .* 'rule'"):
        with_heads(town(), "tree")
    with pytest.raises(InputError, match=r"document 'town': a mention without head word"):
        mentions_of(town())


@pytest.mark.parametrize(
    ("word", "tag", "upos", "kind"),
    [
        ("she", "PRP", "PRON", "pronoun"),
        ("her", "PRP$", "PRON", "pronoun"),
        ("Rome", "NNP", "PROPN", "proper"),
        ("Alps", "NNPS", "PROPN", "proper"),
        ("dog", "NN", "NOUN", "nominal"),
        ("this", "DT", "PRON", "nominal"),
        ("sie", "PPER", "PRON", "pronoun"),
        ("Rom", "NE", "PROPN", "proper"),
        ("Hund", "", "NOUN", "nominal"),
        ("She", "", "", "pronoun"),
        ("Rome", "", "", "untyped"),
    ],
)
def test_kinds(word: str, tag: str, upos: str, kind: str) -> None:
    assert kind_of(word, tag, upos) == kind


@pytest.mark.parametrize(
    ("words", "tag", "expected"),
    [
        ("he", "PRP", Features(3, SINGULAR, MALE)),
        ("Her", "PRP$", Features(3, SINGULAR, FEMALE)),
        ("itself", "PRP", Features(3, SINGULAR, NEUTER)),
        ("we", "PRP", Features(1, PLURAL)),
        ("you", "PRP", Features(2)),
        ("these", "DT", Features(3, PLURAL)),
        ("the dogs", "NNS", Features(3, PLURAL)),
        ("the dog", "NN", Features(3, SINGULAR)),
        ("the old woman", "NN", Features(3, SINGULAR, FEMALE)),
        ("Mr. Hill", "NNP", Features(3, SINGULAR, MALE)),
        ("mr. dog", "NN", Features(3, SINGULAR)),
        ("the dog and Anna", "NNP", Features(3)),
        ("something", "", Features(3, UNKNOWN)),
    ],
)
def test_features(words: str, tag: str, expected: Features) -> None:
    split = words.split()
    assert features_of(split, len(split) - 1, tag) == expected


def test_mentions_as_arrays() -> None:
    mentions = mentions_of(with_heads(town()))
    assert mentions.head.tolist() == [1, 3, 5, 7, 10, 9, 13, 15, 18, 20]
    assert [KINDS[kind] for kind in mentions.kind] == [
        *("nominal", "proper", "proper", "pronoun", "nominal", "pronoun"),
        *("nominal", "proper", "nominal", "pronoun"),
    ]
    same = mentions.entity[None] == mentions.entity[:, None]
    assert same.sum(1).tolist() == [3, 1, 3, 3, 3, 3, 3, 3, 3, 3]
    # "The dog" and "the dog" are the same words, "his dog" has the same head word.
    assert mentions.text[6] == mentions.text[8] != mentions.text[4]
    assert mentions.word[6] == mentions.word[8] == mentions.word[4]
    assert linked(mentions).tolist() == [False, False, False, True, False, True, True, True, True, True]
    some = mentions.only(mentions.kind == KINDS.index("pronoun"))
    assert some.head.tolist() == [7, 9, 20] and some.features.shape == (3, 3)


def test_a_part_without_mentions_has_empty_arrays() -> None:
    mentions = mentions_of(marked("d", "Nothing here .", []))
    assert len(mentions) == 0 and mentions.features.shape == (0, 3) and linked(mentions).shape == (0,)


def test_singletons_are_those_of_the_document() -> None:
    layer = without_singletons(town()).coreference
    assert layer is not None
    assert [mention.entity for mention in layer.mentions].count("rome") == 0
    assert len(layer.mentions) == 9
    plain = Document.from_text("d", "A text.")
    assert without_singletons(plain) is plain


def corpus_of(*documents: Document) -> Corpus:
    return Corpus("memory", "memory", lambda: documents)


def test_trees_come_from_another_source() -> None:
    words = "Anna 's dog . It barks"
    bare = marked("d", words, [(0, 3, "dog"), (4, 5, "dog")], tags=[""] * 6)
    bare = replace(bare, coreference=replace(bare.coreference, sentences=np.zeros(6, int)))
    tree = replace(marked("d", words, [], heads=[2, 0, -1, 2, 5, -1]), coreference=None)
    (joined,) = with_trees(corpus_of(bare), corpus_of(tree))
    assert joined.coreference.mentions == bare.coreference.mentions
    assert joined.coreference.sentences.tolist() == [0, 0, 0, 0, 1, 1]
    assert joined.coreference.tags == tree.dependencies.tags
    assert heads(joined, "tree") == [2, 4]
    limited = with_trees(corpus_of(bare), corpus_of(tree, tree))
    assert len(list(limited)) == 1
    assert with_trees(corpus_of(bare), corpus_of(tree)).checksum not in (
        corpus_of(bare).checksum,
        corpus_of(tree).checksum,
    )


def test_sources_that_do_not_fit_are_refused() -> None:
    bare, tree = marked("d", "It barks", [(0, 1, "dog")]), marked("d", "It barks", [], heads=[1, -1])
    other, longer = replace(tree, id="e"), marked("d", "It barks .", [], heads=[1, -1, 1])
    for trees, came in ((other, "'e' of 2 words"), (longer, "'d' of 3 words")):
        with pytest.raises(InputError, match=rf"'d' of 2 words is expected, but {came} comes"):
            list(with_trees(corpus_of(bare), corpus_of(trees)))
    with pytest.raises(InputError, match=r"but nothing comes; both need the same documents"):
        list(with_trees(corpus_of(bare, replace(bare, id="e")), corpus_of(tree)))
    with pytest.raises(InputError, match=r"document 'd' has no tree"):
        list(with_trees(corpus_of(bare), corpus_of(bare)))


def test_gum_agrees_with_its_trees(data) -> None:
    """The head that GUM gives is mostly what its tree gives; the rule, which sees tags alone, is close."""
    path = data / "02_gum_coref" / "ud" / "en_gum-ud-dev.conllu.xz"
    given, tree, rule = [], [], []
    for document in read(path):
        for found, finder in ((given, "given"), (tree, "tree"), (rule, "rule")):
            found += [(document.id, head) for head in heads(document, finder)]
    shares = [np.mean([one == two for one, two in zip(given, other, strict=True)]) for other in (tree, rule)]
    assert shares[0] > 0.95 and shares[1] > 0.9, shares
