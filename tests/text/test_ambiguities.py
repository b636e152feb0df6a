"""Files that say a thing twice, or not at all: refused with file and line instead of being guessed at."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from headscope.errors import InputError
from headscope.text import read, read_labelled
from tests.text.treebanks import LAYOUT, word, written


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", "text,text,label\nA,B,1\n", r"a\.csv:1: 2 columns are called 'text'; give them different"),
        ("a.tsv", "text\tlabel\tlabel\nA\t1\t2\n", r"a\.tsv:1: 2 columns are called 'label'"),
        ("a.jsonl", '{"text": "A", "label": 1}\n{"text": "A", "text": "B", "label": 1}\n',
         r"a\.jsonl:2: the key 'text' is there 2 times; keep one"),
        ("a.jsonl", '{"text": "A", "label": 1, "label": 2, "label": 1}\n', r":1: the key 'label' .* 3 times"),
        ("a.csv", "text,label\nA,1\nB,0.7\n", r"a\.csv:3: 'label' holds a label, .* it is float: 0\.7"),
        ("a.tsv", "text\tlabel\nA\t-.25\n", r"a\.tsv:2: 'label' holds a label, .* float: -0\.25"),
    ],
)  # fmt: skip
def test_tables_and_json_lines(tmp_path: Path, name: str, content: str, problem: str) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(InputError, match=problem):
        list(read_labelled(path, tagged=False))


def test_columns_that_are_not_read_may_share_a_name(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "note,text,note,,,label\nx,A,y,,,1\n")
    assert [(document.text, document.label) for document in read_labelled(path, tagged=False)] == [("A", "1")]


def test_parquet_columns_of_one_name(tmp_path: Path) -> None:
    table = pa.table([pa.array(["A"]), pa.array(["B"])], names=["text", "text"])
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: 2 columns are called 'text'"):
        read(tmp_path / "a.parquet")


def test_labels_are_texts_whole_numbers_or_truth_values(tmp_path: Path) -> None:
    def labels(name: str, content: str) -> list[str | None]:
        return [document.label for document in read_labelled(written(tmp_path, name, content), tagged=False)]

    assert labels("a.csv", "text,label\nA,1.0\nB,-2.\nC,v0.7\nD,1.2.3\nE,.\n") == [
        "1",
        "-2",
        "v0.7",
        "1.2.3",
        ".",
    ]
    assert labels("a.jsonl", '{"text": "A", "label": true}\n{"text": "B", "label": "0"}\n') == ["True", "0"]
    table = pa.table({"text": ["A", "B"], "label": [1.0, 0.7]})
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet row 1: 'label' holds a label, .* float: 0\.7"):
        list(read_labelled(tmp_path / "a.parquet", tagged=False))


def test_tags_are_no_fractions(tmp_path: Path) -> None:
    path = written(tmp_path, "a.iob", "Rain B-NP 1\nfell O 1.0\n\nToday O 0.98\n")
    with pytest.raises(InputError, match=r"a\.iob:4: 'tag' holds a label, .* float: 0\.98"):
        list(read_labelled(path, tagged=True))


@pytest.mark.parametrize("relation", ["", " "])
def test_a_relation_has_a_name(tmp_path: Path, relation: str) -> None:
    lines = [word(1, "It", 2, "nsubj"), word(2, "rains", 0, relation)]
    with pytest.raises(InputError, match=r"a\.conllu:2: word 2 has an empty relation"):
        list(read(written(tmp_path, "a.conllu", "\n".join(lines) + "\n")))


@pytest.mark.parametrize("rows", [["It\t(1)(1)"], ["It\t(1(1", "rains\t1)1)"]])
def test_a_mention_is_there_once(tmp_path: Path, rows: list[str]) -> None:
    numbered = "".join(f"{number}\t{row}\n" for number, row in enumerate(rows))
    path = written(tmp_path, "a.conll", f"# begin document d\n{numbered}# end document\n")
    with pytest.raises(
        InputError, match=r"a\.conll:2: the words from here on are a mention of entity '1' twice"
    ):
        list(read(path))


def test_a_mention_of_conllu_is_there_once(tmp_path: Path) -> None:
    def mentions(entity: str) -> int:
        content = "\n".join([LAYOUT, word(1, "It", 0, "root", f"Entity={entity}")]) + "\n"
        (document,) = read(written(tmp_path, "a.conllu", content))
        return len(document.coreference.mentions)

    with pytest.raises(
        InputError, match=r"a\.conllu:2: the words from here on are a mention of entity '1' twice"
    ):
        mentions("(1-person)(1-person)")
    assert mentions("(1-person)(2-person)") == 2, "two entities may be named by the same words"
    assert mentions("(1-person)(3[1/2]-x)(3[1/2]-x)") == 1, "pieces of mentions are left out in any case"
