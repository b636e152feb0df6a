"""The scored words of all texts as arrays: what they receive, whether they are of keywords, how frequent.

Scored are words that are no punctuation and have a piece. Attention is read in four ways: its `sum` over the
words that look, their `mean`, the largest (`max`), and SAMRank's score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from headscope.blocks import block_of, number_of
from headscope.engine.gathering import Gathered
from headscope.questions.keywords.hearing import KEPT
from headscope.tallies import Rows, Tally
from headscope.tallies.hidden import HiddenTally
from headscope.text import Document
from headscope.text.keyphrases import is_punctuation, marked

SUM, MEAN, MAX, SAMRANK = "sum", "mean", "max", "samrank"
READINGS = (SUM, MEAN, MAX, SAMRANK)
_LEAST = {SUM: 1e-3, MEAN: 1e-5, MAX: 1e-4, SAMRANK: 1e-3}
"""What is added before a logarithm is taken: less than a word of no interest receives."""


@dataclass
class Words:
    """All scored words, document after document, (word,) each but where said.

    document: its place among `texts`. position: of the word in it. surface: in lower case. key: whether it is
    of a keyword. seen: (word, 3) how many words look at it: all of its window, it and later ones, it and
    earlier ones. received: (word, kept, head) in 16 bits. hidden: (word, layer, dim), or None. way: (head,)
    the column of `seen` that holds for it. part: (document,). block: (document,). frequency: (word, 3) how
    often a word stands in its document, in all texts, and in how many documents.
    """

    texts: list[Document]
    part: np.ndarray
    way: np.ndarray
    document: np.ndarray
    position: np.ndarray
    surface: list[str]
    key: np.ndarray
    seen: np.ndarray
    received: np.ndarray
    hidden: np.ndarray | None = None
    frequency: np.ndarray | None = None
    block: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.block = np.array([block_of(text.id) for text in self.texts], np.int64)
        if self.frequency is None:
            self.frequency = frequencies(self.document, self.surface)

    @property
    def heads(self) -> int:
        return int(self.received.shape[2])

    def reading(self, name: str, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """What words receive in one reading, (word, head) float32."""
        kept = KEPT.index(SUM if name == MEAN else name)
        values = self.received[rows, kept].astype(np.float32)
        values = values / self.seen[rows][:, self.way] if name == MEAN else values
        return np.asarray(values)

    def logs(self, name: str, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """The logarithm of a reading, which regressions and tests take: (word, head)."""
        logs: np.ndarray = np.log(self.reading(name, rows) + np.float32(_LEAST[name]))
        return logs

    def within(self, *parts: int) -> np.ndarray:
        """The words of some parts of the documents, (word,) bool."""
        inside: np.ndarray = np.isin(self.part, parts)[self.document]
        return inside

    def kept(self, rows: np.ndarray) -> Words:
        """Only some words, (word,) bool; documents and frequencies stay those of all texts."""
        return Words(
            self.texts,
            self.part,
            self.way,
            self.document[rows],
            self.position[rows],
            [word for word, is_kept in zip(self.surface, rows.tolist(), strict=True) if is_kept],
            self.key[rows],
            self.seen[rows],
            self.received[rows],
            None if self.hidden is None else self.hidden[rows],
            None if self.frequency is None else self.frequency[rows],
        )

    def frequencies(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(word,) each: how often a word stands in its document, in all, and in how many documents."""
        assert self.frequency is not None
        own, every, documents = self.frequency.T
        return own, every, documents


def frequencies(document: np.ndarray, surface: Sequence[str]) -> np.ndarray:
    """How often each word stands in its document, in all, and in how many documents, (word, 3)."""
    pairs = list(zip(document.tolist(), surface, strict=True))
    here, everywhere = Counter(pairs), Counter(surface)
    spread = Counter(word for _, word in set(pairs))
    rows = [(here[pair], everywhere[pair[1]], spread[pair[1]]) for pair in pairs]
    return np.array(rows, np.int64).reshape(-1, 3)


def assemble(gathered: Gathered, texts: Iterable[Document], part: dict[int, int], way: np.ndarray) -> Words:
    """Put the shards of a pass together, in the order of the documents."""
    documents = list(texts)
    places = {number_of(document.id): place for place, document in enumerate(documents)}
    counted = [~np.array([is_punctuation(word) for word in text.surfaces()], bool) for text in documents]
    held = [_Shard.of(done.tallies["received"], places, counted) for done in gathered]
    document, position, seen, received = (
        np.concatenate([getattr(shard, name) for shard in held])
        for name in ("document", "position", "seen", "received")
    )
    hidden = None if held[0].hidden is None else np.concatenate([shard.hidden for shard in held])
    # A word of more pieces than a window is in several; the first one counts.
    order = np.lexsort((position, document))
    is_first = np.diff(document[order] * (position.max() + 1) + position[order], prepend=-1) > 0
    order = order[is_first]
    document, position = document[order], position[order]
    surfaces = [[word.lower() for word in text.surfaces()] for text in documents]
    keys = [marked(text) for text in documents]
    pairs = list(zip(document.tolist(), position.tolist(), strict=True))
    return Words(
        documents,
        np.array([part[number_of(text.id)] for text in documents], np.int64),
        way,
        document,
        position,
        [surfaces[text][word] for text, word in pairs],
        np.array([keys[text][word] for text, word in pairs], bool),
        seen[order],
        received[order],
        None if hidden is None else hidden[order],
    )


@dataclass(frozen=True)
class _Shard:
    """The scored words of one shard, as `Words` names them."""

    document: np.ndarray
    position: np.ndarray
    seen: np.ndarray
    received: np.ndarray
    hidden: np.ndarray | None

    @classmethod
    def of(
        cls, tallies: Mapping[str, Tally], places: dict[int, int], counted: Sequence[np.ndarray]
    ) -> _Shard:
        heard, firsts, states = tallies["received"], tallies["places"], tallies.get("hidden")
        assert isinstance(heard, HiddenTally) and isinstance(firsts, Rows)
        content, starts = heard.result(), firsts.result()[:, 0].astype(np.int64)
        own = np.array([places[int(number)] for number in content.documents], np.int64)
        document = np.repeat(own, content.sizes)
        inside = np.arange(len(document)) - np.repeat(content.starts, content.sizes)
        position = np.repeat(starts, content.sizes) + inside
        is_counted = np.array(
            [counted[text][word] for text, word in zip(document.tolist(), position.tolist(), strict=True)],
            bool,
        )
        is_scored = is_counted & content.known
        window = np.repeat(np.arange(len(own)), content.sizes)
        rows = is_scored.nonzero()[0]
        assert states is None or isinstance(states, HiddenTally)
        return cls(
            document[rows],
            position[rows],
            _lookers(is_scored, window)[rows],
            content.vectors[rows][:, :, 0],
            None if states is None else states.result().vectors[rows][:, 0],
        )


def _lookers(looks: np.ndarray, window: np.ndarray) -> np.ndarray:
    """How many words look at each: all of its window, it and later ones, it and earlier ones, (word, 3)."""
    up_to = np.cumsum(looks)
    starts = np.flatnonzero(np.diff(window, prepend=-1))
    before = (up_to[starts] - looks[starts])[window]
    total = np.bincount(window, looks)[window]
    earlier = up_to - before
    return np.stack([total, total - earlier + looks, earlier], 1).astype(np.float32)
