"""Rows of named values, as tables, JSON lines and data sets give them, made into documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from headscope.errors import InputError, choose_from
from headscope.text.documents import Document
from headscope.text.lines import Place

Wanted = Literal["text", "label", "tags"]

# The names that columns usually have, in the order in which they are looked for.
_USUAL = ("text", "sentence", "words")
_USUAL_FIRST = (*_USUAL, "sentence1", "text1", "premise", "question1")
_USUAL_SECOND = ("sentence2", "text2", "hypothesis", "question2")
_USUAL_WORDS = ("words", "tokens", "text", "sentence")
_USUAL_LABEL = ("label", "labels", "class", "sentiment")
_USUAL_TAGS = ("tags", "labels", "label", "ner_tags")
_SUFFIX = "; a word and its tag per line need another suffix, such as .iob"


class Picked(NamedTuple):
    """The columns of a source that are read; ``tags`` and ``label`` exclude each other."""

    text: str
    target: str | None = None
    label: str | None = None
    second: str | None = None
    tags: str | None = None


@dataclass(frozen=True)
class Columns:
    """Which columns hold what; None leaves the choice to the usual names, where a column is wanted.

    wanted: the text alone, the text with one label, or words with one tag each; label names the column of
    either. second: the name of the second text's column, or True for a usual one.
    """

    text: str | None = None
    target: str | None = None
    label: str | None = None
    second: str | bool = False
    wanted: Wanted = "text"

    def pick(self, names: Iterable[str], place: Place) -> Picked:
        """Choose among the names there are.

        >>> Columns(target="de").pick(["id", "Text", "de"], Place("a.csv", 1))[:2]
        ('Text', 'de')
        >>> Columns(wanted="label").pick(["Sentence", "Label"], Place("a.csv", 1)).label
        'Label'
        """
        available = list(names)
        for asked in self._named():
            if asked not in available:
                raise place.error(choose_from("column", asked, available))
        lowered = {name.lower(): name for name in reversed(available)}

        def usual(what: str, candidates: tuple[str, ...]) -> str:
            name = next((lowered[name] for name in candidates if name in lowered), None)
            if name is None:
                hint = _SUFFIX if self.wanted == "tags" else ""
                problem = f"no column called {' or '.join(candidates)}; name the {what} column{hint}"
                raise place.error(f"{problem}. Available: {', '.join(available)}")
            return name

        ordinary = _USUAL_FIRST if self.second else _USUAL
        text = self.text or usual("text", _USUAL_WORDS if self.wanted == "tags" else ordinary)
        label = second = tags = None
        if self.wanted == "label":
            label = self.label or usual("label", _USUAL_LABEL)
        if self.wanted == "tags":
            tags = self.label or usual("tag", _USUAL_TAGS)
        if self.second:
            second = self.second if isinstance(self.second, str) else usual("second", _USUAL_SECOND)
        return Picked(text, self.target, label, second, tags)

    def refuse(self, source: str | Path) -> None:
        """Refuse the options of a source that has no columns."""
        self.refuse_names(source)
        if self.wanted != "text":
            raise Place(source).error(
                f"this source has no columns, so it has no {self.wanted}; give a table (.csv, .tsv), JSON "
                "lines (.jsonl) or a data set"
            )

    def refuse_names(self, source: str | Path, reason: str = "this source has no columns") -> None:
        """Refuse names of columns where there are no names."""
        for asked in self._named():
            raise Place(source).error(f"column '{asked}' was asked for, but {reason}")

    def _named(self) -> list[str]:
        asked = (self.text, self.target, self.label, self.second)
        return [name for name in asked if isinstance(name, str)]


def row_document(id: str, row: Mapping[str, Any], names: Picked, place: Place) -> Document:
    """Make a document of the picked columns: running text, or a list of words; and its labels."""
    if names.tags is not None:
        return _tagged_document(id, row, names, place)
    target, second = (_text(name, row, place) for name in (names.target, names.second))
    value = row[names.text]
    if isinstance(value, str):
        document = Document.from_text(id, value, target)
    elif isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
        document = Document.from_words(id, value, target=target)
    else:
        raise _unexpected(names.text, value, "a text or a list of words", place)
    if names.second is not None and not (second or "").strip():
        raise place.error(f"'{names.second}' is empty; every row needs a second text")
    label = None if names.label is None else _label(names.label, row[names.label], place)
    return document if label is second is None else replace(document, label=label, second=second)


def _tagged_document(id: str, row: Mapping[str, Any], names: Picked, place: Place) -> Document:
    """Words and tags are lists of the same length, or, in tables, texts that white space parts."""
    assert names.tags is not None
    words = _list(names.text, row[names.text], place)
    tags = [_label(names.tags, tag, place) for tag in _list(names.tags, row[names.tags], place)]
    if len(words) != len(tags):
        raise place.error(
            f"{len(words)} in '{names.text}', but {len(tags)} in '{names.tags}'; every word needs one tag"
        )
    target = _text(names.target, row, place)
    return replace(Document.from_words(id, [str(word) for word in words], target=target), tags=tuple(tags))


def _list(name: str, value: object, place: Place) -> list[Any]:
    if isinstance(value, str):
        return value.split()
    if isinstance(value, (list, tuple)) and all(isinstance(item, (str, int)) for item in value):
        return list(value)
    raise _unexpected(name, value, "a list, one entry for each word,", place)


def _label(name: str, value: object, place: Place) -> str:
    """A label as text; tables and JSON write numbers in different ways."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is None or (isinstance(value, str) and not value.strip()):
        raise place.error(f"'{name}' is empty; every row needs a label")
    if not isinstance(value, (str, int)):
        raise _unexpected(name, value, "a label, a text or a whole number", place)
    return str(value).strip()


def _text(name: str | None, row: Mapping[str, Any], place: Place) -> str | None:
    value = None if name is None else row[name]
    if value is not None and not isinstance(value, str):
        raise _unexpected(name, value, "a text", place)
    return value


def _unexpected(name: str | None, value: object, expected: str, place: Place) -> InputError:
    return place.error(
        f"'{name}' holds {expected} in this format, but here it is {type(value).__name__}: {str(value)[:60]}"
    )
