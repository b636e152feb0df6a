"""A look at a text as the page is given it. `python -m client.wire` writes the same types for the client."""

from __future__ import annotations

from dataclasses import dataclass

from headscope.heads import Stack
from headscope.results.look import Answer, Axis, LogitPart, Output, Way

Packed = str
"""Bytes, deflated, in base64."""


@dataclass(frozen=True)
class LayerWire:
    """One layer of a look; data: packed weights (head, query, key), one byte each; None: ask the server."""

    layer: int
    heads: list[int]
    data: Packed | None = None


@dataclass(frozen=True)
class PartWire:
    """One stack of a look; query and key are places in the look's axes."""

    stack: Stack
    query: int
    key: int
    layers: list[LayerWire]


@dataclass(frozen=True)
class LookWire:
    """A look at one text; id: under which the server keeps its maps, None where they are packed here."""

    id: str | None
    title: str
    model: str
    axes: list[Axis]
    parts: list[PartWire]
    output: Output | None
    window: int
    windows: int
    notes: list[str]


@dataclass(frozen=True)
class ExplanationWire:
    """One text, and how much each piece of it mattered; `piece` runs over all axes.

    importance: (way, answer, piece), None where a piece cannot be judged. seen: (answer, piece), whether the
    model had read it. offered: all ways that the model allows. answers_left: how many more there were.
    """

    title: str
    model: str
    axes: list[Axis]
    answers: list[Answer]
    ways: list[Way]
    importance: list[list[list[float | None]]]
    seen: list[list[bool]]
    offered: list[Way]
    notes: list[str]
    answers_left: int = 0


@dataclass(frozen=True)
class KnownLink:
    """A query and a key that are known to be linked; kind: its place among the kinds."""

    query: int
    key: int
    kind: int


@dataclass(frozen=True)
class LinkedWire:
    """A map between words with the links that are known; by: what made it. same: both sides are one text.

    weights: (query, key). kinds: the surest first.
    """

    verb: str
    by: str
    query: list[str]
    key: list[str]
    same: bool
    weights: list[list[float | None]]
    kinds: list[str]
    links: list[KnownLink]


@dataclass(frozen=True)
class HeadName:
    """A head of the atlas; name: as tables call it."""

    name: str
    stack: Stack
    layer: int
    index: int


@dataclass(frozen=True)
class MadeWire:
    """Which heads made one token of a text; pieces: of the text, the last `written` of them by the model.

    parts: what the logit is the sum of. direct, removed: a number for each head, what it adds to the logit,
    and what the loss is more without it; None where that was not asked.
    """

    pieces: list[str]
    written: int
    place: int
    logit: float
    loss: float
    parts: list[LogitPart]
    heads: list[HeadName]
    direct: list[float | None]
    removed: list[float | None]
    notes: list[str]
