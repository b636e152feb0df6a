"""What docs/ and the stub have from options and declarations: what is committed is what would be written."""

from __future__ import annotations

import ast
import inspect
from collections import namedtuple
from pathlib import Path

import pytest

import headscope
from docs.blocks import marks_of
from docs.writing import BLOCKS, STUB, option_table, stub, tables_of, taken, with_blocks
from headscope.cli.help import names_of
from headscope.cli.shell import fields_with
from headscope.errors import HeadscopeError
from headscope.questions import VERBS, Verb
from headscope.questions.marks import Argument, InPython
from headscope.results.declaration import Column, Declaration

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(params=VERBS.values(), ids=VERBS)
def verb(request: pytest.FixtureRequest) -> Verb:
    verb: Verb = request.param
    return verb


@pytest.fixture(scope="module")
def functions() -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(stub()).body if isinstance(node, ast.FunctionDef)}


def test_the_page_of_a_verb_has_its_options_and_tables(verb: Verb) -> None:
    page = (DOCS / f"{verb.name}.md").read_text("utf-8")
    assert page.count("## Options\n") == page.count("## Tables\n") == 1
    assert all(page.count(mark) == 1 for block in BLOCKS for mark in marks_of(block))
    assert with_blocks(page, verb) == page, "run `make written`"


def test_the_first_page_leads_to_that_of_every_verb(verb: Verb) -> None:
    for name in ("index.md", "cli.md"):
        assert f"({verb.name}.md)" in (DOCS / name).read_text("utf-8"), name


def test_a_table_names_every_option_once(verb: Verb) -> None:
    named = [row.split(" | ")[0].removeprefix("| ") for row in option_table(verb).splitlines()]
    for field in fields_with(verb.options):
        mark = field.mark(Argument)
        written = f"{field.name}=" if field.mark(InPython) else mark.name if mark else names_of(field)
        assert named.count(f"`{written}`") == 1, field.name


def test_bars_do_not_break_a_row(verb: Verb) -> None:
    for row in option_table(verb).splitlines():
        assert row.replace(r"\|", "").count("|") == 3, row
    for row in tables_of(verb).splitlines():
        assert row.replace(r"\|", "").count("|") == (4 if row.startswith("|") else 0), row


def test_a_table_is_told_with_its_row_and_columns() -> None:
    says = Declaration(
        "Gaps between heads",
        ("head", "kind"),
        {"head": Column("head"), "kind": Column("kind of gap"), "gap": Column("gap | none", "nats")},
        rest=Column("gap of {name}"),
    )
    verb = namedtuple("Told", "tables")({"gaps": says})
    assert tables_of(verb).splitlines() == [
        "**`gaps`**: Gaps between heads. A row for each `head` and `kind`.",
        "",
        "| column | meaning | unit |",
        "| --- | --- | --- |",
        "| `head` | head |  |",
        "| `kind` | kind of gap |  |",
        r"| `gap` | gap \| none | nats |",
        "| others | gap of what the column is called |  |",
    ]


def test_a_page_without_marks_is_told() -> None:
    with pytest.raises(HeadscopeError, match=r"docs/survey.md has no lines <!-- options -->"):
        with_blocks("# Survey\n", VERBS["survey"])
    with pytest.raises(HeadscopeError, match=r"docs/maps.md has no lines <!-- tables -->"):
        with_blocks("<!-- options -->\n<!-- /options -->\n", VERBS["maps"])


def test_what_stands_around_a_block_stays() -> None:
    (begin, end), (first, last) = (marks_of(block) for block in BLOCKS)
    page = with_blocks(
        f"# A\n{first}\nstale\n{last}\nmiddle\n{begin}\na stale row\n{end}\nlast\n", VERBS["maps"]
    )
    assert (
        page.startswith(f"# A\n{first}\n\n**`links`**") and f"|\n\n{last}\nmiddle\n{begin}\n\n| opt" in page
    )
    assert page.endswith(f"|\n\n{end}\nlast\n")
    assert "stale" not in page and with_blocks(page, VERBS["maps"]) == page


def test_the_stub_is_what_would_be_written() -> None:
    assert STUB.read_text("utf-8") == stub(), "run `make written`"


def test_the_stub_has_every_public_name(functions: dict[str, ast.FunctionDef]) -> None:
    names = set(functions)
    for node in ast.parse(stub()).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.name for alias in node.names if alias.asname == alias.name}
    assert names - {"__all__"} == set(headscope.__all__)


def test_a_function_of_the_stub_has_the_parameters_of_the_real_one(
    verb: Verb, functions: dict[str, ast.FunctionDef]
) -> None:
    real = inspect.signature(getattr(headscope, verb.name)).parameters.values()
    written = functions[verb.name].args
    by_place = [one.name for one in real if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    by_name = [one.name for one in real if one.kind is inspect.Parameter.KEYWORD_ONLY]
    assert [one.arg for one in written.args] == by_place
    assert [one.arg for one in written.kwonlyargs] == by_name
    must = [one.name for one in real if one.default is inspect.Parameter.empty]
    defaults = zip(written.kwonlyargs, written.kw_defaults, strict=True)
    without = by_place[: len(by_place) - len(written.defaults)]
    assert without + [one.arg for one, default in defaults if default is None] == must


def test_what_a_verb_hands_over_is_told(functions: dict[str, ast.FunctionDef]) -> None:
    told = {name: ast.unparse(node.returns) for name, node in functions.items() if node.returns}
    others = {name: kind for name, kind in told.items() if kind != "Result"}
    assert told.keys() == VERBS.keys() and others == {
        "maps": "DataArray | Any",
        "finetune": "Finetuned",
        "train": "Trained",
    }


def test_types_are_what_python_may_give() -> None:
    assert taken(tuple[Path, ...]) == "str | Path | Sequence[str | Path]"
    assert taken(int | None) == "int | None"
    assert taken("Anything[else]") == "Anything[else]"
