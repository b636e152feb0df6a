"""Labelled spans and pairs of spans: roles, phrases, kinds of entities, or what edge probing is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from headscope.errors import InputError
from headscope.text.layers import check_sentences


class Edge(NamedTuple):
    """A label on the words from start to end (exclusive), or on them and others, also (start, end).

    kind: what sort of label it is, such as `srl`.
    """

    kind: str
    label: str
    start: int
    end: int
    other: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Edges:
    """The labelled spans of a document, in any order; sentences is (word,).

    >>> roles = (Edge("srl", "ARG0", 1, 2, (0, 1)), Edge("srl", "ARG1", 1, 2, (2, 4)))
    >>> layer = Edges(roles, sentences=np.zeros(4, int))
    >>> layer.window(0, 3).edges  # the second one is cut apart
    (Edge(kind='srl', label='ARG0', start=1, end=2, other=(0, 1)),)
    """

    edges: tuple[Edge, ...]
    sentences: np.ndarray

    def __post_init__(self) -> None:
        for edge in self.edges:
            for start, end in spans_of(edge):
                if not 0 <= start < end <= len(self.sentences):
                    raise InputError(
                        f"the span from {start} to {end} of '{edge.label}' is not in a text of "
                        f"{len(self.sentences)} words"
                    )
        check_sentences(self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    def window(self, start: int, stop: int) -> Edges:
        """Those of the words from start to stop; one that is partly outside is dropped."""
        kept = tuple(
            moved(edge, -start)
            for edge in self.edges
            if all(start <= first and last <= stop for first, last in spans_of(edge))
        )
        return Edges(kept, self.sentences[start:stop])


def spans_of(edge: Edge) -> list[tuple[int, int]]:
    """One span, or two."""
    own = (edge.start, edge.end)
    return [own] if edge.other is None else [own, edge.other]


def moved(edge: Edge, by: int) -> Edge:
    """The same so many words later."""
    other = None if edge.other is None else (edge.other[0] + by, edge.other[1] + by)
    return edge._replace(start=edge.start + by, end=edge.end + by, other=other)
