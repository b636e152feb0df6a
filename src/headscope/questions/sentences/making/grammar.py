"""Tense, SubjNum and ObjNum: marked on one word of the main clause, whose form is in one part of the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from headscope.analyses.labels import plain
from headscope.questions.sentences.making.examples import Example, Parts, Targeted, parted_by_target
from headscope.text import Dependencies, Document
from headscope.text.layers import ROOT

TENSES = {"Pres": "PRES", "Past": "PAST"}
NUMBERS = {"Sing": "NN", "Plur": "NNS", "Ptan": "NNS", "Coll": "NN"}
"""Labels as the paper has them: by form, so what is always plural counts as plural, a mass as singular."""

SUBJECT, OBJECT, AUXILIARIES = "nsubj", "obj", ("aux", "cop")


def tenses(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Whether the main clause is in the present or in the past: the tense of its finite verb.

    That is the root, if it is finite, or else the first finite auxiliary of a root that is a verb. The target
    word is the root.
    """
    return parted_by_target([one for sentence in sentences for one in _tense(sentence)], draw)


def subject_numbers(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Whether the subject of the main clause, a common noun, is singular or plural."""
    return parted_by_target([one for sentence in sentences for one in _number(sentence, SUBJECT)], draw)


def object_numbers(sentences: Sequence[Document], parts: Parts, draw: np.random.Generator) -> list[Example]:
    """Whether the direct object of the main clause, a common noun, is singular or plural."""
    return parted_by_target([one for sentence in sentences for one in _number(sentence, OBJECT)], draw)


def _tense(sentence: Document) -> Iterator[Targeted]:
    tree = _tree(sentence)
    root = root_of(tree)
    if tree.upos[root] not in ("VERB", "AUX"):
        return
    helpers = [child for child in children_of(tree, root) if plain(tree.relations[child]) in AUXILIARIES]
    for word in (root, *helpers):
        feats = feats_of(tree, word)
        if feats.get("VerbForm") == "Fin" and feats.get("Tense") in TENSES:
            yield _targeted(sentence, TENSES[feats["Tense"]], root)
            return


def _number(sentence: Document, relation: str) -> Iterator[Targeted]:
    """Only where the main clause has one such word."""
    tree = _tree(sentence)
    there = [one for one in children_of(tree, root_of(tree)) if plain(tree.relations[one]) == relation]
    if len(there) == 1 and tree.upos[there[0]] == "NOUN":
        number = feats_of(tree, there[0]).get("Number")
        if number in NUMBERS:
            yield _targeted(sentence, NUMBERS[number], there[0])


def _targeted(sentence: Document, label: str, word: int) -> Targeted:
    return Targeted(sentence.surfaces(), label, sentence.id, sentence.surface(word).lower())


def _tree(sentence: Document) -> Dependencies:
    assert sentence.dependencies is not None
    return sentence.dependencies


def root_of(tree: Dependencies) -> int:
    """The word that depends on no other."""
    return int(np.flatnonzero(tree.heads == ROOT)[0])


def children_of(tree: Dependencies, word: int) -> list[int]:
    """The words that depend on a word, in order."""
    return np.flatnonzero(tree.heads == word).tolist()


def feats_of(tree: Dependencies, word: int) -> dict[str, str]:
    """The morphology of a word, by name."""
    pairs = (pair.partition("=") for pair in (tree.feats[word] if tree.feats else "").split("|"))
    return {name: value for name, _, value in pairs if value}
