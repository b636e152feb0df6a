"""What every reader of the table must do: read what editors and systems make of a file, and name the place
of what it cannot read."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import re
from pathlib import Path

import pytest

from headscope.errors import InputError
from headscope.text import read
from headscope.text.readers import READERS, read_plain
from tests.text.samples import SAMPLES, Sample

SUFFIXES = {**{suffix: reader.__name__ for suffix, reader in READERS.items()}, ".txt": read_plain.__name__}
FIRST = {name: suffix for suffix, name in reversed(SUFFIXES.items())}
UNREADABLE = (": not a Parquet file", ": not a zip archive, or a broken one")
TEXTS = [name for name, sample in SAMPLES.items() if sample.is_text()]
"""Readers of files of text; the others have marks and checksums of their own."""


def words_of(folder: Path, name: str, content: bytes, ending: str = "") -> list[list[str]]:
    """The words of all documents of a file in a reader's format."""
    path = folder / f"a{FIRST[name]}{ending}"
    path.write_bytes(content)
    return [[document.surface(place) for place in range(len(document.words))] for document in read(path)]


def refusal(folder: Path, name: str, content: bytes, ending: str = "") -> str:
    """What is wrong with a file, which is named first."""
    with pytest.raises(InputError) as caught:
        words_of(folder, name, content, ending)
    path = str(folder / f"a{FIRST[name]}{ending}")
    assert str(caught.value).startswith(path)
    return str(caught.value).removeprefix(path)


def test_every_reader_is_here() -> None:
    assert set(SAMPLES) == set(SUFFIXES.values())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_good_file_is_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix.upper()}"
    path.write_bytes(SAMPLES[SUFFIXES[suffix]].write("dog"))
    words = [document.surface(place) for document in read(path) for place in range(len(document.words))]
    assert "dog" in words and len(words) >= 3


@pytest.mark.parametrize("name", SAMPLES)
def test_an_empty_file(name: str, tmp_path: Path) -> None:
    said = refusal(tmp_path, name, b"")
    assert said.startswith((": empty: no document with a word in it", *UNREADABLE))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_broken_line_is_named(name: str, tmp_path: Path) -> None:
    content, line = SAMPLES[name].broken
    assert refusal(tmp_path, name, content).startswith(f":{line}: " if line else UNREADABLE)


@pytest.mark.parametrize("name", TEXTS)
def test_another_encoding_is_named_with_its_line(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    content = sample.write("chaîne").decode()
    latin = refusal(tmp_path, name, content.encode("latin-1"))
    assert re.match(rf":{sample.line}: byte 0xee at position \d+ is not UTF-8; save the file as UTF-8", latin)
    assert refusal(tmp_path, name, content.encode("utf-16")).startswith(":1: a zero byte: ")


@pytest.mark.parametrize("name", TEXTS)
def test_what_editors_and_systems_add_changes_nothing(name: str, tmp_path: Path) -> None:
    """A byte order mark, the line ends of Windows, no end of the last line, empty lines behind it."""
    content = SAMPLES[name].write("dog")
    expected = words_of(tmp_path, name, content)
    for changed in (
        codecs.BOM_UTF8 + content,
        content.replace(b"\n", b"\r\n"),
        content.removesuffix(b"\n"),
        content + b"\n\n",
    ):
        assert words_of(tmp_path, name, changed) == expected


@pytest.mark.parametrize("name", TEXTS)
def test_compressed_files_are_read(name: str, tmp_path: Path) -> None:
    content = SAMPLES[name].write("dog")
    expected = words_of(tmp_path, name, content)
    for ending, compress in {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}.items():
        packed = compress(content)
        assert words_of(tmp_path, name, packed, ending) == expected
        said = refusal(tmp_path, name, packed[:-9], ending)
        assert re.match(r":\d+: the file cannot be read further: ", said)


@pytest.mark.parametrize("name", TEXTS)
def test_a_very_long_line(name: str, tmp_path: Path) -> None:
    """Longer than what CSV readers and pipes take by default."""
    word = "w" * 300_000
    assert any(word in words for words in words_of(tmp_path, name, SAMPLES[name].write(word)))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_truncated_file_is_read_or_refused_with_its_place(name: str, tmp_path: Path) -> None:
    sample: Sample = SAMPLES[name]
    content, ends = sample.write("chaîne"), set()
    for length in range(0, len(content), 1 + len(content) // 300):
        path = tmp_path / f"a{FIRST[name]}"
        path.write_bytes(content[:length])
        try:
            ends.add(bool([document.words for document in read(path)]))
        except InputError as problem:
            assert re.match(rf"{re.escape(str(path))}(:\d+)?: ", str(problem)), problem
            ends.add("refused")
    assert "refused" in ends and (True in ends) == sample.is_text()
