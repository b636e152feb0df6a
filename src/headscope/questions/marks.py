"""Marks that an option bears: its place, its limits, the panel of the help that it is listed in."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

LOOK, OUTPUT, COMPUTING = "What to look at", "Output", "Computing"
PANELS = (LOOK, OUTPUT, COMPUTING)
"""What options are listed under."""


@dataclass(frozen=True)
class Argument:
    """Given by its place: the first is 0. name: as the usage line prints it."""

    place: int
    name: str


@dataclass(frozen=True)
class At:
    """At least so much, and below a limit."""

    least: float
    below: float = inf

    def holds(self, value: float) -> bool:
        return self.least <= value < self.below

    @property
    def is_telling(self) -> bool:
        """Whether it says more than that the number counts something."""
        return self.below <= 1

    def __str__(self) -> str:
        limit = "" if self.below == inf else f" and below {self.below:,}"
        return f"at least {self.least}{limit}"


@dataclass(frozen=True)
class Between:
    """Above one limit and below another."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low < value < self.high

    is_telling = True

    def __str__(self) -> str:
        return f"above {self.low}" if self.high == inf else f"between {self.low} and {self.high}"


@dataclass(frozen=True)
class Suffix:
    """A file whose name ends with one of these."""

    allowed: tuple[str, ...]


@dataclass(frozen=True)
class Such:
    """How a value may be written, where that is not how layers and heads are."""

    example: str


@dataclass(frozen=True)
class Group:
    """The panel that an option is listed in, if not that of what to look at."""

    panel: str


@dataclass(frozen=True)
class Short:
    """A second, short name in a command."""

    flag: str


@dataclass(frozen=True)
class InPython:
    """An option of the Python function alone, as no command can say it."""


@dataclass(frozen=True)
class InCommand:
    """An option of the command alone: Python has what the function returns."""
