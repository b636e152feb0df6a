"""CoNLL-U, read by hand."""

from __future__ import annotations

import lzma

import pytest

from headscope.errors import InputError
from headscope.text import Mention, read, sentences
from tests.text.treebanks import CONLLU, LAYOUT, tree, word, written


@pytest.fixture
def documents(tmp_path):
    return list(read(written(tmp_path, "a.conllu", CONLLU)))


def test_documents_and_their_text(documents) -> None:
    assert [(document.id, document.text) for document in documents] == [
        ("first", "We don't sleep.\nAnn and Bo sing Yes"),
        ("a.conllu:24", "indem!"),
    ]
    assert [documents[1].surface(number) for number in range(3)] == ["in", "dem", "!"]


def test_trees_are_counted_through_the_document(documents) -> None:
    layer = documents[0].dependencies
    assert layer.heads.tolist() == [3, 3, 3, -1, 3, 8, 7, 5, -1, -1]
    assert layer.sentences.tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert layer.relations[:4] == ("nsubj", "aux", "advmod", "root")
    assert (layer.tags[0], layer.tags[1], layer.upos[0]) == ("PRP", "", "X")
    assert [part.text for _, part in sentences(documents[0])] == ["We don't sleep.", "Ann and Bo sing", "Yes"]


def test_mentions_and_their_heads(documents) -> None:
    assert documents[0].coreference.mentions == (
        Mention(0, 1, "1", 0),
        Mention(5, 8, "2", 5),  # the head field names two words, so the tree decides: Bo depends on Ann
        Mention(5, 6, "1", 5),
    )
    assert documents[1].coreference.mentions == ()


def test_without_newdoc_every_sentence_is_a_document(tmp_path) -> None:
    path = written(tmp_path, "a.conllu", "# text = w\n" + tree(0) + "\n\n" + tree(2, 0))
    first, second = read(path)
    assert [(d.id, d.text, d.coreference) for d in (first, second)] == [
        ("a.conllu:1", "w", None),
        ("a.conllu:6", "w w", None),
    ]


def test_sentences_before_the_first_newdoc_stand_alone(tmp_path) -> None:
    content = tree(0) + tree(0) + "# newdoc id = d\n" + tree(0) + tree(0)
    found = read(written(tmp_path, "a.conllu", content))
    assert [(d.id, len(d.words)) for d in found] == [("a.conllu:1", 1), ("a.conllu:3", 1), ("d", 2)]


def test_windows_lines_and_compression(tmp_path, documents) -> None:
    (tmp_path / "b.conllu.xz").write_bytes(lzma.compress(CONLLU.replace("\n", "\r\n").encode()))
    (first, second) = read(tmp_path / "b.conllu.xz")
    assert (first.text, second.id) == (documents[0].text, "b.conllu.xz:24")
    assert first.coreference.mentions == documents[0].coreference.mentions


def test_spaces_at_the_ends_of_sentences(tmp_path) -> None:
    glued = word(1, "我", 0, "root", "SpaceAfter=No") + "\n\n"
    content = "# newdoc id = d\n" + glued + glued + "# newpar\n" + glued
    (document,) = read(written(tmp_path, "a.conllu", content))
    assert document.text == "我我\n我"


def entities(tmp_path, *fields: str, layout: str = LAYOUT) -> tuple[Mention, ...]:
    """The mentions of one sentence in which every word depends on the one before."""
    rows = [word(n, "w", n - 1, misc=f"Entity={field}") for n, field in enumerate(fields, start=1)]
    (document,) = read(written(tmp_path, "a.conllu", layout + "\n" + "\n".join(rows)))
    return document.coreference and document.coreference.mentions


def test_brackets_nest_and_cross(tmp_path) -> None:
    found = entities(tmp_path, "(1-a-b-2-c(2-a-b-1-c", "(1-a-b-1-c)", "1)(3-a-b-1-c", "2)3)")
    assert found == (
        Mention(0, 4, "2", 0),
        Mention(0, 3, "1", 1),
        Mention(1, 2, "1", 1),
        Mention(2, 4, "3", 2),
    )


def test_the_last_of_equal_mentions_is_closed_first(tmp_path) -> None:
    assert entities(tmp_path, "(1-a-b-3-c", "(1-a-b-1-c", "1)1)") == (
        Mention(0, 3, "1", 2),
        Mention(1, 3, "1", 1),
    )


def test_head_fields_of_other_layouts(tmp_path) -> None:
    found = entities(tmp_path, "(e5-person-2-x", "_", "e5)", layout="# global.Entity = eid-etype-head-other")
    assert found == (Mention(0, 3, "e5", 1),)
    assert entities(tmp_path, "(e5", "e5)", layout="# global.Entity = eid-etype") == (Mention(0, 2, "e5", 0),)


def test_entities_without_a_layout_are_no_coreference(tmp_path) -> None:
    assert entities(tmp_path, "(PER", "PER)", layout="# text = w w") is None


def test_mentions_around_empty_nodes(tmp_path) -> None:
    rows = [
        LAYOUT,
        word(1, "w", 0),
        word("1.1", "w", misc="Entity=(1-a-b-1-c"),
        word(2, "w", 3),
        word(3, "w", 1, misc="Entity=1)"),
    ]
    (document,) = read(written(tmp_path, "a.conllu", "\n".join(rows)))
    # the mention begins at the next word; whether its index counts the node is unknown, so the tree decides
    assert document.coreference.mentions == (Mention(1, 3, "1", 2),)


BAD_ENTITIES = [
    (("(1-a-b-1-c", "_"), "a.conllu:2: the mention of entity '1' that opens here is never closed"),
    (("_", "4)"), "a.conllu:3: a mention of entity '4' is closed here, but none is open"),
    (("(1-a-b-1-c", "2)"), "a.conllu:3: a mention of entity '2' is closed"),
    (("_", "(1-a-b-2-c)"), "a.conllu:3: word 2 is to be the head of a mention of 1 words"),
    (("_", "(1-a-b-0-c)"), "a.conllu:3: word 0 is to be the head"),
    (("()",), r"a.conllu:2: mentions such as \(3, 3\) or \(3\) are expected, not '\(\)'"),
    (("3",), "a.conllu:2: mentions such as"),
    (("(-a-b-1-c)",), "a.conllu:2: the mention '-a-b-1-c' names no entity"),
]


@pytest.mark.parametrize(("fields", "message"), BAD_ENTITIES)
def test_broken_mentions(tmp_path, fields: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        entities(tmp_path, *fields)


BROKEN = [
    (tree(0)[:-6], "a.conllu:1: 8 columns, but CoNLL-U has 10, parted by tabs"),
    (tree(0) + word(1, "w", 0) + "\t_", "a.conllu:3: 11 columns"),
    (word(1, "w", 0).replace("\t", "    "), "a.conllu:1: 1 columns"),
    (word(2, "w", 0), "a.conllu:1: number '2' is out of order after 0 words"),
    (tree(0).strip() + "\n" + tree(0), "a.conllu:2: number '1' is out of order after 1 words.*a blank line"),
    (word("x", "w", 0), "a.conllu:1: number 'x' is out of order"),
    (word("²", "w", 0), "a.conllu:1: number '²' is out of order"),
    (word("2-3", "w"), "a.conllu:1: number '2-3' is out of order"),
    (word("1-2", "w") + "\n" + word(1, "w", 0), "a.conllu:1: a token reaches to word 2.* has 1 words"),
    ("\n".join([word("1-2", "w"), word("1-2", "w")]), "a.conllu:2: number '1-2' is out of order"),
    ("\n".join([word("1-3", "w"), word(1, "w", 0), word("2-3", "w")]), "a.conllu:3: number '2-3' is out of"),
    (tree(0) + word("0.1", "w"), "a.conllu:3: a sentence without words; only empty nodes are here"),
    (word("1.1", "w"), "a.conllu:1: number '1.1' is out of order"),
    (word(1, "", 0), "a.conllu:1: word 1 has an empty form"),
    (word(1, "w", "_"), "a.conllu:1: a head is expected, a whole number, not '_'"),
    (word(1, "w", "-1"), "a.conllu:1: a head is expected"),
    (word(1, "w", "٣"), "a.conllu:1: a head is expected"),
    (word(1, "w", "9" * 5000), "a.conllu:1: a head is expected"),
    (tree(2, 0, 4), "a.conllu:3: head 4 of word 3 is outside its sentence of 3 words"),
    (tree(0, 2), "a.conllu:2: word 2 is its own head"),
    (tree(2, 1), "a.conllu:1: no word of this sentence is the root"),
    (tree(0, 1, 0), "a.conllu:3: word 3 is a second root; word 1 is one already"),
    (tree(0, 1, 4, 5, 3, 3), "a.conllu:3: word 3 depends on itself"),
    (tree(0).strip() + "\n# text = w\n", "a.conllu:2: a comment among the words of a sentence"),
    (
        "# newdoc id = d\n" + tree(0) + "# newdoc id = d\n" + tree(0),
        "a.conllu:4: id 'd' was already used in line 1",
    ),
    ("", "a.conllu: empty: no document"),
    ("# newdoc id = d\n\n# text = w\n", "a.conllu: empty: no document"),
    (tree(0) + word(1, "w\0", 0), "a.conllu:3: a zero byte"),
]


@pytest.mark.parametrize(("content", "message"), BROKEN)
def test_broken_files(tmp_path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read(written(tmp_path, "a.conllu", content)))


def test_wrong_encoding(tmp_path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes((tree(0) + word(1, "für", 0)).encode("latin-1"))
    with pytest.raises(InputError, match=r"a.conllu:3: byte 0xfc at position 3 is not UTF-8"):
        list(read(path))


def test_columns_are_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="column 'text' was asked for, but this source has no columns"):
        read(written(tmp_path, "a.conllu", CONLLU), column="text")


def test_morphology_is_read_and_kept_by_windows(tmp_path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(
        "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tcame\t_\tVERB\t_\tTense=Past|VerbForm=Fin\t0\troot\t_\t_\n\n"
    )
    (document,) = read(path)
    assert document.dependencies is not None
    assert document.dependencies.feats == ("", "Tense=Past|VerbForm=Fin")
    assert document.dependencies.window(1, 2).feats == ("Tense=Past|VerbForm=Fin",)
