"""Rows of named values, as tables, JSON lines and data sets give them, made into documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from headscope.errors import InputError
from headscope.text.documents import Document
from headscope.text.lines import Place
from headscope.text.noticing import Broken
from headscope.text.readers.columns import Picked
from headscope.text.readers.labels import label_text


def row_document(id: str, row: Mapping[str, Any], names: Picked, place: Place) -> Document | Broken:
    """Make a document of the picked columns: running text, or a list of words; and its labels."""
    try:
        return _document(id, row, names, place)
    except InputError as error:
        return Broken(id, error)


def _document(id: str, row: Mapping[str, Any], names: Picked, place: Place) -> Document:
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
    for name, text, what in ((names.second, second, "second text"), (names.target, target, "target")):
        if name is not None and document.words and not (text or "").strip():
            raise place.error(f"'{name}' is empty; every row needs a {what}")
    label = None if names.label is None else label_text(names.label, row[names.label], place)
    keywords = None if names.keywords is None else _keywords(names.keywords, row[names.keywords], place)
    if label is None and second is None and keywords is None:
        return document
    return replace(document, label=label, second=second, keywords=keywords)


def _keywords(name: str, value: object, place: Place) -> tuple[str, ...]:
    """A list of texts, or a text whose semicolons part them."""
    given = value.split(";") if isinstance(value, str) else [] if value is None else value
    if not isinstance(given, (list, tuple)) or not all(isinstance(item, str) for item in given):
        raise _unexpected(name, value, "a list of keywords, or a text with semicolons between them,", place)
    keywords = tuple(dict.fromkeys(" ".join(item.split()) for item in given if item.strip()))
    if not keywords:
        raise place.error(f"'{name}' is empty; every row needs a keyword, or leave it out (--skip-broken)")
    return keywords


def _tagged_document(id: str, row: Mapping[str, Any], names: Picked, place: Place) -> Document:
    """Words and tags are lists of the same length, or, in tables, texts that white space parts."""
    assert names.tags is not None
    words = _list(names.text, row[names.text], place)
    tags = [label_text(names.tags, tag, place) for tag in _list(names.tags, row[names.tags], place)]
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


def _text(name: str | None, row: Mapping[str, Any], place: Place) -> str | None:
    value = None if name is None else row[name]
    if value is not None and not isinstance(value, str):
        raise _unexpected(name, value, "a text", place)
    return value


def _unexpected(name: str | None, value: object, expected: str, place: Place) -> InputError:
    return place.error(
        f"'{name}' holds {expected} in this format, but here it is {type(value).__name__}: {str(value)[:60]}"
    )
