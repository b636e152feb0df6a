"""The wire's types, and colours, as TypeScript: `python -m client.wire FILE` writes client/src/wire.ts."""

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
from headscope.web.wire import MadeWire, Page

ROOTS = (Page, Question, WhyQuestion, MadeQuestion, MadeWire, Problem)
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def typescript() -> str:
    """The text of the client's wire.ts."""
    found: dict[str, type] = {}
    for root in ROOTS:
        _collect(root, found)
    return "\n".join(
        [
            "// Written by `python -m client.wire`; do not edit.",
            f"export const KINDS = {json.dumps(KINDS)}",
            "",
            *(_interface(found[name]) for name in sorted(found)),
        ]
    )


def _collect(kind: Any, found: dict[str, type]) -> None:
    """Find every dataclass that a type mentions."""
    for part in get_args(kind):
        _collect(part, found)
    if is_dataclass(kind) and isinstance(kind, type) and kind.__name__ not in found:
        found[kind.__name__] = kind
        for hint in get_type_hints(kind).values():
            _collect(hint, found)


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
    write_text(Path(sys.argv[1]), typescript())
