"""The wire's types, and colours, as TypeScript: `python -m client.wire FOLDER` writes client/src/wire."""

from __future__ import annotations

import json
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from headscope.drawing.palette import KINDS
from headscope.results.files import write_text
from headscope.web.live_wire import MadeQuestion, Problem, Question, WhyQuestion
from headscope.web.look_wire import MadeWire
from headscope.web.wire import Page

ROOTS = (Page, Question, WhyQuestion, MadeQuestion, MadeWire, Problem)
HOMES = ("look", "report", "live", "wire")
"""The files, after the modules that declare the types."""

_FIRST = "// Written by `python -m client.wire`; do not edit."
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def typescript() -> dict[str, str]:
    """The text of each file of the client's wire; `index.ts` hands out all types."""
    found: dict[str, type] = {}
    for root in ROOTS:
        _collect(root, found)
    homes = {home: [found[name] for name in sorted(found) if _home(found[name]) == home] for home in HOMES}
    index = [
        f"export const KINDS = {json.dumps(KINDS)}",
        *(f"export type * from './{home}'" for home in homes),
    ]
    return {
        "index.ts": "\n".join([_FIRST, *index, ""]),
        **{f"{home}.ts": _file(home, kinds) for home, kinds in homes.items()},
    }


def _home(kind: type) -> str:
    """The file of a type: after the module that declares it."""
    return kind.__module__.rpartition(".")[2].removesuffix("_wire")


def _file(home: str, kinds: list[type]) -> str:
    """The types of one file, which takes what they mention from the others."""
    mentioned = {kind.__name__: kind for outer in kinds for kind in _mentioned(outer)}
    imports = []
    for other in HOMES:
        names = [name for name in sorted(mentioned) if _home(mentioned[name]) == other]
        if names and other != home:
            imports.append(f"import type {{ {', '.join(names)} }} from './{other}'")
    return "\n".join([_FIRST, *imports, "", *(_interface(kind) for kind in kinds)])


def _mentioned(kind: type) -> list[type]:
    """Every dataclass in the fields of one."""
    found, parts = [], [*get_type_hints(kind).values()]
    for part in parts:  # which grows while it is gone through
        parts.extend(get_args(part))
        if is_dataclass(part) and isinstance(part, type):
            found.append(part)
    return found


def _collect(kind: type, found: dict[str, type]) -> None:
    """Find a dataclass and all that it leads to."""
    if kind.__name__ not in found:
        found[kind.__name__] = kind
        for inner in _mentioned(kind):
            _collect(inner, found)


def _interface(kind: type) -> str:
    hints = get_type_hints(kind)
    lines = [f"  {field.name}: {written(hints[field.name])}" for field in fields(kind)]
    return "\n".join([f"export interface {kind.__name__} {{", *lines, "}", ""])


def written(kind: Any) -> str:
    """A type as TypeScript writes it.

    >>> written(list[int | None]), written(Literal["a", "b"])
    ('(number | null)[]', '"a" | "b"')
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    if get_origin(kind) is Literal:
        return " | ".join(f'"{word}"' for word in get_args(kind))
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(written(part) for part in get_args(kind))
    if get_origin(kind) is list:
        (inner,) = get_args(kind)
        return f"({written(inner)})[]" if " " in written(inner) else f"{written(inner)}[]"
    if is_dataclass(kind) and isinstance(kind, type):
        return kind.__name__
    raise TypeError(f"{kind} has no TypeScript form here; add one")


if __name__ == "__main__":
    for name, text in typescript().items():
        write_text(Path(sys.argv[1]) / name, text)
