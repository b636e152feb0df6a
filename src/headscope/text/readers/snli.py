"""SNLI (Bowman et al. 2015) as it is handed on: rows with numbers for labels, or three parallel files.

`snli:PATH/train.csv` is a table of label, label again, premise and hypothesis, parted by tabs, without a
header; `snli:PATH/dev` stands for the line-parallel files s1.dev, s2.dev and labels.dev beside each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from headscope.errors import InputError
from headscope.text.checksums import digest_file, digest_folder
from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.lines import Place, read_lines
from headscope.text.noticing import Broken, Item, Remark
from headscope.text.words import split_words

PREFIX = "snli:"
LABELS = {"1": "neutral", "2": "contradiction", "3": "entailment"}
"""What the numbers of the table stand for."""

_UNDECIDED = "-"
_PARTS = ("s1", "s2", "labels")


def read_snli(source: str) -> Corpus:
    """Open pairs of premise and hypothesis with their label; those without a gold label are left out."""
    path = Path(source.removeprefix(PREFIX)).expanduser()
    if path.is_file():
        return Corpus(path.name, source, lambda: _rows(path), lambda: digest_file(path))
    if not path.name:
        raise Place(source).error(f"no file is named; {PREFIX}PATH/train.csv or {PREFIX}PATH/dev is expected")
    files = [path.with_name(f"{part}.{path.name}") for part in _PARTS]
    for file in files:
        if not file.is_file():
            wanted = f"a table {path.name}, or {', '.join(file.name for file in files)} beside each other"
            raise Place(file).error(f"no such file; {wanted} is expected")
    name = f"SNLI {path.name}"
    return Corpus(name, source, lambda: _lines(files), lambda: digest_folder(path.parent, files))


def _rows(path: Path) -> Iterator[Item]:
    yield Remark("columns are label, label, premise, hypothesis")
    for number, line in enumerate(read_lines(path), start=1):
        place, fields = Place(path, number), line.split("\t")
        id = f"{path.name}:{number}"
        if len(fields) != 4:
            problem = f"{len(fields)} fields parted by tabs, 4 expected: label, label, premise, hypothesis"
            yield Broken(id, place.error(problem))
        elif fields[0] != fields[1] or fields[0] not in LABELS:
            problem = (
                f"labels '{fields[0]}' and '{fields[1]}'; twice the same of {', '.join(LABELS)} expected"
            )
            yield Broken(id, place.error(problem))
        else:
            yield _pair(id, place, fields[2], fields[3], LABELS[fields[0]])


def _lines(files: Iterable[Path]) -> Iterator[Item]:
    first, second, labels = files
    lines = zip_longest(read_lines(first), read_lines(second), read_lines(labels))
    left_out = 0
    for number, (premise, hypothesis, label) in enumerate(lines, start=1):
        if premise is None or hypothesis is None or label is None:
            short = first if premise is None else second if hypothesis is None else labels
            raise Place(short, number).error("the file ends here, and the files beside it go on")
        if label.strip() == _UNDECIDED:
            left_out += 1
        elif label.strip() not in LABELS.values():
            known = ", ".join(LABELS.values())
            problem = f"'{label.strip()}' is no label; {known} or {_UNDECIDED} is expected"
            yield Broken(f"{first.name}:{number}", Place(labels, number).error(problem))
        else:
            yield _pair(f"{first.name}:{number}", Place(first, number), premise, hypothesis, label.strip())
    if left_out:
        yield Remark(f"{left_out:,} pairs without a gold label are left out")


def _pair(id: str, place: Place, premise: str, hypothesis: str, label: str) -> Item:
    if not split_words(hypothesis):
        return Broken(id, place.error("the hypothesis is empty"))
    try:
        return Document(
            id, premise.strip(), split_words(premise.strip()), label=label, second=hypothesis.strip()
        )
    except InputError as error:
        return Broken(id, error)
