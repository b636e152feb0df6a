"""Annotation layers: what is known about the words of a document beyond their characters.

A layer points at words by their index in the document. Its sentence numbers are those of the document, also
after a part has been cut out of it.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from headscope.errors import InputError

ROOT = -1  # the head of a word that depends on no other
OUTSIDE = -2  # the head of a word whose head was cut away


@dataclass(frozen=True, eq=False)
class Dependencies:
    """A dependency tree over each sentence of a document.

    Shapes: heads and sentences are (word,), and relations, tags, upos and feats hold one text per word. A
    head is the index of a word, `ROOT` or `OUTSIDE`; a tag is "" where the source gives none, and feats
    are left out where it knows no morphology.

    >>> heads, sentences = np.array([1, -1]), np.array([0, 0])
    >>> tree = Dependencies(heads, ("det", "root"), sentences, tags=("DT", "NN"), upos=("DET", "NOUN"))
    >>> tree.window(0, 1).heads
    array([-2])
    """

    heads: np.ndarray
    relations: tuple[str, ...]
    sentences: np.ndarray
    tags: tuple[str, ...]  # of the language
    upos: tuple[str, ...]  # universal
    feats: tuple[str, ...] = ()  # morphology, such as Number=Sing|Tense=Past

    def __post_init__(self) -> None:
        sizes = {name: len(getattr(self, name)) for name in ("relations", "sentences", "tags", "upos")}
        sizes |= {"feats": len(self.feats)} if self.feats else {}
        for name, size in sizes.items():
            if size != len(self.heads):
                raise InputError(f"dependencies: {len(self.heads)} heads, but {size} {name}")
        if len(self.heads) and (self.heads.min() < OUTSIDE or self.heads.max() >= len(self.heads)):
            raise InputError(f"dependencies: a head is none of the {len(self.heads)} words")
        check_sentences(self.sentences)

    def __len__(self) -> int:
        return len(self.heads)

    def window(self, start: int, stop: int) -> Dependencies:
        """The layer of the words from start to stop; a head that is not among them becomes `OUTSIDE`."""
        heads = self.heads[start:stop]
        inside = (heads >= start) & (heads < stop)
        return Dependencies(
            np.where(inside, heads - start, np.where(heads == ROOT, ROOT, OUTSIDE)),
            self.relations[start:stop],
            self.sentences[start:stop],
            self.tags[start:stop],
            self.upos[start:stop],
            self.feats[start:stop],
        )


@dataclass(frozen=True, eq=False)
class Distributions:
    """For each word of a document, how much it should look at others, as the source says.

    Shapes: query, key and share are (entry,), in the order of queries; shares of a word sum to 1, and a word
    without any entry says nothing. size: how many words there are.

    >>> layer = Distributions(np.array([0, 0, 2]), np.array([1, 2, 1]), np.array([0.5, 0.5, 1.0]), size=3)
    >>> layer.window(1, 3).key.tolist()  # the first word is cut away, and with it what it says
    [0]
    """

    query: np.ndarray
    key: np.ndarray
    share: np.ndarray
    size: int

    def __len__(self) -> int:
        return self.size

    def window(self, start: int, stop: int) -> Distributions:
        """Those of the words from start to stop; a word that looks beyond them says nothing."""
        inside = (self.key >= start) & (self.key < stop)
        whole = np.bincount(self.query[~inside], minlength=self.size) == 0
        kept = (self.query >= start) & (self.query < stop) & whole[self.query]
        return Distributions(self.query[kept] - start, self.key[kept] - start, self.share[kept], stop - start)


@dataclass(frozen=True)
class Mention:
    """The words from start to end (exclusive) that name an entity; ``head`` is the main one, where known."""

    start: int
    end: int
    entity: str
    head: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end or not (self.head is None or self.start <= self.head < self.end):
            raise InputError(f"a mention needs words, and its head must be one of them: {self}")


@dataclass(frozen=True, eq=False)
class Coreference:
    """Which words name the same entity: mentions in the order of their starts, longer ones first.

    Shapes: sentences is (word,), and tags holds one text per word, "" where the source gives none.

    >>> she, her = Mention(0, 1, "7", 0), Mention(2, 4, "7", 2)
    >>> layer = Coreference((she, her), sentences=np.array([0, 0, 1, 1]), tags=("PRP", "VBZ", "PRP$", "NN"))
    >>> layer.window(2, 4).mentions
    (Mention(start=0, end=2, entity='7', head=0),)
    """

    mentions: tuple[Mention, ...]
    sentences: np.ndarray
    tags: tuple[str, ...]

    def __post_init__(self) -> None:
        size = len(self.sentences)
        if len(self.tags) != size:
            raise InputError(f"coreference: {size} sentences, but {len(self.tags)} tags")
        if any(mention.end > size for mention in self.mentions):
            raise InputError(f"coreference: a mention leaves the {size} words")
        if list(self.mentions) != sorted(self.mentions, key=reading_order):
            raise InputError("coreference: mentions must be in the order of their starts, longer ones first")
        check_sentences(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def window(self, start: int, stop: int) -> Coreference:
        """The layer of the words from start to stop; a mention that is partly outside is dropped."""
        first, last = (
            bisect_left(self.mentions, edge, key=lambda mention: mention.start) for edge in (start, stop)
        )
        kept = tuple(_moved(mention, start) for mention in self.mentions[first:last] if mention.end <= stop)
        return Coreference(kept, self.sentences[start:stop], self.tags[start:stop])


def reading_order(mention: Mention) -> tuple[int, int]:
    """The key that sorts mentions by their starts, longer ones first."""
    return mention.start, -mention.end


def _moved(mention: Mention, start: int) -> Mention:
    head = None if mention.head is None else mention.head - start
    return Mention(mention.start - start, mention.end - start, mention.entity, head)


def check_sentences(sentences: np.ndarray) -> None:
    """Refuse numbers (word,) that cannot be those of sentences one after the other."""
    if (np.diff(sentences, prepend=0) < 0).any():
        raise InputError("the sentence numbers of a layer begin at 0 or above and never run backwards")
