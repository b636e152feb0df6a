"""Cutting a corpus into shards by a rule that knows nothing of workers: documents in order, until a shard
holds enough characters. Documents never cross shards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from headscope.text import Document

CHARACTERS = 60_000
"""A shard is full when it holds this many: some 120 segments of 128 pieces, a second or two of work."""


@dataclass(frozen=True)
class Shard:
    """A numbered run of documents."""

    number: int
    documents: list[Document]


@dataclass(frozen=True)
class Shards:
    """The shards of some documents, one at a time; as often as the documents can be read."""

    documents: Iterable[Document]
    characters: int

    def __iter__(self) -> Iterator[Shard]:
        number, held, size = 0, [], 0
        for document in self.documents:
            held.append(document)
            size += len(document.text)
            if size >= self.characters:
                yield Shard(number, held)
                number, held, size = number + 1, [], 0
        if held:
            yield Shard(number, held)


def shards(documents: Iterable[Document], characters: int = CHARACTERS) -> Shards:
    """Cut a corpus."""
    return Shards(documents, characters)
