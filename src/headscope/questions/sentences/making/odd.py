"""SOMO: whether a noun or verb was exchanged for another of the same form and about as frequent."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from headscope.questions.sentences.making.examples import SHARES, Example, Parts, half_of_each_part
from headscope.text import Document

CHANGED, ORIGINAL = "C", "O"
KINDS = ("NOUN", "VERB")
LEAST = 3
"""How often a word that comes in another's place must occur at least. Its frequency is at least half of and
at most twice the other's; the paper compares the frequencies of bigrams, of which a treebank has too few."""

Form = tuple[str, str, str]
"""The universal tag, the tag and the morphology of a word."""


def odd_men_out(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Half of the sentences with one noun or verb exchanged, the others as they were.

    A word that comes in another's place does so in one part of the data alone. All sentences, changed or
    not, are such that a word of theirs could be exchanged.
    """
    pools = Pools(sentences, draw)
    found = [(sentence, pools.fitting(sentence, parts.of(sentence.id))) for sentence in sentences]
    usable = [(sentence, others) for sentence, others in found if others]
    changed = half_of_each_part([sentence.id for sentence, _ in usable], parts, draw)
    examples = []
    for (sentence, fitting), is_changed in zip(usable, changed, strict=True):
        words = sentence.surfaces()
        if is_changed:
            place, others = fitting[draw.integers(len(fitting))]
            other = others[draw.integers(len(others))]
            other = other.capitalize() if words[place][:1].isupper() else other
            words = (*words[:place], other, *words[place + 1 :])
        label = CHANGED if is_changed else ORIGINAL
        examples.append(Example(words, label, sentence.id, parts.of(sentence.id)))
    return examples


class Pools:
    """The words of each form that may come in another's place, by the part of the data they do so in."""

    def __init__(self, sentences: Sequence[Document], draw: np.random.Generator) -> None:
        counts: defaultdict[Form, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for word, form in zip(sentence.surfaces(), _forms(sentence), strict=True):
                if form[0] in KINDS and word.isalpha():
                    counts[form][word.lower()] += 1
        self._counts = counts
        words = sorted({word for own in counts.values() for word in own})
        drawn = draw.choice(list(SHARES), len(words), p=list(SHARES.values()))
        part_of = dict(zip(words, drawn.tolist(), strict=True))
        ranked: defaultdict[tuple[Form, str], list[tuple[int, str]]] = defaultdict(list)
        for form, own in counts.items():
            for word, count in own.items():
                if count >= LEAST:
                    ranked[form, part_of[word]].append((count, word))
        self._pools = {key: sorted(pool) for key, pool in ranked.items()}

    def fitting(self, sentence: Document, part: str) -> list[tuple[int, list[str]]]:
        """The places of a sentence, each with the words that may come there in a part of the data."""
        words = zip(sentence.surfaces(), _forms(sentence), strict=True)
        found = [(place, self._others(form, part, word.lower())) for place, (word, form) in enumerate(words)]
        return [(place, others) for place, others in found if others]

    def _others(self, form: Form, part: str, word: str) -> list[str]:
        """The words that may come in the place of one, in lower case; none for what is no noun or verb."""
        count = self._counts[form][word] if form in self._counts else 0
        pool = self._pools.get((form, part), [])
        low, high = (bisect_left(pool, edge, key=lambda one: one[0]) for edge in (count / 2, 2 * count + 1))
        return [other for _, other in pool[low:high] if other != word]


def _forms(sentence: Document) -> list[Form]:
    tree = sentence.dependencies
    assert tree is not None
    feats = tree.feats or ("",) * len(tree)
    return list(zip(tree.upos, tree.tags, feats, strict=True))
