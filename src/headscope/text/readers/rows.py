"""Rows of named values, as tables, JSON lines and data sets give them, made into documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from headscope.errors import InputError, choose_from, located
from headscope.text.documents import Document

_USUAL = ("text", "sentence", "words")


@dataclass(frozen=True)
class Columns:
    """Which column holds the text, and which the target; None leaves the choice to the usual names."""

    text: str | None = None
    target: str | None = None

    def pick(self, names: Iterable[str], source: str, line: int | None) -> tuple[str, str | None]:
        """Choose the text and the target column among the names there are.

        >>> Columns(target="de").pick(["id", "Text", "de"], "a.csv", 1)
        ('Text', 'de')
        """
        available = list(names)
        for asked in (self.text, self.target):
            if asked is not None and asked not in available:
                raise InputError(located(source, line, choose_from("column", asked, available)))
        return self.text or _usual(available, source, line), self.target

    def refuse(self, source: str) -> None:
        """Refuse the options of a source that has no columns."""
        for asked in (self.text, self.target):
            if asked is not None:
                problem = f"column '{asked}' was asked for, but this source has no columns"
                raise InputError(located(source, None, problem))


def _usual(available: list[str], source: str, line: int | None) -> str:
    lowered = {name.lower(): name for name in reversed(available)}
    for usual in _USUAL:
        if usual in lowered:
            return lowered[usual]
    problem = (
        f"no column called {' or '.join(_USUAL)}; name the text column. Available: {', '.join(available)}"
    )
    raise InputError(located(source, line, problem))


def row_document(
    id: str, row: Mapping[str, Any], names: tuple[str, str | None], source: str, line: int | None
) -> Document:
    """Make a document of the picked columns: running text, or a list of words."""
    text, target = names
    other = None if target is None else row[target]
    if other is not None and not isinstance(other, str):
        raise InputError(located(source, line, _unexpected(target, other, "a text")))
    value = row[text]
    if isinstance(value, str):
        return Document.from_text(id, value, other)
    if isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
        return Document.from_words(id, value, target=other)
    raise InputError(located(source, line, _unexpected(text, value, "a text or a list of words")))


def _unexpected(name: str | None, value: object, expected: str) -> str:
    return (
        f"'{name}' holds {expected} in this format, but here it is {type(value).__name__}: {str(value)[:60]}"
    )
