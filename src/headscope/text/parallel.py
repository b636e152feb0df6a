"""Parallel text: pairs of a source and its target, as documents of a corpus.

A pair is a `Document`: its text and words are the source's, `Document.target` is the target. White space
parts words, as in text that is split already, and then single spaces part them in the document; or they are
`found` by `split_words` in text as it was written.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from headscope.errors import InputError
from headscope.text.checksums import digest_derived, digest_file
from headscope.text.corpus import Corpus
from headscope.text.documents import Document, join_words
from headscope.text.lines import Place, read_lines, text_suffix
from headscope.text.links import LinkFile
from headscope.text.noticing import Broken, Item, Remark
from headscope.text.readers import READERS
from headscope.text.readers.columns import Columns
from headscope.text.words import Span, split_words

BETWEEN = "|||"
_BLANKS = re.compile(r"[ \t\r\n]+")
_TABLES = {".csv": ",", ".tsv": "\t"}
_ROWS = (*_TABLES, ".json", ".jsonl", ".ndjson", ".parquet")
_Pair = tuple[str, Place, str, str]
_Given = _Pair | Document | Broken | Remark


def read_parallel(
    source: Any,
    target: str | PathLike[str] | None = None,
    *,
    gold: LinkFile | None = None,
    found: bool = False,
    limit: int | None = None,
    skip_broken: bool = False,
) -> Corpus:
    """Open parallel text; all that is wrong with it is told with its file and line.

    source: a file of lines, whose `target` is another file with as many; or, without one, a file of
    `source ||| target` lines, a table (.csv, .tsv) of two columns or with columns called source and target,
    JSON lines or Parquet with these; or a list of pairs. Each may be compressed. gold: links of each pair.

    >>> (pair,) = read_parallel([("ein Hund", "a dog")])
    >>> pair.surfaces(), target_words(pair, found=False)
    (('ein', 'Hund'), ('a', 'dog'))
    """
    pairs = _opened(source, target)
    if gold is not None:
        pairs.check_gold(gold)
    making = _Making(pairs, gold, found)
    corpus = Corpus(pairs.name, pairs.source, making.stream, making.digest, skip_broken=skip_broken)
    if next(iter(corpus), None) is None:
        raise Place(pairs.source).error("empty: no pair with words on both sides")
    return corpus if limit is None else corpus.limited(limit)


def pairs_of_files(source: Path, target: Path) -> tuple[Callable[[], Iterator[Item]], Callable[[], str]]:
    """What a corpus of two files is made of: its documents, of text as it was written, and their checksum."""
    making = _Making(_opened(source, target), None, found=True)
    return making.stream, making.digest


def words_in(text: str, found: bool) -> tuple[Span, ...]:
    """The words of one side, as character spans: parted by blanks, or found by `split_words`.

    >>> words_in("so, no", found=False), words_in("so, no", found=True)
    (((0, 3), (4, 6)), ((0, 2), (2, 3), (4, 6)))
    """
    if found:
        return split_words(text)
    words = _parted(text)
    return join_words(words, [" "] * len(words))[1] if text == " ".join(words) else _spans(text, words)


def target_words(document: Document, found: bool) -> tuple[str, ...]:
    """The words of a pair's target."""
    target = document.target or ""
    return tuple(target[start:end] for start, end in words_in(target, found))


def turned(document: Document, found: bool) -> Document:
    """The pair with source and target exchanged."""
    assert document.target is not None
    words = words_in(document.target, found)
    links = tuple(links.turned() for links in document.links)
    return Document(document.id, document.target, words, document.text, links=links)


def _parted(text: str) -> list[str]:
    """The words between plain blanks, as gold links count them: other spaces belong to words.

    >>> _parted("a\\u00a0: b")
    ['a\\xa0:', 'b']
    """
    return [word for word in _BLANKS.split(text) if word]


def _spans(text: str, words: Sequence[str]) -> tuple[Span, ...]:
    spans, end = [], 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return tuple(spans)


@dataclass(frozen=True)
class _Pairs:
    """Where pairs come from: the texts of each, told by whom, and how many there are where that is known."""

    name: str
    source: str
    files: tuple[Path, ...] = ()
    told: Sequence[Any] = ()

    def __iter__(self) -> Iterator[_Given]:
        if not self.files:
            return _in_memory(self.told)
        if len(self.files) == 2:
            return _side_by_side(*self.files)
        return (_from_table if text_suffix(self.files[0]) in _ROWS else _from_lines)(self.files[0])

    def check_gold(self, gold: LinkFile) -> None:
        """Refuse links of more or fewer pairs than there are."""
        pairs = sum(not isinstance(item, Remark) for item in self)
        if pairs != len(gold):
            raise Place(gold.path).error(
                f"{len(gold):,} lines of links, but {self.source} has {pairs:,} pairs; each needs one line"
            )


@dataclass(frozen=True)
class _Making:
    """Makes documents of pairs."""

    pairs: _Pairs
    gold: LinkFile | None
    found: bool

    def stream(self) -> Iterator[Item]:
        if self.gold is not None:
            yield Remark(f"{self.gold.path.name}: {self.gold.remark}")
        line = 0
        for item in self.pairs:
            yield self._document(*item, line) if isinstance(item, tuple) else item
            line += not isinstance(item, Remark)

    def _document(self, id: str, place: Place, source: str, target: str, line: int) -> Document | Broken:
        try:
            texts = {"source": source, "target": target}
            for side, text in texts.items():
                if not words_in(text, self.found):
                    raise place.error(f"the {side} is empty; every pair needs words on both sides")
            if not self.found:
                source, target = (" ".join(_parted(text)) for text in (source, target))
            document = Document(id, source, words_in(source, self.found), target)
            if self.gold is None:
                return document
            links = self.gold.links(line, len(document.words), len(words_in(target, self.found)))
            return replace(document, links=(links,))
        except InputError as error:
            return Broken(id, error)

    def digest(self) -> str:
        paths = [*self.pairs.files, *([] if self.gold is None else [self.gold.path])]
        told = [digest_file(path) for path in paths] if self.pairs.files else [repr(list(self.pairs.told))]
        first, *others = [*told, *(["found"] if self.found else [])]
        return digest_derived(first, " ".join(others)) if others or not self.pairs.files else first


def _opened(source: Any, target: Any) -> _Pairs:
    if isinstance(source, (list, tuple)) and target is None:
        return _Pairs("memory", "memory", told=source)
    if not isinstance(source, (str, PathLike)):
        expected = "a path, with the path of the target, or a list of pairs"
        raise InputError(f"no pairs can be read from {type(source).__name__}; {expected} is expected")
    files = tuple(Path(path) for path in (source, target) if path is not None)
    for path in files:
        if not path.is_file():
            problem = "a folder, where a file is expected" if path.exists() else "no such file"
            raise Place(path).error(problem)
    if len(files) == 2:
        _refuse_unequal(*files)
    return _Pairs(files[0].name, str(files[0]), files)


def _refuse_unequal(*files: Path) -> None:
    sizes = [sum(1 for _ in read_lines(path)) for path in files]
    if len(set(sizes)) > 1:
        source, target = (
            f"{path} has {size:,} line{'s' * (size != 1)}" for path, size in zip(files, sizes, strict=True)
        )
        raise InputError(f"{source}, but {target}; each line needs its translation in the other file")


def _side_by_side(*files: Path) -> Iterator[_Pair]:
    lines = zip(*(read_lines(path) for path in files), strict=True)
    for number, (source, target) in enumerate(lines, start=1):
        place = Place(files[0] if not source.strip() else files[1], number)
        yield f"{files[0].name}:{number}", place, source, target


def _from_lines(path: Path) -> Iterator[_Pair | Broken]:
    for number, line in enumerate(read_lines(path), start=1):
        id, place, sides = f"{path.name}:{number}", Place(path, number), line.split(BETWEEN)
        if len(sides) == 2:
            yield id, place, sides[0], sides[1]
        else:
            expected = f"'source {BETWEEN} target' is expected; a file of the target is given by --target"
            problem = "the line is empty" if not line.strip() else f"{len(sides) - 1} times '{BETWEEN}'"
            yield Broken(id, place.error(f"{problem}; {expected}"))


def _from_table(path: Path) -> Iterator[_Given]:
    """As every table, it may have rows without a text, which are left out and named."""
    for item in READERS[text_suffix(path)](path, path.name, _columns(path)):
        if isinstance(item, Document) and item.words:
            line = item.id.rpartition(":")[2]
            place = Place(path, int(line) if line.isdigit() else None)
            yield item.id, place, item.text, item.target or ""
        else:
            yield item


def _columns(path: Path) -> Columns:
    """The columns called source and target, or those of a table that has two."""
    named = Columns("source", "target")
    between = _TABLES.get(text_suffix(path))
    if between is None:
        return named
    header = next(csv.reader([next(read_lines(path), "")], delimiter=between), [])
    is_named = {"source", "target"} <= set(header)
    return Columns(header[0], header[1]) if len(header) == 2 and not is_named else named


def _in_memory(pairs: Iterable[Any]) -> Iterator[_Pair | Broken]:
    for number, pair in enumerate(pairs):
        id, place = f"#{number}", Place("memory")
        if isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(side, str) for side in pair):
            yield id, place, *pair
        else:
            yield Broken(id, place.error(f"pair {id} is {str(pair)[:60]}; (source, target) is expected"))
