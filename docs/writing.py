"""What is written from options and declarations of verbs, and from what was measured: blocks of pages, types.

`python -m docs.writing` writes what stands between two marks of each docs/VERB.md: its options, and the
tables that it gives; the tables of docs/papers, the gallery, and what README.md shows of the demo
(docs/told.py). And `__init__.pyi`, from which type checkers and editors know the names that `headscope`
imports on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from textwrap import wrap
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import headscope
from docs import sized
from docs.blocks import filled
from docs.measured import DOCS, tables, with_tables
from docs.told import told_pages
from headscope.cli.help import by_panel, described, names_of
from headscope.cli.shell import fields_with
from headscope.questions import VERBS, Verb
from headscope.questions.marks import InPython
from headscope.questions.options import placed
from headscope.results.declaration import Declaration
from headscope.results.files import write_text
from headscope.results.result import Result

STUB = Path(headscope.__file__).with_suffix(".pyi")
WIDTH = 110
_HEAD = """# Written by `python -m docs.writing`; do not edit.
# fmt: off
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal
"""


def option_table(verb: Verb) -> str:
    """The options of a verb as Markdown: arguments first, then panel by panel, then what Python alone has."""
    fields = fields_with(verb.options)
    rows = [("option", "meaning"), ("---", "---")]
    rows += [(f"`{mark.name}`", field.help) for mark, field in placed(fields)]
    for panel, inside in by_panel(fields):
        rows.append((f"**{panel}**", ""))
        rows += [(f"`{names_of(field)}`", described(field)) for field in inside]
    in_python = [field for field in fields if field.mark(InPython) is not None]
    if in_python:
        rows.append(("**In Python alone**", ""))
        rows += [(f"`{field.name}=`", described(field)) for field in in_python]
    return "\n".join(f"| {name} | {_escaped(meaning)} |" for name, meaning in rows)


def _escaped(text: str) -> str:
    """As a cell of a table may hold it."""
    return text.replace("|", r"\|")


def tables_of(verb: Verb) -> str:
    """What the tables of a verb hold, as Markdown."""
    return "\n\n".join(_table(name, says) for name, says in verb.tables.items())


def _table(name: str, says: Declaration) -> str:
    named = [f"`{column}`" for column in says.row]
    key = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
    what = f"A row for each {key}" if named else "One row"
    rows = [("column", "meaning", "unit"), ("---", "---", "---")]
    rows += [(f"`{column}`", says.columns[column].says, says.columns[column].unit) for column in says.columns]
    if says.rest is not None:
        rows.append(("others", says.rest.says.replace("{name}", "what the column is called"), says.rest.unit))
    lines = [f"| {column} | {_escaped(meaning)} | {unit} |" for column, meaning, unit in rows]
    title = says.title if says.title.endswith("?") else f"{says.title}."
    return "\n".join([f"**`{name}`**: {title} {what}.", "", *lines])


BLOCKS = {"options": option_table, "tables": tables_of}
"""What stands between the marks of a page."""


def with_blocks(page: str, verb: Verb) -> str:
    """The text of a page with what is written between its marks."""
    for block, write_block in BLOCKS.items():
        page = filled(page, block, write_block(verb), f"docs/{verb.name}.md")
    return page


def stub() -> str:
    """The text of headscope's `__init__.pyi`."""
    places: dict[str, str] = vars(headscope)["_PLACES"]
    returned = {name: _returned(verb) for name, verb in VERBS.items()}
    own = {f"from {place} import {name} as {name}" for name, place in places.items()}
    kinds = {kind for kinds in returned.values() for kind in kinds if kind is not Any}
    theirs = {f"from {_place(kind)} import {kind.__name__}" for kind in kinds}
    is_ours = f"from {headscope.__name__}."
    others = sorted(line for line in theirs if not line.startswith(is_ours))
    ours = sorted(own | theirs.difference(others), key=lambda line: line.lower())
    functions = [_function(VERBS[name], returned[name]) for name in sorted(VERBS)]
    top = [_HEAD, *others, "", *ours, "", "__all__: list[str]", "__version__: str", ""]
    return "\n".join(top + functions)


def _function(verb: Verb, returned: tuple[Any, ...]) -> str:
    documentation = cleandoc(verb.options.__doc__ or "").partition("\n")[0]
    lines = _filled(_parameters(signature(getattr(headscope, verb.name)).parameters.values()))
    given = " | ".join(kind.__name__ for kind in returned)
    body = [f"def {verb.name}(", *(f"    {line}" for line in lines), f") -> {given}:"]
    return "\n".join([*body, f'    """{documentation}"""', ""])


def _parameters(parameters: Iterable[Parameter]) -> Iterator[str]:
    by_place = True
    for parameter in parameters:
        if by_place and parameter.kind is Parameter.KEYWORD_ONLY:
            by_place = False
            yield "*"
        default = "" if parameter.default is Parameter.empty else " = ..."
        yield f"{parameter.name}: {taken(parameter.annotation)}{default}"


def _filled(parameters: Iterable[str]) -> list[str]:
    """Lines with as many parameters as fit; one that is too long for a line takes several."""
    lines = [""]
    for parameter in parameters:
        if len(parameter) > WIDTH - 5:
            lines += wrap(f"{parameter},", WIDTH - 4, subsequent_indent="    ")
            continue
        longer = f"{lines[-1]} {parameter},".lstrip()
        if lines[-1] and len(longer) > WIDTH - 4:
            lines.append(f"{parameter},")
        else:
            lines[-1] = longer
    return lines


def taken(kind: Any) -> str:
    """What an option of a type takes in Python, as it is written.

    >>> taken(Path | None), taken(tuple[int, ...]), taken(Literal["a", "b"])
    ('str | Path | None', 'str | int | Sequence[int]', 'Literal["a", "b"]')
    >>> taken(str | tuple[str, ...])
    'str | Sequence[str]'
    """
    if isinstance(kind, str):
        return kind
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(dict.fromkeys(word for part in get_args(kind) for word in taken(part).split(" | ")))
    if get_origin(kind) is Literal:
        return "Literal[" + ", ".join(f'"{word}"' for word in get_args(kind)) + "]"
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        single = taken(inner)
        # A selection of numbers can be written as text, such as 0,2,5-7.
        text = "str | " if inner is int else ""
        return single if inner is Any else f"{text}{single} | Sequence[{single}]"
    return {Any: "Any", Path: "str | Path", NoneType: "None"}.get(kind) or kind.__name__


def _returned(verb: Verb) -> tuple[Any, ...]:
    """What a verb's function may give: what is handed over, else the result."""
    hand_over = getattr(verb.module("answer"), "hand_over", None)
    kind: Any = Result if hand_over is None else get_type_hints(hand_over)["return"]
    return get_args(kind) or (kind,)


def _place(kind: type) -> str:
    """Where to import a class from: the top of its package, where that has it."""
    top = kind.__module__.partition(".")[0]
    return top if getattr(import_module(top), kind.__name__, None) is kind else kind.__module__


def write() -> None:
    """Write all blocks and the stub."""
    for verb in VERBS.values():
        page = Path(__file__).with_name(f"{verb.name}.md")
        write_text(page, with_blocks(page.read_text("utf-8"), verb))
    for name in tables():
        page = DOCS / f"{name}.md"
        write_text(page, with_tables(page.read_text("utf-8"), name))
    write_text(sized.PAGE, sized.with_sizes(sized.PAGE.read_text("utf-8")))
    for page, text in told_pages():
        write_text(page, text)
    write_text(STUB, stub())


if __name__ == "__main__":
    write()
