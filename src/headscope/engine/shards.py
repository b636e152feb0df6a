"""Cutting a corpus into shards by a rule that knows nothing of workers: documents in order, until a shard
holds enough characters. Documents never cross shards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headscope.text import Document  # the options of questions read the numbers below, without numpy

CHARACTERS = 60_000
"""A shard is full when it holds this many: some 120 segments of 128 pieces, a second or two of work."""

OF_EXAMPLES = 12_000
"""A shard of labelled examples: each is scored hundreds of times, so a shard holds few."""


@dataclass(frozen=True)
class Shard:
    """A numbered run of documents."""

    number: int
    documents: list[Document]


def shards(documents: Iterable[Document], characters: int) -> Iterator[Shard]:
    """Cut a corpus, one shard at a time; characters: how many fill one."""
    number, held, size = 0, [], 0
    for document in documents:
        held.append(document)
        size += len(document.text)
        if size >= characters:
            yield Shard(number, held)
            number, held, size = number + 1, [], 0
    if held:
        yield Shard(number, held)
