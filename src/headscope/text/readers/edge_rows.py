"""Edge probing as jiant kept it: a text whose words spaces part, and targets with spans and a label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.edges import Edge, Edges
from headscope.text.lines import Place
from headscope.text.noticing import Broken

KIND = "edges"
"""The kind of labels whose file does not say what they are."""


def is_edge_row(row: Mapping[str, Any]) -> bool:
    """Whether a row has a list of targets; what they lack is then said with its line."""
    return isinstance(row.get("targets"), list)


def edge_document(id: str, row: Mapping[str, Any], place: Place) -> Document | Broken:
    """Read ``text`` and ``targets``: each with ``span1``, if it is a pair ``span2``, and ``label``."""
    try:
        text = row.get("text")
        if not isinstance(text, str):
            raise place.error(f"'text' is to be the words, parted by spaces, not {type(text).__name__}")
        words = text.split()
        edges = tuple(_edge(target, len(words), place) for target in row["targets"])
        return replace(Document.from_words(id, words), edges=Edges(edges, np.zeros(len(words), np.int64)))
    except InputError as error:
        return Broken(id, error)


def _edge(target: Any, size: int, place: Place) -> Edge:
    if not isinstance(target, dict):
        raise place.error(f"a target is to be an object with span1 and label, not {str(target)[:60]}")
    start, end = _span(target, "span1", size, place)
    other = None if target.get("span2") is None else _span(target, "span2", size, place)
    label = target.get("label")
    if isinstance(label, list) and len(label) == 1:
        label = label[0]
    if not isinstance(label, str | int) or label == "":
        raise place.error(f"the label of a target is to be one text or number, not {str(label)[:60]!r}")
    return Edge(KIND, str(label), start, end, other)


def _span(target: Mapping[str, Any], name: str, size: int, place: Place) -> tuple[int, int]:
    span = target.get(name)
    if not isinstance(span, list) or len(span) != 2 or not all(type(edge) is int for edge in span):
        raise place.error(f"'{name}' is to be [start, end], end exclusive, not {str(span)[:60]}")
    if not 0 <= span[0] < span[1] <= size:
        raise place.error(f"'{name}' {span} is not in a text of {size} words; end is exclusive")
    return span[0], span[1]
