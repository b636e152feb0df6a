"""The mistakes headscope can explain: each message says where, what came, what was expected, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from os import PathLike


class HeadscopeError(Exception):
    """Something the user can put right; the command line shows its text alone and exits with 2.

    in_python: what else can be done by who calls a function, which is no advice for a shell.

    >>> error = HeadscopeError("it holds no tokenizer", in_python="give one: load(model, tokenizer=...)")
    >>> str(error), error.text
    ('it holds no tokenizer; give one: load(model, tokenizer=...)', 'it holds no tokenizer')
    """

    def __init__(self, text: str = "", *, in_python: str = "") -> None:
        super().__init__(text)
        self.text, self.in_python = text, in_python

    def __str__(self) -> str:
        return f"{self.text}; {self.in_python}" if self.in_python else self.text


class InputError(HeadscopeError):
    """A text, table or treebank that cannot be read."""


class ModelError(HeadscopeError):
    """A model that cannot be loaded, or that cannot do what was asked of it."""


class RunError(HeadscopeError):
    """A run folder that cannot be read, written or continued."""


class OptionError(HeadscopeError):
    """An option whose value does not fit."""


def located(path: str | PathLike[str], line: int | None, message: str) -> str:
    """Prefix a message with file and line, as compilers do.

    >>> located("a.txt", 3, "a cut line")
    'a.txt:3: a cut line'
    """
    where = str(path) if line is None else f"{path}:{line}"
    return f"{where}: {message}"


def choose_from(kind: str, given: object, available: Iterable[object]) -> str:
    """Word the error for a name that does not exist.

    >>> choose_from("verb", "survy", ["survey", "info"])
    "unknown verb 'survy'; did you mean 'survey'? Available: survey, info"
    """
    names = [str(name) for name in available]
    close = get_close_matches(str(given), names, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else "."
    return f"unknown {kind} '{given}'{hint} Available: {', '.join(names)}"
