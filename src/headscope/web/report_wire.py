"""A run, as the page is given it. `python -m client.wire` writes the same types for the client."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from headscope.web.look_wire import ExplanationWire, HeadName, LinkedWire, LookWire, Packed


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
class VerdictWire:
    """A claim that people make, and whether it holds; None where that is open, or was not tested.

    verdict: that in a word. means: what the claim says. why: there is no verdict. table, row: where it
    stands. mark: its number beside what chance gives, and, as the only other, the best there can be.
    """

    verb: str
    table: str
    row: int
    claim: str
    holds: bool | None
    verdict: str
    means: str
    why: str
    mark: Mark | None


@dataclass(frozen=True)
class Numbers:
    """A number for each head of the atlas, None where not measured; low and high: its interval.

    about: what its label leaves to its group, empty if nothing. baseline: what a head without the property
    would have. percent: whether to print it as a share. along: the same for measures that follow each other,
    such as those of checkpoints; empty where none do.
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
    along: str = ""
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

    about: what its label leaves to its group, empty if nothing. along: as for numbers.
    """

    name: str
    label: str
    group: str
    about: str
    values: list[str | None]
    levels: list[Level]
    role: bool = False
    along: str = ""
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
    """What is told of one head beside its measures: its role with its rule, facts, a profile.

    model: the one that has the head and, where it was given one, the role; empty if the run does not say.
    """

    role: str | None
    rule: str | None
    facts: list[Fact]
    profile: list[Bar]
    model: str = ""


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
    texts that were explained, by which verbs, verdicts on claims, and maps with links that are known."""

    name: str
    verbs: list[VerbCard]
    findings: list[FindingWire]
    atlas: Atlas | None
    tables: list[TableWire]
    figures: list[FigureWire]
    sentences: list[LookWire]
    explanations: list[ExplanationWire] = field(default_factory=list)
    explained_by: list[str] = field(default_factory=list)
    verdicts: list[VerdictWire] = field(default_factory=list)
    linked: list[LinkedWire] = field(default_factory=list)
