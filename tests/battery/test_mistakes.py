"""A user's mistake is told by every verb in one sentence, with exit code 2, and nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headscope.questions import VERBS
from headscope.questions.groups import OfModel
from headscope.questions.marks import Argument
from headscope.questions.options import Field, fields_of
from tests.battery.asked import asked_of
from tests.battery.desk import Desk
from tests.cli.conftest import Outcome, contents


def field_of(verb: str, name: str) -> Field:
    return next(field for field in fields_of(VERBS[verb].options) if field.name == name)


DATA = [(verb, name) for verb in VERBS for name in asked_of(verb).data]
PLACES = [(verb, name) for verb, name in DATA if field_of(verb, name).kind is not str]
"""Without what is typed in."""

SECOND = [
    (verb, name)
    for verb, name in PLACES
    if issubclass(VERBS[verb].options, OfModel) and field_of(verb, name).mark(Argument) is not None
]
"""Data that are given behind the model."""


def refused(desk: Desk, *more: object, **options: Any) -> str:
    """The message with which a changed question is refused."""
    before = contents(desk.folder)
    done: Outcome = desk.command(*more, **options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("headscope: ") and done.err.count("\n") == 1
    assert contents(desk.folder) == before
    return done.err


@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_option(desk: Desk) -> None:
    assert "unknown option '--colour'" in refused(desk, "--colour", "red")


@pytest.mark.parametrize(("verb", "name"), DATA)
def test_empty_data(desk: Desk, name: str) -> None:
    """A file without a word, a text of spaces, a folder with nothing in it."""
    empty = emptied(desk.folder, desk.options[name])
    message = refused(desk, **{name: empty})
    assert "empty" in message or "is not a run folder" in message


@pytest.mark.parametrize(("verb", "name"), PLACES)
def test_data_that_is_not_there(desk: Desk, name: str) -> None:
    value = desk.options[name]
    missing = ["nowhere"] * len(value) if isinstance(value, list) else "nowhere.txt"
    assert "nowhere" in refused(desk, **{name: missing})


@pytest.mark.parametrize("model", ["./nowhere", "mamba"])
@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items() if issubclass(verb.options, OfModel)])
def test_a_wrong_model(desk: Desk, model: str) -> None:
    """One that is not there, and one without attention."""
    message = refused(desk, model=model)
    assert "there is no folder ./nowhere" in message if model == "./nowhere" else "mamba" in message.lower()


@pytest.mark.parametrize(("verb", "name"), SECOND)
def test_data_before_the_model(desk: Desk, name: str) -> None:
    """The right order is told; not where the data are there, or the model is no data."""
    hint = f"MODEL comes first: headscope {desk.verb.name} "
    data = str(desk.options[name])
    assert refused(desk, **{"model": data, name: "default"}).endswith(f". {hint}default {data}\n")
    assert hint not in refused(desk, **{"model": data, name: data})
    assert hint not in refused(desk, **{name: "nowhere.txt"})


def emptied(folder: Path, value: Any) -> Any:
    """The same kind of data with nothing in it."""
    if isinstance(value, list):
        return [emptied(folder, each) for each in value]
    path = folder / value
    if path.is_dir():
        empty = folder / "empty folder"
        empty.mkdir(exist_ok=True)
        return empty.name
    if not path.exists():
        return " "
    (folder / f"empty{path.suffix}").write_text("")
    return f"empty{path.suffix}"
