"""What reading shows: documents left out and why, columns taken, texts without sentence breaks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from headscope.errors import InputError, OptionError
from headscope.text import Corpus, Document, parse, read, read_labelled, with_trees
from headscope.text.noticing import LONG_SENTENCE, Broken
from headscope.text.readers import plain
from headscope.text.readers.plain import LONGEST
from tests.text.treebanks import LAYOUT, tree, word, written


def ids(corpus: Corpus) -> list[str]:
    return [document.id for document in corpus]


def test_empty_texts_are_counted_however_often_a_corpus_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "text,label\nA,1\n,1\n  ,0\nB,0\n,1\n,1\nC,1\n")
    corpus = read_labelled(path, tagged=False)
    assert ids(corpus) == ids(corpus) == ["a.csv:2", "a.csv:5", "a.csv:8"]
    next(iter(corpus))  # a pass that ends early knows less
    columns = "a.csv: texts from column 'text', labels from 'label'"
    told = "a.csv: 4 documents are left out, as the text has no word: a.csv:3, a.csv:4, a.csv:6, ..."
    assert corpus.notes == [columns, told]
    limited = corpus.limited(2)
    assert limited.notes == corpus.notes, "what is made of a corpus has its notes"
    first = read_labelled(path, tagged=False, limit=2)
    assert ids(first) == ["a.csv:2", "a.csv:5"]
    assert first.notes[1] == "a.csv: 2 documents are left out, as the text has no word: a.csv:3, a.csv:4"


def test_columns_are_told(tmp_path: Path) -> None:
    def notes(content: list[dict], **options) -> list[str]:
        path = written(tmp_path, "a.jsonl", "\n".join(map(json.dumps, content)))
        corpus = read_labelled(path, **options) if "tagged" in options else read(path, **options)
        list(corpus)
        return corpus.notes

    rows = [{"Text": "A", "target": "B"}, {"Text": "C"}, {"Text": "D"}]
    assert notes(rows) == [
        "a.jsonl: texts from column 'Text', targets from 'target'", "a.jsonl: texts from column 'Text'",
    ]  # fmt: skip
    tagged = [{"tokens": ["A"], "ner_tags": ["O"]}]
    assert notes(tagged, tagged=True) == ["a.jsonl: words from column 'tokens', tags from 'ner_tags'"]


SOUND = "# newdoc id = {}\n" + tree(0, 1)
ROW = "# newdoc id = b\n" + tree(2, 1)  # two words that depend on each other

FORMATS = {
    "a.csv": ("text,label\nA,1\nB\nC,0\n", ["a.csv:2", "a.csv:4"], r"'a\.csv:3' \(.*a\.csv:3: 1 fields, but"),
    "a.tsv": ("text\tlabel\nA\t1\nB\t0.7\nC\t0\n", ["a.tsv:2", "a.tsv:4"], r"'a\.tsv:3' \(.*tsv:3: 'label'"),
    "a.jsonl": (
        '{"text": "A", "label": 1}\n{"text"\n' + 2 * '{"id": 7, "text": "C", "label": 0}\n',
        ["a.jsonl:1", "7"],
        r"2 documents .*'a\.jsonl:2' \(.*jsonl:2: broken JSON.*'a\.jsonl:4' \(.*:4: id '7' was already",
    ),
    "a.conllu": (
        SOUND.format("a") + ROW + tree(0) + SOUND.format("c") + SOUND.format("a"),
        ["a", "c"],
        r"2 documents .*'b' \(.*a\.conllu:6: no word of this .*'a' \(.*conllu:15: id 'a' was already",
    ),
    "b.conllu": (tree(0) + tree(2, 1) + tree(0), ["b.conllu:1", "b.conllu:6"], r"'b\.conllu:3' \(.*:3: no"),
    "a.dep": ("A 0-root\n\nB 7-x\n\nC 0-root\n", ["a.dep:1", "a.dep:5"], r"'a\.dep:3' \(.*dep:3: head 7"),
    "a.conll": (
        "# begin document a\n0\tA\t_\n# end document\n"
        "# begin document b\n0\tB\t(1\n\n0\tB\t_\n# end document\n"
        "0\tstray\t_\n# begin document c\n0\tC\t_\n# end document\n# begin document d\n0\tD\t_\n",
        ["a", "c"],
        r"3 documents .*'b' \(.*a\.conll:5: the mention of entity '1' that opens here is never closed\), "
        r"'a\.conll:9' \(.*a\.conll:9: no document is open .*'d' \(.*a\.conll:13: .* has no '#end document'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_broken_documents_are_left_out_and_named(tmp_path: Path, name: str) -> None:
    content, sound, broken = FORMATS[name]
    path = written(tmp_path, name, content)
    with pytest.raises(InputError, match=rf"{name}:\d+: "):
        list(read(path) if "label" not in content else read_labelled(path, tagged=False))
    options = {"skip_broken": True}
    corpus = read(path, **options) if "label" not in content else read_labelled(path, tagged=False, **options)
    assert ids(corpus) == sound
    (note,) = [note for note in corpus.notes if "broken and left out" in note]
    assert note.startswith(f"{name}: ")
    assert re.search(broken, note), note


def test_tagged_sentences_and_files_of_one_document(tmp_path: Path) -> None:
    tags = read_labelled(
        written(tmp_path, "a.iob", "A O\n\nB\n\nC O\n"), tagged=True, skip_broken=True
    )  # fmt: skip
    assert ids(tags) == ["a.iob:1", "a.iob:5"]
    written(tmp_path, "a.dp", "Rain\tNN\t9\n")
    written(tmp_path, "b.dp", "Rain\tNN\t0\n")
    (tmp_path / "a.iob").unlink()
    assert ids(read(tmp_path, skip_broken=True)) == ["b.dp"]


def test_a_comment_among_words_breaks_what_it_may_belong_to(tmp_path: Path) -> None:
    lines = ["# newdoc id = a", word(1, "A", 0, "root"), "# newdoc id = b", word(1, "B", 0, "root"), ""]
    path = written(tmp_path, "a.conllu", "\n".join([*lines, SOUND.format("c")]))
    corpus = read(path, skip_broken=True)
    assert ids(corpus) == ["c"]
    assert "2 documents are broken" in corpus.notes[0] and "a.conllu:3: a comment among" in corpus.notes[0]


def test_texts_in_memory_and_rows_of_data_sets() -> None:
    corpus = read(["A", None, "B"], skip_broken=True)
    assert ids(corpus) == ["#0", "#2"]
    assert corpus.notes == [
        "memory: 1 document is broken and left out: '#1' (memory: text #1 is NoneType (None); strings are "
        "expected)"
    ]
    datasets = pytest.importorskip("datasets")
    kind = datasets.ClassLabel(names=["bad", "good"])
    features = datasets.Features({"text": datasets.Value("string"), "label": kind})
    table = datasets.Dataset.from_dict({"text": ["A", "B"], "label": [-1, 1]}, features)
    rows = read_labelled(table, tagged=False, skip_broken=True)
    assert [document.label for document in rows] == ["good"]


def test_a_corpus_of_nothing_but_broken_documents_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "a.dep", "A 7-x\n\nB 0\n")
    with pytest.raises(
        InputError, match=r"empty: no document with a word in it; 2 documents are broken .*a\.dep:1: "
    ):
        read(path, skip_broken=True)


def test_a_broken_file_is_refused_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "A"}\n{"text": "caf\xe9"}\n')
    with pytest.raises(InputError, match=r"a\.jsonl:2: byte 0xe9"):
        list(read(path, skip_broken=True))


def test_an_open_corpus_can_still_be_told_to_skip() -> None:
    items = [Broken("b", InputError("b: broken")), Document.from_text("a", "A")]
    corpus = Corpus("c", "memory", lambda: items)
    with pytest.raises(InputError, match="b: broken"):
        list(read(corpus))
    assert ids(read(corpus, skip_broken=True)) == ["a"]
    with pytest.raises(OptionError, match="made of one that refuses broken documents"):
        read(corpus.limited(1), skip_broken=True)
    assert ids(read(read(corpus, skip_broken=True, limit=3), skip_broken=True)) == ["a"]


def test_documents_that_two_sources_do_not_share_are_broken(tmp_path: Path) -> None:
    """b is broken in the one source, c in the other, and d has another number of words there."""
    mentions = "".join(
        f"# begin document {id}\n0\tA\t{field}\n1\tB\t_\n# end document\n"
        for id, field in {"a": "(1)", "b": "(1", "c": "(1)", "d": "(1)", "e": "(1)"}.items()
    )
    sources = {"a": tree(0, 1), "b": tree(0, 1), "c": tree(2, 1), "d": tree(0, 1, 1), "e": tree(0, 1)}
    trees = "".join(f"# newdoc id = {id}\n{lines}" for id, lines in sources.items())
    paths = written(tmp_path, "a.conll", mentions), written(tmp_path, "a.conllu", trees)
    with pytest.raises(InputError, match=r"a\.conll:6: the mention"):
        list(with_trees(*map(read, paths)))
    corpus = with_trees(*(read(path, skip_broken=True) for path in paths))
    assert ids(corpus) == ["a", "e"]
    origin, note = corpus.notes
    assert origin == "a.conll: words, sentences and trees are those of a.conllu"
    assert all(id in note for id in ("'b' (", "'c' (", "'d' (")) and "a.conllu:10: no word" in note
    assert "'d' of 2 words is expected, but 'd' of 3 words comes" in note


def test_documents_without_sentence_breaks_are_told(tmp_path: Path) -> None:
    def notes(name: str, content: str, **options) -> list[str]:
        corpus = read(written(tmp_path, name, content), **options)
        list(corpus)
        return corpus.notes

    lines = ["# begin document a\n0\tA\t(1)\n1\tB\t_\n# end document\n"]
    lines += ["# begin document b\n0\tA\t(1)\n\n0\tB\t_\n# end document\n"]
    assert notes("a.conll", "".join(lines)) == [
        "a.conll: no sentence breaks within 1 of the documents, each of which is taken as one sentence: a"
    ]
    long = "".join(f"w{number} O\n" for number in range(LONG_SENTENCE + 1))
    (note,) = notes("a.iob", long)
    assert "no sentence breaks within 1 of the documents" in note and note.endswith(": a.iob:1")
    assert notes("b.iob", long.partition("\n")[2]) == [], "some sentences are long"
    mentioned = "\n".join([LAYOUT, word(1, "It", 0, "root")]) + "\n\n"
    assert notes("a.conllu", 2 * mentioned) == [], "sentences with trees are what they are"


def test_trees_of_a_parser_are_told() -> None:
    spacy = pytest.importorskip("spacy")
    assert spacy
    corpus = parse(read(["Dogs bark. Cats sleep."]))
    (note,) = corpus.notes
    assert note.startswith(
        "memory: words, sentences and trees are those of the spaCy pipeline en_core_web_sm"
    )


def test_text_without_blank_lines_is_cut_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "LONGEST", 40)
    path = written(tmp_path, "a.txt", "one line of words\n" * 5)
    corpus = read(path)
    assert len(list(corpus)) == 3
    assert corpus.notes == ["a.txt: text without a blank line is cut into documents of at most 40 characters"]
    assert LONGEST > 40
    parted = read(written(tmp_path, "b.txt", "one line of words\n\n" * 5))
    assert len(list(parted)) == 5 and parted.notes == []
