"""Labelled sentences that name their part of the data, one per line: SentEval's probing tasks.

The fields are parted by tabs: `tr`, `va` or `te` (to train on, to tune, to score), the label, and last the
sentence, whose words are parted by spaces (Conneau et al. 2018).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.lines import Place, read_lines
from headscope.text.noticing import Broken, Item

SPLITS = ("tr", "va", "te")
_FEWEST = 3
_FORM = "the fields tr, va or te, label and sentence are expected, parted by tabs"


def read_split_lines(path: Path, label: str) -> Iterator[Item]:
    """Yield one document per line that is not blank; between label and sentence may stand other fields."""
    for number, line in enumerate(read_lines(path), start=1):
        if line.strip():
            id = f"{label}:{number}"
            try:
                yield _document(id, line, Place(path, number))
            except InputError as error:
                yield Broken(id, error)


def some_of_each(documents: Iterable[Document], limit: int) -> Iterator[Document]:
    """So many documents of each part, evenly spread over it: files are often sorted by label."""
    counts, seen = Counter(document.split for document in documents), Counter[str | None]()
    for document in documents:
        most, place = max(limit, counts[document.split]), seen[document.split]
        seen[document.split] += 1
        if place * limit % most < limit:
            yield document


def _document(id: str, line: str, place: Place) -> Document:
    fields = line.split("\t")
    if len(fields) < _FEWEST:
        raise place.error(f"{len(fields)} fields; {_FORM}")
    split, label, sentence = fields[0].strip(), fields[1].strip(), fields[-1]
    if split not in SPLITS:
        raise place.error(f"'{split[:60]}' is no part of the data; {_FORM}")
    if not label:
        raise place.error(f"the label is empty; {_FORM}")
    return replace(Document.from_words(id, sentence.split()), label=label, split=split)
