"""Options of a question, each written once: its type, its limits, its place and its help.

The fields of an `Options` class are the command line of a verb, the keywords of its Python function, what
run.json records and `resume` reads, and the tables of the documentation. Values are checked here and nowhere
else, so that all of these refuse alike.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass
from dataclasses import fields as dataclass_fields
from functools import cache
from itertools import chain
from math import inf
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from headscope.errors import OptionError, RunError, choose_from
from headscope.heads import SELECTION, parse_numbers
from headscope.questions.marks import Argument, At, Between, Such, Suffix
from headscope.results.plain import plain, without_numpy

IN_MEMORY = "in memory"
"""The key under which run.json names a thing that only Python has."""

Mark = TypeVar("Mark")


@dataclass(frozen=True)
class Field:
    """One option: what it may be, what it is by default, and its help."""

    name: str
    type: Any
    default: Any
    help: str
    marks: tuple[Any, ...]

    def mark(self, kind: type[Mark]) -> Mark | None:
        """The mark of a kind, if the option bears one."""
        return next((mark for mark in self.marks if isinstance(mark, kind)), None)

    @property
    def flag(self) -> str:
        """How it is written in a command."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def called(self) -> str:
        """What a user calls it: by its place, or as it is written in a command."""
        return getattr(self.mark(Argument), "name", self.flag)

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def kind(self) -> Any:
        """The type of a value that is given."""
        if get_origin(self.type) in (Union, UnionType):
            return next(kind for kind in get_args(self.type) if kind is not NoneType)
        return self.type

    @property
    def may_be_none(self) -> bool:
        return self.kind is Any or NoneType in get_args(self.type)

    @property
    def listed(self) -> Any:
        """The tuple that Python may give for one value, as in `str | tuple[str, ...]`, if any."""
        kinds = get_args(self.type) if get_origin(self.type) in (Union, UnionType) else ()
        return next((kind for kind in kinds if get_origin(kind) is tuple and kind != self.kind), None)

    @property
    def is_several(self) -> bool:
        """Whether it may be given several times."""
        return get_origin(self.kind) is tuple and not self.is_numbers

    @property
    def is_thing(self) -> bool:
        """Whether it is or names a model, data or a run, which have an identity of their own."""
        return Any in (self.kind, *get_args(self.kind))

    @property
    def is_numbers(self) -> bool:
        """Whether it is a selection such as 0,2,5-7."""
        return get_origin(self.kind) is tuple and get_args(self.kind)[0] is int

    @property
    def example(self) -> str:
        """How such a selection may be written."""
        return next((mark.example for mark in self.marks if isinstance(mark, Such)), SELECTION)

    @property
    def choices(self) -> tuple[str, ...]:
        """The words among which it is chosen, none where any will do."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    def checked(self, value: Any) -> Any:
        """The value in its own type; refused where it does not fit."""
        if value is None and self.may_be_none:
            return None
        if self.listed is not None and isinstance(value, Iterable) and not isinstance(value, str):
            return tuple(self._single(get_args(self.listed)[0], each) for each in value)
        made: Any = self._several(value) if get_origin(self.kind) is tuple else self._single(self.kind, value)
        for mark in self.marks:
            if isinstance(mark, At | Between) and (wrong := [x for x in _each(made) if not mark.holds(x)]):
                shown = f"{wrong[0]:g}" if isinstance(made, tuple) else value
                raise OptionError(f"{self.flag} must be {mark}, not {shown}")
            if isinstance(mark, Suffix) and made.is_dir():
                raise OptionError(f"{self.flag} {value} is a folder; name the file to write")
            if isinstance(mark, Suffix) and made.suffix.lower() not in mark.allowed:
                raise OptionError(f"{self.flag} {value}: the name must end with {' or '.join(mark.allowed)}")
        return made

    def recorded(self, value: Any) -> Any:
        """The value as JSON can hold it; of a thing that only Python has, its kind."""
        if self.is_several:
            return [_recorded(each) for each in value]
        return _recorded(value) if self.kind is Any else plain(value)

    def _several(self, value: Any) -> tuple[Any, ...]:
        inner = get_args(self.kind)[0]
        if self.is_numbers and isinstance(value, str):
            return tuple(parse_numbers(value, self.name, self.example))
        if value is None:
            return ()
        values = value if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
        if inner is float:  # a command may write 0,0.1,1
            values = chain.from_iterable(v.split(",") if isinstance(v, str) else [v] for v in values)
        return tuple(self._single(inner, each) for each in values)

    def _single(self, kind: Any, value: Any) -> Any:
        if kind is Any:
            return value
        value = without_numpy(value)
        if self.choices:
            if value not in self.choices:
                raise OptionError(choose_from(self.flag, value, self.choices))
            return str(value)
        if kind is bool and isinstance(value, bool):
            return value
        if kind in (int, float) and not isinstance(value, bool):
            return self._number(kind, value)
        if kind is Path and isinstance(value, str | Path):
            return Path(value)
        if kind is str and isinstance(value, str):
            return value
        raise OptionError(f"{self.flag} takes {_WORDS[kind]}, not {value!r}")

    def _number(self, kind: type, value: Any) -> Any:
        with suppress(TypeError, ValueError, OverflowError):
            made = kind(value)
            if isinstance(value, str) or made == value or made != made:
                return made
        raise OptionError(f"{self.flag} takes {_WORDS[kind]}, not {value!r}")


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _recorded(value: Any) -> Any:
    return plain(value) if isinstance(value, str | float | Path | None) else {IN_MEMORY: type(value).__name__}


_WORDS = {bool: "True or False", int: "a whole number", float: "a number", Path: "a path", str: "text"}


@dataclass(frozen=True, kw_only=True)
class Options:
    """What every question may be asked with. The docstring of a question's own class is its help."""

    def __post_init__(self) -> None:
        for field in fields_of(type(self)):
            object.__setattr__(self, field.name, field.checked(getattr(self, field.name)))
        self.check()

    def check(self) -> None:
        """Refuse values that do not fit together."""

    def plain(self) -> dict[str, Any]:
        """The options as JSON can hold them; a thing that only Python has is named."""
        return {field.name: field.recorded(getattr(self, field.name)) for field in fields_of(type(self))}

    def decided(self, **instead: Any) -> dict[str, Any]:
        """What was chosen beside model and data, for the record; `instead`: what was decided for the user."""
        fields = (field for field in fields_of(type(self)) if not field.is_thing)
        return {field.name: getattr(self, field.name) for field in fields} | instead

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Self:
        """The options that were recorded; refused where one of them was a thing in memory."""
        known = [field.name for field in fields_of(cls)]
        for name, value in values.items():
            if name not in known:
                raise RunError(f"{choose_from('option', name, known)}; another version wrote it")
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, dict) and IN_MEMORY in each:
                    raise RunError(f"'{name}' was given in Python and is on no disk ({each[IN_MEMORY]})")
        return cls(**values)


def fields_of(options: type[Options]) -> tuple[Field, ...]:
    """The options of a class, its own before those of the classes it builds on."""
    return _fields(options)  # type: ignore[arg-type]


@cache
def _fields(options: Any) -> tuple[Field, ...]:
    hints, docs = get_type_hints(options, include_extras=True), _docs(options)
    by_name = {field.name: field for field in dataclass_fields(options)}
    own_first = dict.fromkeys(
        name for base in options.__mro__ for name in vars(base).get("__annotations__", ())
    )
    fields = []
    for name in own_first:
        bare, *marks = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        fields.append(Field(name, bare, by_name[name].default, docs[name], tuple(marks)))
    return tuple(fields)


def placed(fields: Iterable[Field]) -> list[tuple[Argument, Field]]:
    """The options that are given by their place, in order."""
    marked: list[tuple[Argument, Field]] = []
    for field in fields:
        mark = field.mark(Argument)
        if mark is not None:
            marked.append((mark, field))
    return sorted(marked, key=lambda pair: pair[0].place)


def complete(name: str, options: type[Options], values: Mapping[str, Any]) -> Options:
    """The options of a verb or command of that name; what is missing or empty is told."""
    fields = sorted(fields_of(options), key=lambda field: getattr(field.mark(Argument), "place", inf))
    missing = [field for field in fields if field.required and values.get(field.name) is None]
    if missing:
        needed = " and ".join(field.called for field in missing)
        raise OptionError(f"{name} needs {needed}: {missing[0].help}")
    for field in fields:
        given = values.get(field.name)
        if field.is_thing and isinstance(given, str) and not given:  # as a path, that is the folder here
            raise OptionError(f"{field.called} is empty")
    return options(**values)


def _docs(options: type[Options]) -> dict[str, str]:
    """The docstring below each field, from the source."""
    docs: dict[str, str] = {}
    for base in reversed(options.__mro__[:-1]):
        body = ast.parse(inspect.cleandoc("\n" + inspect.getsource(base))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    docs[name] = " ".join(text.split())
    return docs
