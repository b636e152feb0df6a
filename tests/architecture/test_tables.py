"""The tables of pictures, verbs, readers and public names say what is in the folders."""

from __future__ import annotations

from importlib import import_module
from inspect import signature

import pytest

import headscope
from headscope.cli.main import COMMANDS
from headscope.questions import VERBS, Verb
from headscope.questions.marks import InCommand
from headscope.questions.options import fields_of
from headscope.text.readers import READERS, read_plain
from tests.architecture.source import ROOT, top_level_functions


@pytest.mark.parametrize(
    "verb", [verb for verb in VERBS.values() if verb.has("pictures")], ids=lambda verb: verb.name
)
def test_pictures(verb: Verb) -> None:
    """A picture is a file that says what it needs and draws."""
    folder = ROOT / "questions" / verb.name / "pictures"
    inside = {
        path.stem for path in folder.glob("*.py") if {"needs", "draw"} <= top_level_functions(path).keys()
    }
    pictures = verb.module("pictures").PICTURES
    assert inside == set(pictures)
    assert all(picture.caption for picture in pictures.values())


def test_commands() -> None:
    """A command that is no question is a file with its options and what runs it."""
    inside = {path.stem for path in (ROOT / "cli").glob("*.py") if "run" in top_level_functions(path)}
    assert inside == {*COMMANDS, "main"} and not COMMANDS.keys() & VERBS.keys()


def test_readers() -> None:
    """A reader takes a path, a label and the columns; plain text is for what no suffix claims."""
    arguments = ["path", "label", "columns"]
    inside = {
        name
        for path in (ROOT / "text" / "readers").glob("*.py")
        for name, function in top_level_functions(path).items()
        if not name.startswith("_") and [one.arg for one in function.args.args] == arguments
    }
    assert inside == {reader.__name__ for reader in (*READERS.values(), read_plain)}
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in READERS)


def test_public_names() -> None:
    assert set(headscope.__all__) == {*headscope._PLACES, *VERBS, "__version__"} == set(dir(headscope))
    for name, place in headscope._PLACES.items():
        assert getattr(headscope, name) is getattr(import_module(place), name)


@pytest.mark.parametrize("verb", VERBS)
def test_the_function_of_a_verb_has_its_options(verb: str) -> None:
    """Its parameters are the options, those with a place first; its documentation tells them all."""
    function = getattr(headscope, verb)
    fields = [field for field in fields_of(VERBS[verb].options) if field.mark(InCommand) is None]
    assert {field.name for field in fields} <= set(signature(function).parameters)
    assert all(f"{field.name}: {field.help}" in function.__doc__ for field in fields)
    assert function.__name__ == verb


def test_attention_is_a_room() -> None:
    from headscope.attention import attach

    assert headscope.attention.attach is attach and not callable(headscope.attention)


def test_an_unknown_public_name_is_explained() -> None:
    with pytest.raises(AttributeError, match=r"headscope has no 'survy'; it offers .*survey"):
        headscope.survy  # noqa: B018
