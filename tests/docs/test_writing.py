"""The tables of docs/ and the stub, written from options: what is committed is what would be written."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import headscope
from docs.writing import BEGIN, END, STUB, option_table, stub, taken, with_table
from headscope.cli.help import names_of
from headscope.cli.shell import fields_with
from headscope.errors import HeadscopeError
from headscope.questions import VERBS, Verb
from headscope.questions.marks import Argument, InPython

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(params=VERBS.values(), ids=VERBS)
def verb(request: pytest.FixtureRequest) -> Verb:
    verb: Verb = request.param
    return verb


@pytest.fixture(scope="module")
def functions() -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(stub()).body if isinstance(node, ast.FunctionDef)}


def test_the_page_of_a_verb_has_the_table_of_its_options(verb: Verb) -> None:
    page = (DOCS / f"{verb.name}.md").read_text("utf-8")
    assert page.count(BEGIN) == page.count(END) == page.count("## Options\n") == 1
    assert with_table(page, verb) == page, "run `make written`"


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


def test_a_page_without_marks_is_told() -> None:
    with pytest.raises(HeadscopeError, match=r"docs/survey.md has no lines <!-- options -->"):
        with_table("# Survey\n", VERBS["survey"])


def test_what_stands_around_a_table_stays() -> None:
    page = with_table(f"# A\n{BEGIN}\na stale row\n{END}\nlast\n", VERBS["maps"])
    assert page.startswith(f"# A\n{BEGIN}\n\n| option |") and page.endswith(f"|\n\n{END}\nlast\n")
    assert "a stale row" not in page and with_table(page, VERBS["maps"]) == page


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
    assert told.keys() == VERBS.keys() and others == {"maps": "DataArray", "finetune": "Finetuned"}


def test_types_are_what_python_may_give() -> None:
    assert taken(tuple[Path, ...]) == "str | Path | Sequence[str | Path]"
    assert taken(int | None) == "int | None"
    assert taken("Anything[else]") == "Anything[else]"
