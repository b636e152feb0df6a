"""What can be asked of hidden states: labels of spans, or of pairs of spans, by the layer they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from headscope.errors import OptionError, choose_from
from headscope.text import Document

NEGATIVES = 2
"""Pairs of different entities that are drawn for each pair of one entity."""

Span = tuple[int, int]


class Target(NamedTuple):
    """A label on some words, end exclusive, or on them and others."""

    label: str
    span: Span
    other: Span | None = None


Find = Callable[[Document, np.random.Generator], list[Target]]


@dataclass(frozen=True)
class Task:
    """says: what is labelled, for reading. spans: 1, or 2 for pairs. find: the targets of a document or of a
    part of one. has: whether a document is annotated for it. items: how many a text has to begin with, where
    these are not its targets. windows: whether it reads runs of sentences. labels: where they are fixed.
    counted: the labels that a score is over.
    """

    name: str
    says: str
    spans: int
    find: Find
    has: Callable[[Document], bool]
    items: Callable[[Document], int] | None = None
    windows: bool = False
    labels: tuple[str, ...] = ()
    counted: Callable[[str], bool] = lambda label: True

    def count(self, document: Document) -> int:
        """How many items a text has: targets, or what they are drawn from."""
        if self.items is not None:
            return self.items(document)
        return len(self.find(document, np.random.default_rng(0))) if self.has(document) else 0


def _upos(document: Document, random: np.random.Generator) -> list[Target]:
    assert document.dependencies is not None
    return _of_words(document.dependencies.upos)


def _xpos(document: Document, random: np.random.Generator) -> list[Target]:
    assert document.dependencies is not None
    return _of_words(document.dependencies.tags)


def _of_words(tags: Iterable[str]) -> list[Target]:
    return [Target(tag, (word, word + 1)) for word, tag in enumerate(tags) if tag]


def _deps(document: Document, random: np.random.Generator) -> list[Target]:
    """A word and its head; of a root, nothing."""
    tree = document.dependencies
    assert tree is not None
    pairs = enumerate(zip(tree.relations, tree.heads.tolist(), strict=True))
    return [
        Target(relation, (word, word + 1), (head, head + 1)) for word, (relation, head) in pairs if head >= 0
    ]


@dataclass(frozen=True)
class _OfEdges:
    """The labelled spans of one kind."""

    kind: str

    def __call__(self, document: Document, random: np.random.Generator) -> list[Target]:
        assert document.edges is not None
        return [
            Target(edge.label, (edge.start, edge.end), edge.other)
            for edge in document.edges.edges
            if edge.kind == self.kind
        ]

    def has(self, document: Document) -> bool:
        return document.edges is not None and any(edge.kind == self.kind for edge in document.edges.edges)


def _pairs(document: Document, random: np.random.Generator) -> list[Target]:
    """All pairs of mentions of one entity, and twice as many of two, drawn at random."""
    assert document.coreference is not None
    mentions = document.coreference.mentions
    entities = np.array([mention.entity for mention in mentions], object)
    first, second = np.triu_indices(len(mentions), 1)
    same = entities[first] == entities[second]
    others = np.flatnonzero(~same)
    drawn = random.permutation(others)[: NEGATIVES * int(same.sum())]
    spans = [(mention.start, mention.end) for mention in mentions]
    return [
        Target(str(int(same[pair])), spans[first[pair]], spans[second[pair]])
        for pair in sorted([*np.flatnonzero(same).tolist(), *drawn.tolist()])
    ]


def _has_tree(document: Document) -> bool:
    return document.dependencies is not None


def _mentions(document: Document) -> int:
    return 0 if document.coreference is None else len(document.coreference.mentions)


def _is_clean(label: str) -> bool:
    """Whether a role neither goes on with one nor refers to one: the published score leaves these out."""
    return not label.startswith(("R-", "C-"))


_ENTITIES, _SRL, _PHRASES, _GIVEN = (_OfEdges(kind) for kind in ("entities", "srl", "constituents", "edges"))

TASKS = {
    task.name: task
    for task in (
        Task("pos", "universal part of speech of a word", 1, _upos, _has_tree),
        Task("xpos", "the language's own tag of a word", 1, _xpos, _has_tree),
        Task("deps", "relation of a word to its head", 2, _deps, _has_tree),
        Task("constituents", "kind of a phrase", 1, _PHRASES, _PHRASES.has),
        Task("entities", "kind of an entity that words name", 1, _ENTITIES, _ENTITIES.has),
        Task("srl", "role of words for a predicate", 2, _SRL, _SRL.has, counted=_is_clean),
        Task(
            "coref",
            "whether two mentions name the same",
            2,
            _pairs,
            lambda document: _mentions(document) > 1,
            items=_mentions,
            windows=True,
            labels=("0", "1"),
            counted=lambda label: label == "1",
        ),
        Task("edges", "label of the spans of a JSON line", 0, _GIVEN, _GIVEN.has),
    )
}
"""By name. How many spans the targets of a JSON line have, these say themselves."""


def tasks_named(asked: Iterable[str]) -> list[Task]:
    """The tasks of these names, which commas may part, each once; none for no name."""
    names = [name.strip() for part in asked for name in part.split(",")]
    for name in names:
        if name not in TASKS:
            raise OptionError(choose_from("task", name, list(TASKS)))
    return [TASKS[name] for name in dict.fromkeys(names)]
