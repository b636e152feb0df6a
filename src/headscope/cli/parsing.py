"""The words of a command made into options: parsing alone, the options check themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from headscope.errors import OptionError
from headscope.questions.marks import InPython, Short
from headscope.questions.options import Field, placed

END = "--"
"""Behind it, nothing is an option."""

_OPTION = re.compile(r"--?[^\W\d]\S*")
"""What looks like an option, unlike a negative number or a text that begins with a dash."""


def parse(name: str, words: Sequence[str], fields: Sequence[Field]) -> dict[str, Any]:
    """What was given to a command, by the names of its options; what is unknown is refused.

    name: of the command. Options may stand anywhere, as `--option value` or `--option=value`; of one that is
    given twice the last counts, unless it takes several values.
    """
    said = [field for field in fields if field.mark(InPython) is None]
    arguments = [field for _, field in placed(said)]
    options = {flag: field for field in said if field not in arguments for flag in flags_of(field)}
    values: dict[str, Any] = {}
    by_place: list[str] = []
    left = iter(words)
    for word in left:
        flag, _, behind = word.partition("=")
        if word == END:
            by_place.extend(left)
        elif flag in options:
            field = options[flag]
            value = _value(flag, field, behind if flag != word else None, left, options)
            values[field.name] = [*values.get(field.name, ()), value] if field.is_several else value
        elif _OPTION.fullmatch(flag):
            raise OptionError(_unknown(name, flag, options))
        else:
            by_place.append(word)
    return values | _placed(by_place, arguments)


def flags_of(field: Field) -> list[str]:
    """How an option is written: its name, its short name, and how it is switched off."""
    short = field.mark(Short)
    off = [_off(field)] if field.kind is bool and field.default is not False else []
    return [field.flag, *([short.flag] if short else []), *off]


def _off(field: Field) -> str:
    return f"--no-{field.flag[2:]}"


def _value(
    flag: str, field: Field, written: str | None, left: Iterator[str], options: Mapping[str, Field]
) -> str | bool:
    """What an option is set to: by its name alone, by what is written behind its =, or by the next word."""
    if field.kind is bool:
        if written is not None:
            raise OptionError(f"{flag} takes no value, so not '{written}'")
        return flag != _off(field)
    value = next(left, None) if written is None else written
    if value is None or (written is None and (value in options or value.startswith(END))):
        raise OptionError(f"{flag} needs a value: {field.help}")
    return value


def _placed(words: Sequence[str], arguments: Sequence[Field]) -> dict[str, Any]:
    """Words by the names of the options that are given by their place; one may take all that are left."""
    values: dict[str, Any] = {}
    for place, field in enumerate(arguments[: len(words)]):
        values[field.name] = list(words[place:]) if field.is_several else words[place]
    over = words[len(arguments) :]
    if over and not any(field.is_several for field in arguments):
        raise OptionError(f"'{over[0]}' is one word too many; put a text of several words into quotes")
    return values


def _unknown(name: str, flag: str, options: Mapping[str, Field]) -> str:
    # Without their dashes, which would make short names alike.
    bare = {known.lstrip("-"): known for known in options}
    close = get_close_matches(flag.lstrip("-"), bare, n=1)
    dash = "" if flag.startswith(END) else f"put {END} before a word that begins with a dash; "
    hint = f"did you mean '{bare[close[0]]}'? " if close else dash
    return f"unknown option '{flag}'; {hint}headscope {name} --help lists all"
