"""Where the keywords of a document stand in it, and phrases of it that could be keywords."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.words import split_words

BEGIN, INSIDE, OUTSIDE = "B-KEY", "I-KEY", "O"
Candidates = Literal["ngrams", "nouns"]

LONGEST = 5
"""Words of a candidate, at most."""

_NOUNS, _BEFORE = ("NOUN", "PROPN"), ("ADJ", "NOUN", "PROPN")

_STOP = """
a about above after again all almost along already also although always am among an and another any are
as at away back be became because become been before being below between both but by came can cannot
could did do does done down during each either else enough etc even ever every few for from further get
given gives had has have having he hence her here hers him his how however i if in indeed into is it its
itself just kept least less let like made make makes many may me might more most much must my near
neither never no nor not now of off often on once one only onto or other others our ours out over own per
perhaps quite rather really said same say says see seem seems several shall she should shown shows since
so some still such than that the their them then there therefore these they this those though through
thus to together too toward two under until up upon us use used uses using various very via was we well
were what when where whether which while who whom whose why will with within without would yet you your
"""
STOP_WORDS = frozenset(_STOP.split())
"""Words that no candidate of the kind `ngrams` has in it."""


def words_of(phrase: str) -> tuple[str, ...]:
    """The words of a phrase in lower case, as `split_words` parts it.

    >>> words_of("Least-squares  Fit")
    ('least-squares', 'fit')
    """
    if phrase.isascii() and phrase.replace(" ", "").isalnum():
        return tuple(phrase.lower().split())  # what nearly all phrases are, parted much faster
    return tuple(phrase[start:end].lower() for start, end in split_words(phrase))


@lru_cache(maxsize=100_000)
def is_punctuation(word: str) -> bool:
    """Whether a word has no letter and no digit: it is no candidate, and attention to it is not scored.

    >>> is_punctuation("--"), is_punctuation("e.g")
    (True, False)
    """
    return all(unicodedata.category(character)[0] in "PSZC" for character in word)


def occurrences(document: Document) -> list[tuple[int, int]]:
    """Where keywords of a document stand, as first word and the one behind the last; in any case of letters.

    A keyword is found where its letters are those of consecutive words, whatever white space and cuts between
    words there are: "web-service" in "web - service" too, but not "art" in "article".

    >>> from dataclasses import replace
    >>> text = Document.from_text("a", "An art, as articles on Art history.")
    >>> occurrences(replace(text, keywords=("art history", "ART", "ship")))
    [(1, 2), (6, 7), (6, 8)]
    """
    letters, edges = _letters(document)
    starts = {edge: word for word, edge in enumerate(edges[:-1])}
    stops = {edge: word for word, edge in enumerate(edges[1:], 1)}
    found = set()
    for keyword in {"".join(words_of(phrase)) for phrase in document.keywords or ()} - {""}:
        place = letters.find(keyword)
        while place >= 0:
            start, stop = starts.get(place), stops.get(place + len(keyword))
            if start is not None and stop is not None:
                found.add((start, stop))
            place = letters.find(keyword, place + 1)
    return sorted(found)


def _letters(document: Document) -> tuple[str, list[int]]:
    """All words of a document in lower case, joined, and where each begins, with the end of the last."""
    words = [word.lower() for word in document.surfaces()]
    edges = np.cumsum([0, *map(len, words)]).tolist()
    return "".join(words), edges


def marked(document: Document) -> np.ndarray:
    """Whether each word is of a keyword, (word,) bool."""
    is_key = np.zeros(len(document.words), bool)
    for start, stop in occurrences(document):
        is_key[start:stop] = True
    return is_key


def keyword_tags(document: Document) -> tuple[str, ...]:
    """A tag for each word; where keywords overlap, the longer one counts, and of equals the first.

    >>> from dataclasses import replace
    >>> text = replace(Document.from_text("a", "Old art history."), keywords=("art", "art history"))
    >>> keyword_tags(text)
    ('O', 'B-KEY', 'I-KEY', 'O')
    """
    tags = [OUTSIDE] * len(document.words)
    for start, stop in sorted(occurrences(document), key=lambda span: (span[0] - span[1], span[0])):
        if all(tag == OUTSIDE for tag in tags[start:stop]):
            tags[start:stop] = [BEGIN, *[INSIDE] * (stop - start - 1)]
    return tuple(tags)


def candidates(document: Document, kind: Candidates) -> dict[str, list[tuple[int, int]]]:
    """Phrases that could be keywords, as they are written, in lower case, each with its places, in order.

    ngrams: runs of up to `LONGEST` words, without punctuation and stop words, that neither begin nor end with
    a number. nouns: the longest runs of adjectives and nouns that end with a noun and do not begin with a
    stop word, of documents whose words have parts of speech; of more than `LONGEST` words, the last ones.
    """
    words = [word.lower() for word in document.surfaces()]
    spans = _noun_phrases(document, words) if kind == "nouns" else _ngrams(words)
    phrases: dict[str, list[tuple[int, int]]] = {}
    for start, stop in spans:
        written = document.text[document.words[start][0] : document.words[stop - 1][1]]
        phrases.setdefault(" ".join(written.lower().split()), []).append((start, stop))
    return phrases


def _ngrams(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    is_edge = [any(map(str.isalpha, word)) for word in words]
    parting = [word in STOP_WORDS or is_punctuation(word) for word in words]
    breaks = [-1, *(place for place, parts in enumerate(parting) if parts), len(words)]
    for before, after in pairwise(breaks):
        for start in range(before + 1, after):
            for stop in range(start + 1, min(start + LONGEST, after) + 1):
                if is_edge[start] and is_edge[stop - 1]:
                    yield start, stop


def _noun_phrases(document: Document, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    tree = document.dependencies
    if tree is None or not tree.upos:
        raise InputError(f"document '{document.id}' has no parts of speech, which noun phrases are made from")
    start = stop = 0
    for place, tag in enumerate([*tree.upos, ""]):
        joins = place < len(words) and words[place] == "-" and start < place
        if tag in _BEFORE or joins:
            stop = place + 1 if tag in _NOUNS else stop
            continue
        start = max(start, stop - LONGEST)
        while start < stop and (words[start] in STOP_WORDS or is_punctuation(words[start])):
            start += 1
        if start < stop:
            yield start, stop
        start = stop = place + 1
