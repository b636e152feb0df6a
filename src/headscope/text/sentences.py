"""Sentences of a running text: its lines, or what ends with a mark such as a period."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from headscope.text.documents import Document

Splitting = Literal["lines", "marks"]
"""What parts sentences: line breaks, or marks that end them."""

TOLD: dict[Splitting, str] = {
    "lines": "sentences are the lines of a text",
    "marks": "sentences end with a period, a question mark, an exclamation mark or an ellipsis, but not "
    "behind initials and common abbreviations",
}

SENTENCE_ENDS = frozenset(".!?。！？…؟۔।")
_SOLID = frozenset("。！？")
"""Marks of scripts that put no space behind a sentence."""

_CLOSING = frozenset("\"'”’»)]}」』）")
_OPENING = "\"'“‘„«([{「『（¿¡ "
_PAIRS = tuple(zip("([{“«「『（", ")]}”»」』）", strict=True))
_ABBREVIATED = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "etc", "inc", "fig", "approx", "dept")
)
_KEY = "sentences"
"""Where a tokenizer says that its model is told the sentences of a text."""


def line_starts(document: Document) -> np.ndarray:
    """The first word of each line that has words, (line,)."""
    breaks = np.array([match.start() for match in re.finditer("\n", document.text)], dtype=np.int64)
    starts = np.array([start for start, _ in document.words], dtype=np.int64)
    line = np.searchsorted(breaks, starts)
    return np.flatnonzero(np.diff(line, prepend=-1))


def splitting_of(documents: Iterable[Document]) -> Splitting:
    """Lines, if half of the texts have several: a break in one says nothing of many others; else marks."""
    several = [len(line_starts(document)) > 1 for document in documents]
    return "lines" if any(several) and 2 * sum(several) >= len(several) else "marks"


def sentence_numbers(document: Document, splitting: Splitting) -> np.ndarray:
    """The number of the sentence of each word, from 0, (word,).

    >>> text = Document.from_text("a", 'Mr. J. Hyde ran... "Stop!" It was late')
    >>> sentence_numbers(text, "marks").tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2]
    """
    begins = np.zeros(len(document.words), dtype=np.int64)
    if splitting == "lines":
        begins[line_starts(document)[1:]] = 1
    else:
        begins[_after_marks(document)] = 1
    return begins.cumsum()


def _after_marks(document: Document) -> list[int]:
    """Words that begin a sentence, beside the first: white space parts them from a mark or what closes it,
    where a script has such space."""
    names, found, ended, solid = document.surfaces(), [], False, False
    for word, name in enumerate(names):
        touches = word > 0 and document.words[word][0] == document.words[word - 1][1]
        goes_on = touches and (not solid or name in SENTENCE_ENDS or name in _CLOSING)
        if ended and not goes_on:
            found.append(word)
            ended = False
        if name in SENTENCE_ENDS:
            ended = not (name == "." and touches and _is_abbreviated(names[word - 1]))
            solid = name in _SOLID
        else:
            ended = ended and goes_on and name in _CLOSING
    return found


def _is_abbreviated(name: str) -> bool:
    """Whether a period behind a word is a part of it."""
    initial = len(name) == 1 and name.isupper() and name != "I"
    return initial or name.lower() in _ABBREVIATED or re.fullmatch(r"(\w\.)+\w", name) is not None


def reads_whole(sentence: str, behind: str = "") -> bool:
    """Whether a text reads as a sentence rather than as a piece of one.

    It begins with a capital, or in a script that has none, ends with a mark, closes what it opens, and what
    is behind it does not go on in small letters.

    >>> reads_whole("It rained ( a lot ) ."), reads_whole("@ 3 in ) ,"), reads_whole("At Smith Bros.", " in")
    (True, False, False)
    """
    begin, end = sentence.lstrip(_OPENING)[:1], sentence.rstrip("".join(_CLOSING) + " ")[-1:]
    closed = sentence.count('"') % 2 == 0 and all(
        sentence.count(one) == sentence.count(two) for one, two in _PAIRS
    )
    goes_on = behind.lstrip()[:1].islower()
    return begin.isalpha() and not begin.islower() and end in SENTENCE_ENDS and closed and not goes_on


def telling_sentences(splitting: Splitting) -> dict[str, Any]:
    """What a tokenizer is made with so that its model is told sentences; it is kept in its folder."""
    return {_KEY: splitting}


def told_sentences(tokenizer: Any) -> Splitting | None:
    """Which sentences a tokenizer's model is told by types of pieces; None for most models."""
    said: Splitting | None = getattr(tokenizer, "init_kwargs", {}).get(_KEY)
    return said
