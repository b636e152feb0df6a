"""Sources that cannot be read: each error names the place and what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headscope.errors import InputError, OptionError
from headscope.text import read


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b" \n\t\n", "a.txt: empty: no document"),
        ("a.txt", b"fine\nbin\0ary\n", "a.txt:2: a zero byte"),
        ("a.csv", b"text\n", "a.csv: empty"),
        ("a.csv", b"id,body\n1,hello\n", "a.csv:1: no column called text or sentence or words.* id, body"),
        ("a.csv", b"id,text\n1,a\n2\n", "a.csv:3: 1 fields, but the header has 2: id, text"),
        ("a.csv", b'text\nfine\n"never closed\n', "a.csv:3: broken row: .*check its quotes"),
        ("a.tsv", b"id\ttext\n1\ta\tb\n", "a.tsv:2: 3 fields, but the header has 2"),
        ("a.jsonl", b'{"text": "a"}\n{"text": \n', "a.jsonl:2: broken JSON"),
        ("a.jsonl", b'["a", "b"]\n', "a.jsonl:1: one object per line is expected, not list"),
        ("a.json", b'[\n{"text": "a"}\n]\n', "a.json:1: broken JSON"),
        ("a.jsonl", b'{"text": 5}\n', "a.jsonl:1: 'text' holds a text or a list of words.* int: 5"),
        ("a.jsonl", b'{"words": ["a", 1]}\n', "a.jsonl:1: 'words' holds"),
        ("a.jsonl", b'{"body": "a"}\n', "a.jsonl:1: no column called .*Available: body"),
        ("a.jsonl", b'{"text": "\\ud83d"}\n', "surrogate"),
        (
            "a.jsonl",
            b'{"id": 1, "text": "a"}\n{"id": "1", "text": "b"}\n',
            "a.jsonl:2: id '1' was already used in line 1",
        ),
        ("a.txt.gz", b"no archive", "a.txt.gz:1: the file cannot be read further: Not a gzipped file"),
    ],
)
def test_broken_files(tmp_path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read(path))


def test_options_that_do_not_fit(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,score\nhello,1\n")
    with pytest.raises(
        InputError, match=r"a.csv:1: unknown column 'scores'; did you mean 'score'\? Available: text, score"
    ):
        read(path, target="scores")
    with pytest.raises(OptionError, match="only Hugging Face data sets have splits"):
        read(path, split="train")
    plain = tmp_path / "a.txt"
    plain.write_text("hello")
    with pytest.raises(InputError, match="column 'text' was asked for, but this source has no columns"):
        read(plain, column="text")


def test_wrong_sources(tmp_path) -> None:
    with pytest.raises(InputError, match="in Python, a text itself is given in a list") as typed:
        read("Just a sentence.")
    told = "no such file or folder; write a text into a file, and name that"
    assert typed.value.text == f"Just a sentence.: {told}"
    with pytest.raises(InputError, match=r"missing\.txt: no such file or folder$"):
        read("missing.txt")
    with pytest.raises(InputError, match="empty: no document"):
        read(tmp_path)
    with pytest.raises(InputError, match="empty: no document"):
        read([])
    with pytest.raises(InputError, match=r"text #1 is float \(nan\); strings are expected"):
        list(read(["a", float("nan")]))
    with pytest.raises(InputError, match="no text can be read from int"):
        read(5)


@given(
    st.binary(max_size=60),
    st.sampled_from(["a.txt", "a.csv", "a.tsv", "a.jsonl", "a.txt.gz", "a.txt.xz", "a.bz2"]),
)
def test_any_bytes_give_documents_or_an_explained_error(tmp_path_factory, content: bytes, name: str) -> None:
    path = tmp_path_factory.mktemp("bytes") / name
    path.write_bytes(content)
    try:
        assert all(document.words for document in read(path))
    except InputError as problem:
        assert "a." in str(problem)
