"""Files of word vectors: what is read, and what is refused with its line."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError, OptionError
from headscope.probes.vectors import PACKAGE, digest_vectors, find_vectors, read_vectors

TEXT = "the 0.1 0.2 0.3\nship -1 0 2.5\nold 1e-3 4 5\n"


def written(folder: Path, text: str, name: str = "vectors.txt") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_wanted_words_alone_are_kept(tmp_path: Path) -> None:
    found = read_vectors(written(tmp_path, TEXT), {"ship", "old", "lamp"})
    assert found.table.tolist() == [[0, 0, 0], [-1, 0, 2.5], [pytest.approx(1e-3), 4, 5]]
    assert found.rows(["old", "lamp", "ship", "the"]).tolist() == [2, 0, 1, 0]
    assert found.coverage({"ship": 2, "lamp": 1, "the": 1}) == 0.5


def test_compressed_files_and_a_first_line_with_counts(tmp_path: Path) -> None:
    plain = read_vectors(written(tmp_path, TEXT), {"ship"})
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(TEXT.encode()))
    counted = written(tmp_path, "3 3\n" + TEXT, "counted.vec")
    for path in (tmp_path / "a.txt.gz", tmp_path / "a.txt.xz", counted):
        np.testing.assert_array_equal(read_vectors(path, {"ship"}).table, plain.table)


def test_words_with_spaces_trailing_spaces_and_doubles(tmp_path: Path) -> None:
    text = "a 1 2 \n. . . 3 4\na 5 6\n"
    found = read_vectors(written(tmp_path, text), {"a", ". . ."})
    assert found.table[1:].tolist() == [[1, 2], [3, 4]] and dict(found.index) == {"a": 1, ". . .": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the 1 2\nship 1\n", r"vectors.txt:2: 1 numbers after the word, 2 expected as in the first line"),
        ("the 1 2\nship 1 x\n", r"vectors.txt:2: not all of the vector are numbers"),
        ("the 1 2\nship 1 nan\n", r"vectors.txt:2: the vector holds a number that is not finite"),
        ("the\n", r"vectors.txt:1: no numbers after the word"),
        ("", r"vectors.txt: empty"),
    ],
)
def test_what_is_no_vector_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_vectors(written(tmp_path, text), {"the", "ship"})


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"--vectors .*nothing.txt: no such file"):
        find_vectors(tmp_path / "nothing.txt")


def test_the_package_is_found_where_it_is_installed() -> None:
    pytest.importorskip(PACKAGE)
    place = find_vectors(None)
    assert place is not None and len(digest_vectors(place)) == 64
    found = read_vectors(place, {"the", "ship", "not-a-word-at-all"})
    assert set(found.index) == {"the", "ship"} and found.table.shape == (3, 50)
    assert not found.table[0].any() and found.table[1:].any(1).all()
