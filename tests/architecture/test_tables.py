"""The tables of pictures, verbs, readers and public names say what is in the folders."""

from __future__ import annotations

from importlib import import_module

import pytest

import headscope
from headscope.cli.main import VERBS
from headscope.plots import PICTURES
from headscope.text.readers import READERS, read_plain
from tests.architecture.source import ROOT, top_level_functions


def test_pictures() -> None:
    """A picture is a file that says what it needs and draws."""
    inside = {
        path.stem
        for path in (ROOT / "plots").glob("*.py")
        if path.stem != "__init__" and {"needs", "draw"} <= top_level_functions(path).keys()
    }
    assert inside == set(PICTURES)
    assert all(place == f"headscope.plots.{name}" for name, place in PICTURES.items())


def test_verbs() -> None:
    """A verb is a file with a function of its own name."""
    inside = {path.stem for path in (ROOT / "cli").glob("*.py") if path.stem in top_level_functions(path)}
    assert inside == set(VERBS) and len(VERBS) == len(set(VERBS))


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
    assert set(headscope.__all__) == {*headscope._PLACES, "__version__", "attention"}
    for name, place in headscope._PLACES.items():
        assert getattr(headscope, name) is getattr(import_module(place), name)


def test_attention_is_a_room_and_a_verb() -> None:
    from headscope.attention import attach
    from headscope.errors import InputError

    assert headscope.attention.attach is attach
    with pytest.raises(InputError, match=r"the text is empty"):
        headscope.attention("default", "")


def test_an_unknown_public_name_is_explained() -> None:
    with pytest.raises(AttributeError, match=r"headscope has no 'survy'; it offers .*survey"):
        headscope.survy  # noqa: B018
