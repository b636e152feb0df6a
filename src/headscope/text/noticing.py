"""What a reader gives beside documents, and what reading a corpus shows, for the notes of a result."""

from __future__ import annotations

from dataclasses import dataclass, field

from headscope.errors import InputError
from headscope.text.documents import Document

SHOWN = 3
"""So many documents are named; of the others it is told how many they are."""

LONG_SENTENCE = 200
"""Words of a sentence that is hardly one; its file may part none."""


@dataclass(frozen=True)
class Broken:
    """A document that contradicts itself or its format; the error says where and why."""

    id: str
    error: InputError


@dataclass(frozen=True)
class Remark:
    """What a reader decided for the user."""

    text: str


Item = Document | Broken | Remark
"""What readers give, in the order of the source."""


@dataclass
class Named:
    """How many there are, and the first few by name.

    >>> some = Named()
    >>> for name in "abcd":
    ...     some.add(name)
    >>> some.count, str(some)
    (4, 'a, b, c, ...')
    """

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(name)

    def __str__(self) -> str:
        return ", ".join([*self.first, *(["..."] if self.count > len(self.first) else [])])


class Noticed:
    """What one pass over a corpus has shown so far."""

    def __init__(self) -> None:
        self.items = 0
        self.broken, self.empty, self.unparted = Named(), Named(), Named()
        self._remarks: dict[str, None] = {}

    def take(self, item: Item) -> Document | None:
        """The document to go on with, if it is one that has words."""
        self.items += 1
        if isinstance(item, Remark):
            self._remarks[item.text] = None
        elif isinstance(item, Broken):
            self.broken.add(f"'{item.id}' ({item.error})")
        elif not item.words:
            self.empty.add(item.id)
        else:
            if is_unparted(item):
                self.unparted.add(item.id)
            return item
        return None

    def notes(self) -> list[str]:
        """Sentences for the reader of a result."""
        notes = list(self._remarks)
        if self.broken.count:
            notes.append(f"{_counted(self.broken)} broken and left out: {self.broken}")
        if self.empty.count:
            notes.append(f"{_counted(self.empty)} left out, as the text has no word: {self.empty}")
        if self.unparted.count:
            notes.append(
                f"no sentence breaks within {self.unparted.count:,} of the documents, each of which is taken "
                f"as one sentence: {self.unparted}"
            )
        return notes


def is_unparted(document: Document) -> bool:
    """Whether the words are one sentence though they should be several: those of mentions, or very many."""
    layers = (document.dependencies, document.coreference, document.edges)
    layer = next((layer for layer in layers if layer is not None), None)
    if layer is None:
        return document.tags is not None and len(document.words) > LONG_SENTENCE
    is_long = layer is document.coreference or len(document.words) > LONG_SENTENCE
    return bool(layer.sentences[0] == layer.sentences[-1]) and is_long


def _counted(some: Named) -> str:
    return f"{some.count:,} document is" if some.count == 1 else f"{some.count:,} documents are"
