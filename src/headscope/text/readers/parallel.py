"""Parallel text: two files whose lines are translations of each other.

`parallel:train.de.gz,train.en.gz` names the file of the sources, then that of the targets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from headscope.errors import InputError
from headscope.text.checksums import digest_derived, digest_file
from headscope.text.corpus import Corpus
from headscope.text.documents import Document
from headscope.text.lines import Place, read_lines
from headscope.text.noticing import Broken, Item

PREFIX = "parallel:"


def spelled(source: str | Path, target: str | Path) -> str:
    """Two files as one name, which `headscope.text.read` takes.

    >>> spelled("a.de", "a.en")
    'parallel:a.de,a.en'
    """
    return f"{PREFIX}{source},{target}"


def read_parallel(source: str) -> Corpus:
    """Open lines with their translations, one document each; its id is the name and number of its line."""
    names = source.removeprefix(PREFIX).split(",")
    if len(names) != 2 or not all(names):
        raise Place(source).error(f"two files are expected: {PREFIX}SOURCE,TARGET")
    first, second = (Path(name).expanduser() for name in names)
    for file in (first, second):
        if not file.is_file():
            raise Place(file).error("no such file" if not file.exists() else "a folder; a file is expected")
    name = f"{first.name} to {second.name}"
    return Corpus(
        name,
        source,
        lambda: _lines(first, second),
        lambda: digest_derived(digest_file(first), digest_file(second)),
    )


def _lines(first: Path, second: Path) -> Iterator[Item]:
    for number, (text, target) in enumerate(zip_longest(read_lines(first), read_lines(second)), start=1):
        if text is None or target is None:
            short, long = (first, second) if text is None else (second, first)
            raise Place(short, number).error(
                f"the file ends before this line, and {long} goes on; every line needs its translation, so "
                "both must have as many lines"
            )
        yield _document(first, second, number, text.strip(), target.strip())


def _document(first: Path, second: Path, number: int, text: str, target: str) -> Item:
    id = f"{first.name}:{number}"
    for own, line, other in ((first, text, second), (second, target, first)):
        if not line:
            return Broken(
                id, Place(own, number).error(f"an empty line; line {number} of {other} has no other side")
            )
    try:
        return Document.from_text(id, text, target)
    except InputError as error:
        return Broken(id, error)
