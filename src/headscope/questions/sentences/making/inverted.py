"""CoordInv: whether two coordinated clauses have changed places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from headscope.analyses.labels import plain
from headscope.questions.sentences.making.examples import Example, Parts, half_of_each_part
from headscope.questions.sentences.making.grammar import children_of, root_of
from headscope.questions.sentences.making.shifted import INVERTED, ORIGINAL, QUOTES
from headscope.text import Dependencies, Document

SUBJECTS = ("nsubj", "csubj", "expl")


class Clauses(NamedTuple):
    """Two clauses with what stands between them, a conjunction perhaps behind a comma, and what ends them."""

    first: tuple[str, ...]
    between: tuple[str, ...]
    second: tuple[str, ...]
    end: tuple[str, ...]

    def inverted(self, keeps_capital: bool) -> tuple[str, ...]:
        """The clauses in the other order; where the sentence began with a capital, it does so again.

        One that began with a small letter keeps all letters as they are: else capitals would tell the label.
        """
        if not self.first[0][:1].isupper():
            return (*self.second, *self.between, *self.first, *self.end)
        first = self.first if keeps_capital else (_first_letter(self.first[0], str.lower), *self.first[1:])
        second = (_first_letter(self.second[0], str.upper), *self.second[1:])
        return (*second, *self.between, *first, *self.end)


def coordination_inversions(
    sentences: Sequence[Document], parts: Parts, draw: np.random.Generator
) -> list[Example]:
    """Of sentences that are two clauses around one conjunction, half with the clauses exchanged.

    As many are exchanged among those whose first clause is longer, shorter and equally long.
    """
    found = [(sentence, clauses_of(sentence)) for sentence in sentences]
    pairs = [(sentence, clauses) for sentence, clauses in found if clauses is not None]
    kinds = [int(np.sign(len(clauses.first) - len(clauses.second))) for _, clauses in pairs]
    examples: list[Example] = []
    for kind in (-1, 0, 1):
        own = [pair for pair, of_kind in zip(pairs, kinds, strict=True) if of_kind == kind]
        inverted = half_of_each_part([sentence.id for sentence, _ in own], parts, draw)
        for (sentence, clauses), is_inverted in zip(own, inverted, strict=True):
            tree = sentence.dependencies
            assert tree is not None
            named = tree.upos[0] == "PROPN" or sentence.surface(0) in ("I", "I'm")
            words = clauses.inverted(named) if is_inverted else sentence.surfaces()
            label = INVERTED if is_inverted else ORIGINAL
            examples.append(Example(words, label, sentence.id, parts.of(sentence.id)))
    return examples


def clauses_of(sentence: Document) -> Clauses | None:
    """The two clauses of a sentence whose only conjunction joins its main clause with another one."""
    tree, words = sentence.dependencies, sentence.surfaces()
    assert tree is not None
    conjunctions = [place for place, kind in enumerate(tree.upos) if kind == "CCONJ"]
    if len(conjunctions) != 1 or QUOTES & set(words):
        return None
    (between,) = conjunctions
    root, joined = root_of(tree), int(tree.heads[between])
    if not (
        joined >= 0 and tree.heads[joined] == root and plain(tree.relations[joined]) == "conj"
        and _is_clause(tree, root) and _is_clause(tree, joined)
    ):  # fmt: skip
        return None
    marks = [kind == "PUNCT" for kind in tree.upos]
    stop = len(words)
    while stop and marks[stop - 1]:
        stop -= 1
    within = _below(tree, joined)
    second = [place for place in range(len(words)) if within[place] and place != between and not marks[place]]
    if not second or min(second) < between or any(not within[place] for place in range(between, stop)):
        return None
    start = between - 1 if between and marks[between - 1] else between
    if start < 1 or marks[start - 1]:
        return None
    return Clauses(words[:start], words[start : between + 1], words[between + 1 : stop], words[stop:])


def _is_clause(tree: Dependencies, word: int) -> bool:
    return any(plain(tree.relations[child]) in SUBJECTS for child in children_of(tree, word))


def _below(tree: Dependencies, word: int) -> np.ndarray:
    """Whether each word is the one asked for or depends on it, through others or not, (word,) bool."""
    below: np.ndarray = np.arange(len(tree)) == word
    for _ in range(len(tree)):
        below = below | ((tree.heads >= 0) & below[tree.heads.clip(0)])
    return below


def _first_letter(word: str, change: Callable[[str], str]) -> str:
    return change(word[:1]) + word[1:]
