"""What a table says about itself: its title, what a row is, and what each column holds.

Screen, page, atlas, LaTeX and documentation read declarations; none of them guesses a meaning from a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

import pandas as pd

from headscope.errors import RunError

SHARE = "share"
"""The unit of parts of a whole, which are printed in percent."""

POINTS = "points"
"""The unit of differences of shares: 0.01 is printed as one point."""

Kind = Literal["number", "category", "note"]


@dataclass(frozen=True)
class Column:
    """What a column holds.

    says: what it is, for reading. unit: of its numbers. low, high: the columns with the ends of its interval;
    error: with its standard error; baseline: with what a head without the property would have. better: which
    way is better. kind: a number or a category tells heads apart on a page, a note only explains; where
    nothing is said, numbers are numbers, truths categories and texts notes. levels: the words of a category
    in an order that means something. words: how values are read that need others around them. signed:
    numbers are distances, whose sign is a direction. ordered: its values follow each other, such as
    checkpoints of a training, in the order of the rows.
    """

    says: str
    unit: str = ""
    low: str | None = None
    high: str | None = None
    error: str | None = None
    baseline: str | None = None
    better: Literal["higher", "lower"] | None = None
    kind: Kind | None = None
    levels: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    signed: bool = False
    ordered: bool = False

    @property
    def beside(self) -> dict[str, str]:
        """The columns that stand beside it, by what they are to it."""
        named = {name: getattr(self, name) for name in ("low", "high", "error", "baseline")}
        return {name: column for name, column in named.items() if column is not None}


@dataclass(frozen=True)
class Card:
    """What a row tells on the card of every head that it names.

    heads: the columns that name them. title, text: filled from the row's cells. sure: the column that says
    whether it is more than chance; such rows come first.
    """

    heads: tuple[str, ...]
    title: str
    text: str
    sure: str | None = None


@dataclass(frozen=True)
class Declaration:
    """What a table is.

    row: the columns that tell its rows apart. columns: what each holds; rest: what those hold whose names
    the data make, with {name} for the name. group: what its measures have in common, empty if nothing. role:
    the columns with a head's role and the rule that gave it. otherwise: those of the role that it has beside
    that one, mostly empty. places: the columns with a head's place on a
    map. profile: whether the rows of a head draw a profile of it along the other key. card: what rows tell of
    the heads they name. claims: whether each row is a claim that is judged, in the columns `claim`, `means`,
    `verdict`, `value`, `ceiling` and `why`.

    >>> table = Declaration("Heads", ("head",), {"head": Column("head"), "gap": Column("gap", unit=SHARE)})
    >>> table.row_in_words, table.undeclared(["head", "gap", "size"])
    ('head', ['size'])
    """

    title: str
    row: tuple[str, ...]
    columns: Mapping[str, Column]
    rest: Column | None = None
    group: str = ""
    role: tuple[str, str] | None = None
    otherwise: tuple[str, str] | None = None
    places: tuple[str, str] | None = None
    profile: bool = False
    card: Card | None = None
    claims: bool = False

    @property
    def row_in_words(self) -> str:
        """What a row is, for reading."""
        named = [self.column(name).says for name in self.row]
        return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)

    @property
    def about_heads(self) -> bool:
        """Whether each row is about one head."""
        return "head" in self.row

    def column(self, name: str) -> Column:
        """What a column holds; one that nobody declared is called as it is."""
        if name in self.columns:
            return self.columns[name]
        return Column(name) if self.rest is None else _named(self.rest, name)

    def undeclared(self, names: Iterable[str]) -> list[str]:
        """The columns of which nothing is said."""
        return [name for name in names if name not in self.columns and self.rest is None]

    def measured(self, frame: pd.DataFrame) -> Iterator[tuple[str, Column, Kind]]:
        """The columns that tell heads apart, in their order, with their kinds."""
        of_others = {*self.row, *(self.places or ())}
        for name in map(str, frame.columns):
            of_others |= set(self.column(name).beside.values())
        for name in map(str, frame.columns):
            column = self.column(name)
            kind = column.kind or kind_of(frame[name])
            if name not in of_others and kind != "note":
                yield name, column, kind

    def plain(self) -> dict[str, Any]:
        """As JSON holds it, without what says nothing."""
        columns = {name: _filled(asdict(column)) for name, column in self.columns.items()}
        return _filled(asdict(self)) | {"title": self.title, "row": list(self.row), "columns": columns}

    @classmethod
    def from_plain(cls, values: Any) -> Declaration:
        """Read what `plain` wrote; refuses what it could not have written."""
        try:
            columns = {name: Column(**_tuples(column)) for name, column in values["columns"].items()}
            inner: dict[str, Any] = {
                "rest": values.get("rest") and Column(**_tuples(values["rest"])),
                "card": values.get("card") and Card(**_tuples(values["card"])),
            }
            known = {one.name for one in fields(cls)} - {"columns", *inner}
            rest = {name: value for name, value in _tuples(values).items() if name in known}
            return cls(**rest, columns=columns, **inner)
        except (TypeError, KeyError, AttributeError) as error:
            raise RunError(f"a table's declaration cannot be read: {error}") from error


HEAD: dict[str, Column] = {
    "head": Column("head"),
    "stack": Column("stack: encoder, decoder, cross (a decoder looks at an encoder), or one of a net's own"),
    "layer": Column("layer, counted from 0", kind="note"),
    "index": Column("head within its layer, counted from 0", kind="note"),
}
"""The columns that name a head, in every table that has them."""

LEFT = Column("part of the row's weight that is left on tokens that are not hidden", SHARE)
"""How much a row of a map tells where tokens are hidden, in every table that has such rows."""


def kind_of(column: pd.Series) -> Kind:
    """What a column is that does not say."""
    if pd.api.types.is_bool_dtype(column.dtype):
        return "category"
    return "number" if pd.api.types.is_numeric_dtype(column.dtype) else "note"


def _named(column: Column, name: str) -> Column:
    """A column of those whose names the data make."""
    said = {one.name: getattr(column, one.name) for one in fields(Column)}
    return Column(**said | {"says": column.says.replace("{name}", name)})


def _filled(value: Any) -> Any:
    if isinstance(value, Mapping):
        inner = {key: _filled(item) for key, item in value.items()}
        return {key: item for key, item in inner.items() if item not in (None, "", False, [], {})}
    return list(value) if isinstance(value, tuple) else value


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
