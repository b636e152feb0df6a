"""Verbs as Python functions: what they take, and runs that Python began and a command goes on with."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

import headscope
from headscope.engine import scoring, shards
from headscope.errors import OptionError
from headscope.models import Model
from headscope.questions import VERBS
from headscope.questions.asking import arguments_of
from headscope.questions.groups import KeepsRun
from headscope.questions.marks import InCommand
from headscope.questions.options import fields_of
from headscope.tasks import training
from tests.cli.conftest import command, written
from tests.cli.folders import save
from tests.cli.labelled import save_model, write_texts
from tests.mentions import conll, mixed
from tests.stops import Stop, results
from tests.trees import conllu, treebank

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


def a_survey(place: Path) -> tuple[Model, dict[str, Any]]:
    (place / "mine.txt").write_text(written(20))
    return headscope.load(save(place, "bert")), {"text": "mine.txt", "pieces": 32, "distances": False}


def syntax(place: Path) -> tuple[Model, dict[str, Any]]:
    (place / "trees.conllu").write_text(conllu(treebank(12)))
    return headscope.load(save(place, "bert")), {"treebank": Path("trees.conllu"), "least": 5, "twins": 1}


def coref(place: Path) -> tuple[Model, dict[str, Any]]:
    (place / "small.conll").write_text(conll(mixed()))
    return headscope.load(save(place, "bert")), {"corpus": "small.conll", "window": 22, "twins": 1}


def probe(place: Path) -> tuple[Model, dict[str, Any]]:
    (place / "trees.conllu").write_text(conllu(treebank(12)))
    options = {"seeds": 1, "twins": 1, "epochs": 1, "pieces": 40, "control": False}
    return headscope.load(save(place, "bert")), {"treebank": "trees.conllu", **options}


def finetune(place: Path) -> tuple[Model, dict[str, Any]]:
    options = {"data": write_texts(place / "train.tsv", 40).name, "epochs": 2, "batch_size": 4}
    return headscope.load(save(place, "bert")), options


def ablate(place: Path) -> tuple[Model, dict[str, Any]]:
    options = {"data": write_texts(place / "test.tsv", 40).name, "layers": "0-1"}
    return headscope.load(save_model(place / "classifier"), dtype="float64"), options


def prune(place: Path) -> tuple[Model, dict[str, Any]]:
    data = {"data": write_texts(place / "test.tsv", 40).name, "train": write_texts(place / "a.tsv", 20, 1)}
    options = {"steps": 2, "random": 1, "gate_steps": 4, "remove": 0.25, "speed": False}
    return headscope.load(save_model(place / "classifier")), data | options


CASES: dict[str, tuple[Callable[[Path], tuple[Model, dict[str, Any]]], int]] = {
    "survey": (a_survey, 3), "syntax": (syntax, 6), "coref": (coref, 4), "probe": (probe, 6),
    "finetune": (finetune, 7), "ablate": (ablate, 3), "prune": (prune, 6),
}  # fmt: skip
"""How a verb is asked of a loaded model, with data named as seen from a folder; when it is stopped."""


def test_every_verb_that_can_be_stopped_is_here() -> None:
    # What compares runs is done in one step.
    assert set(CASES) == set(KEPT) - {"compare"}


@pytest.mark.parametrize("verb", CASES)
def test_a_command_goes_on_with_what_python_began(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From another folder, with the model and data that are on disk, to the same bits."""
    monkeypatch.setattr(shards.shards, "__defaults__", (300,))
    monkeypatch.setattr(scoring, "CHARACTERS", 300)
    monkeypatch.setattr(training, "monotonic", lambda: 0.0)  # a table tells how long the training took
    (place := tmp_path / "work").mkdir()
    monkeypatch.chdir(place)
    make, after = CASES[verb]
    model, options = make(place)
    function = getattr(headscope, verb)
    function(model, **options, out="whole", plots=False)
    with pytest.raises(KeyboardInterrupt):
        function(model, **options, out="run", plots=False, progress=Stop(after))
    run = headscope.open("run")
    assert run.unfinished == [verb] and (place / "run" / "shards").exists()
    monkeypatch.chdir(tmp_path)
    done = command("resume", "work/run")
    assert (done.code, done.err) == (0, f"resuming {verb} in {place}\n")
    assert results(place / "run", 9) == results(place / "whole", 9)
    assert headscope.open(place / "run").notes(verb) == headscope.open(place / "whole").notes(verb)
    asked = [question(place / name, verb) for name in ("run", "whole")]
    assert asked[0]["options"] == asked[1]["options"] and asked[0]["folder"] == str(place)
    assert not asked[0]["plots"]


def question(run: Path, verb: str) -> dict[str, Any]:
    record = json.loads((run / "run.json").read_text())
    asked: dict[str, Any] = record["verbs"][verb]["asked"]["question"]
    return asked


def test_what_is_in_memory_goes_on_in_python_alone(tmp_path: Path) -> None:
    texts, run = written(20).split("\n\n"), tmp_path / "run"
    options: dict[str, Any] = {"pieces": 32, "batch_size": 1, "distances": False, "plots": False}
    model = headscope.load(save(tmp_path, "bert"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shards.shards, "__defaults__", (300,))
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
