"""What the page is given. `python -m client.wire` writes the same types for the client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from headscope.heads import Stack
from headscope.results.look import Answer, Axis, LogitPart, Output, Special, Way
from headscope.web.live_wire import Live

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
class Fact:
    """A name and its value, both for reading."""

    name: str
    value: str


@dataclass(frozen=True)
class VerbCard:
    """What one verb was asked in this run; question: what it answers. notes: what a reader must know."""

    verb: str
    question: str
    model: str
    data: str
    started: str
    seconds: float | None
    finished: bool
    facts: list[Fact]
    notes: list[str]


@dataclass(frozen=True)
class Mark:
    """A number of a finding on a line; low and high: its interval. baseline: what it stands beside. others:
    the same number in the other rows of its table, None where not known. says, text: for reading."""

    says: str
    text: str
    value: float
    low: float | None
    high: float | None
    baseline: float | None
    others: list[float | None]


@dataclass(frozen=True)
class FindingWire:
    """What a verb found, in a sentence; decided: whether it is more than open. head: that it points to.
    table, row: where its numbers stand. mark: the most telling of them."""

    verb: str
    text: str
    decided: bool
    head: str | None
    table: str
    row: int
    mark: Mark | None


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


@dataclass(frozen=True)
class Numbers:
    """A number for each head of the atlas, None where not measured; low and high: its interval.

    about: what its label leaves to its group, empty if nothing. baseline: what a head without the property
    would have. percent: whether to print it as a share.
    """

    name: str
    label: str
    group: str
    about: str
    values: list[float | None]
    low: list[float | None] | None = None
    high: list[float | None] | None = None
    baseline: list[float | None] | None = None
    percent: bool = False
    kind: Literal["number"] = "number"


@dataclass(frozen=True)
class Level:
    """A word of a category with its colour; whole: what it holds only partly, None if it holds."""

    word: str
    colour: str
    whole: str | None = None


@dataclass(frozen=True)
class Categories:
    """A word for each head of the atlas; levels: the words in their order. role: whether it is a head's role.

    about: what its label leaves to its group, empty if nothing.
    """

    name: str
    label: str
    group: str
    about: str
    values: list[str | None]
    levels: list[Level]
    role: bool = False
    kind: Literal["category"] = "category"


@dataclass(frozen=True)
class Place:
    """A head's place on the map of heads."""

    head: int
    x: float
    y: float


@dataclass(frozen=True)
class Bar:
    """One bar of a head's profile; error: half of its interval."""

    at: float
    value: float
    error: float | None = None
    baseline: float | None = None


@dataclass(frozen=True)
class HeadCard:
    """What is told of one head beside its measures: its role with its rule, facts, a profile."""

    role: str | None
    rule: str | None
    facts: list[Fact]
    profile: list[Bar]


@dataclass(frozen=True)
class Atlas:
    """Every head of the run with all that was measured; cards and values follow the order of heads."""

    heads: list[HeadName]
    measures: list[Numbers | Categories]
    places: list[Place]
    cards: list[HeadCard]


@dataclass(frozen=True)
class Column:
    """A column of a table; says: what it holds. unit: of its numbers. better: which way is better."""

    name: str
    kind: Literal["number", "text", "truth"]
    says: str
    unit: str
    better: Literal["higher", "lower"] | None


@dataclass(frozen=True)
class TableWire:
    """A table; row: what a row is. data: packed JSON, a list of values for each column. cut: only the first
    rows are here."""

    name: str
    verb: str
    title: str
    row: str
    columns: list[Column]
    rows: int
    data: Packed
    cut: bool = False


@dataclass(frozen=True)
class FigureWire:
    """A figure in two formats; the page makes the third."""

    name: str
    verb: str
    title: str
    svg: Packed
    pdf: Packed | None


@dataclass(frozen=True)
class Report:
    """A run: what was asked and found, the atlas of its heads, all tables and figures, sentences looked at,
    and texts that were explained."""

    name: str
    verbs: list[VerbCard]
    findings: list[FindingWire]
    atlas: Atlas | None
    tables: list[TableWire]
    figures: list[FigureWire]
    sentences: list[LookWire]
    explanations: list[ExplanationWire] = field(default_factory=list)


@dataclass(frozen=True)
class ViewWire:
    """A look as a notebook shows it: one large head view, or all heads small; with what is chosen first.

    words: tokens are words, else pieces. first_token: it is one of the special tokens. drawing: of a large
    head. explanation: what mattered in the text.
    """

    look: LookWire
    layout: Literal["heads", "model"]
    stack: Stack
    layer: int
    heads: list[int] | None
    dark: bool | None
    words: bool = True
    special: Special = "shown"
    first_token: bool = False
    scale: Literal["linear", "log"] = "linear"
    drawing: Literal["lines", "matrix"] = "lines"
    explanation: ExplanationWire | None = None


@dataclass(frozen=True)
class Page:
    """All that a page is given; exactly what it shows is not None."""

    title: str
    version: str
    report: Report | None = None
    live: Live | None = None
    view: ViewWire | None = None
