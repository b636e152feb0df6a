"""Parallel text: two files whose lines are translations of each other.

`parallel:train.de.gz,train.en.gz` names the file of the sources, then that of the targets.
"""

from __future__ import annotations

from pathlib import Path

from headscope.text.corpus import Corpus
from headscope.text.lines import Place

PREFIX = "parallel:"


def spelled(source: str | Path, target: str | Path) -> str:
    """Two files as one name, which `headscope.text.read` takes.

    >>> spelled("a.de", "a.en")
    'parallel:a.de,a.en'
    """
    return f"{PREFIX}{source},{target}"


def open_parallel(source: str) -> Corpus:
    """Open lines with their translations, one document each; its id is the name and number of its line."""
    from headscope.text.parallel import pairs_of_files  # which reads tables too, and so needs all readers

    names = source.removeprefix(PREFIX).split(",")
    if len(names) != 2 or not all(names):
        raise Place(source).error(f"two files are expected: {PREFIX}SOURCE,TARGET")
    first, second = (Path(name).expanduser() for name in names)
    stream, digest = pairs_of_files(first, second)
    return Corpus(f"{first.name} to {second.name}", source, stream, digest)
