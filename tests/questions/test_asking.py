"""Verbs as Python functions: what they take, and runs that Python began and a command goes on with."""

from __future__ import annotations

from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import headscope
from headscope.errors import OptionError
from headscope.questions import VERBS
from headscope.questions.asking import arguments_of
from headscope.questions.groups import KeepsRun
from headscope.questions.marks import InCommand
from headscope.questions.options import fields_of
from tests.cli.conftest import command, written
from tests.cli.folders import save
from tests.stops import Stop

KEPT = [verb for verb in VERBS if issubclass(VERBS[verb].options, KeepsRun)]


@pytest.mark.parametrize("verb", VERBS)
def test_keywords_are_the_options(verb: str) -> None:
    function, options = getattr(headscope, verb), VERBS[verb].options
    taken = signature(function).parameters
    fields = {field.name: field for field in fields_of(options) if field.mark(InCommand) is None}
    around = {"out": None, "progress": None, "plots": True} if verb in KEPT else {}
    assert set(taken) == fields.keys() | around.keys()
    by_place = [name for name, one in taken.items() if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
    assert by_place == [field.name for field in arguments_of(options)]
    defaults = {name: field.default for name, field in fields.items()} | around
    assert {name: taken[name].default for name in taken if taken[name].default is not Parameter.empty} == {
        name: value for name, value in defaults.items() if taken[name].default is not Parameter.empty
    }
    assert all(taken[name].default is Parameter.empty for name in fields if fields[name].required)


@pytest.mark.parametrize("verb", VERBS)
def test_help_tells_every_option(verb: str) -> None:
    function, options = getattr(headscope, verb), VERBS[verb].options
    assert function.__name__ == verb and function.__doc__.startswith(options.__doc__)
    for field in fields_of(options):
        assert (f"\n{field.name}: {field.help}" in function.__doc__) == (field.mark(InCommand) is None)


@pytest.mark.parametrize("verb", VERBS)
def test_unknown_keywords_are_told(verb: str) -> None:
    with pytest.raises(OptionError, match=f"^{verb}: unknown option 'colour'"):
        getattr(headscope, verb)(colour="red")


@pytest.mark.parametrize("verb", ["maps", "show"])
def test_what_belongs_to_commands_or_runs_is_refused(verb: str) -> None:
    function = getattr(headscope, verb)
    with pytest.raises(OptionError, match=f"^{verb}: --save is for commands; in Python, keep"):
        function("default", "A text.", save="a.pdf")
    with pytest.raises(OptionError, match=f"^{verb}: unknown option 'out'"):
        function("default", "A text.", out="run")


def test_what_is_in_memory_goes_on_in_python_alone(tmp_path: Path) -> None:
    texts, run = written(20).split("\n\n"), tmp_path / "run"
    options: dict[str, Any] = {"pieces": 32, "batch_size": 1, "distances": False, "plots": False}
    options |= {"shard_characters": 300}
    model = headscope.load(save(tmp_path, "bert"))
    with pytest.raises(KeyboardInterrupt):
        headscope.survey(model, texts, out=run, progress=Stop(20), **options)
    done = command("resume", run)
    assert done.code == 2
    assert done.err.endswith(
        f"headscope: {run}: survey: 'text' was given in Python and is on no disk (list); "
        f"make the same call with out={run}\n"
    )
    headscope.survey(model, texts, out=run, **options)
    assert headscope.open(run).unfinished == []
