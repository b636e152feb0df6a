"""`--help`: what a command does, an example, and its options by panel, made from the options themselves."""

from __future__ import annotations

import inspect
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from headscope.cli.parsing import flags_of
from headscope.questions.marks import LOOK, PANELS, Argument, At, Between, Group, InPython
from headscope.questions.options import Field, placed

WIDEST, LEFT, LEAST = 100, 24, 20
"""Columns of the screen that are used, of the names of options, and at least beside these."""


def print_help(name: str, documentation: str, fields: Sequence[Field]) -> None:
    """The help of one command."""
    arguments = placed(fields)
    last = max((mark.place for mark, field in arguments if field.required), default=-1)
    usage = [mark.name if mark.place <= last else f"[{mark.name}]" for mark, _ in arguments]
    needed = [names_of(field) for _, inside in by_panel(fields) for field in inside if field.required]
    print("Usage:", " ".join(["headscope", name, *usage, *needed, "[options]"]))
    text, _, example = inspect.cleandoc(documentation).partition("\n\nExample: ")
    for paragraph in text.split("\n\n"):
        print()
        print_paragraph(paragraph, end="")
    if example:
        print(f"\nExample:\n  {example}")
    if arguments:
        print()
    print_table((mark.name, field.help) for mark, field in arguments)
    for panel, inside in by_panel(fields):
        print(f"\n{panel}")
        print_table((names_of(field), described(field)) for field in inside)


def print_paragraph(text: str, end: str = "\n") -> None:
    """Prose in the width that there is, and a blank line."""
    print(textwrap.fill(" ".join(text.split()), _width()) + end)


def by_panel(fields: Sequence[Field]) -> Iterator[tuple[str, list[Field]]]:
    """The options of a command that are given by their names, under the panels they are listed in."""
    said = [field for field in fields if field.mark(Argument) is None and field.mark(InPython) is None]
    for panel in PANELS:
        inside = [field for field in said if getattr(field.mark(Group), "panel", LOOK) == panel]
        if inside:
            yield panel, inside


def print_table(rows: Iterable[tuple[str, str]]) -> None:
    """Names beside what they mean."""
    for name, text in rows:
        lines = textwrap.wrap(text, max(_width() - LEFT, LEAST), break_on_hyphens=False) or [""]
        if len(name) + 4 > LEFT:
            print(f"  {name}")
            name = ""
        for line in lines:
            print(f"  {name:<{LEFT - 2}}{line}".rstrip())
            name = ""


def described(field: Field) -> str:
    """The help of an option, with its choices, limits and default, or that it must be given."""
    limits = [str(mark) for mark in field.marks if isinstance(mark, At | Between) and mark.is_telling]
    facts = [*([" | ".join(field.choices)] if field.choices else []), *limits]
    if field.required:
        facts.append("needed")
    elif not (field.kind is bool or field.default in (None, ())):
        given = field.default
        facts.append(f"default: {','.join(map(str, given)) if isinstance(given, tuple) else given}")
    return f"{field.help} [{'; '.join(facts)}]" if facts else field.help


def names_of(field: Field) -> str:
    """How an option is written, and what stands behind it."""
    if field.kind is bool and field.default is not False:
        return field.flag.replace("--", "--[no-]")
    value = "" if field.kind is bool else f" {_value(field)}"
    return ", ".join(sorted(flags_of(field), key=len)) + value


def _value(field: Field) -> str:
    if field.is_numbers:
        return field.example
    if field.choices:
        return "WORD"
    return {int: "N", float: "X"}.get(field.kind, field.name.upper().rpartition("_")[2])


def _width() -> int:
    return min(shutil.get_terminal_size((80, 24)).columns, WIDEST)
