"""The words of a command made into options: parsing alone, the options check themselves."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, BooleanOptionalAction
from collections.abc import Sequence
from typing import Any, NoReturn

from headscope.errors import OptionError, choose_from
from headscope.questions.options import Field, InPython, Short, placed


class _Parser(ArgumentParser):
    """Tells a mistake as an error of ours."""

    def error(self, message: str) -> NoReturn:
        raise OptionError(message.removeprefix("argument "))


def parse(words: Sequence[str], fields: Sequence[Field]) -> dict[str, Any]:
    """What was given, by the names of the options; what is unknown is refused."""
    said = [field for field in fields if field.mark(InPython) is None]
    parser = _Parser(add_help=False, allow_abbrev=False, argument_default=SUPPRESS)
    arguments = [field for _, field in placed(said)]
    for field in arguments:
        # What is missing is told with its help, by the options.
        parser.add_argument(field.name, nargs="*" if field.is_several else "?")
    named = [field for field in said if field not in arguments]
    for field in named:
        _add(parser, field)
    given, left = parser.parse_known_intermixed_args(list(words))
    for word in left:
        if word.startswith("-") and word != "--":
            flags = [flag for field in named for flag in flags_of(field)]
            raise OptionError(choose_from("option", word.partition("=")[0], flags))
        raise OptionError(f"'{word}' is one word too many; put a text of several words into quotes")
    return {name: value for name, value in vars(given).items() if value not in (None, [])}


def flags_of(field: Field) -> list[str]:
    """How an option is written: its name, its short name, and how it is switched off."""
    short = field.mark(Short)
    off = [f"--no-{field.flag[2:]}"] if field.kind is bool and field.default is True else []
    return [field.flag, *([short.flag] if short else []), *off]


def _add(parser: ArgumentParser, field: Field) -> None:
    settings: dict[str, Any] = {"dest": field.name}
    names = flags_of(field)
    if field.kind is bool:
        settings["action"] = BooleanOptionalAction if field.default else "store_true"
        names = [name for name in names if not name.startswith("--no-")]
    elif field.is_several:
        settings["action"] = "append"
    parser.add_argument(*names, **settings)
