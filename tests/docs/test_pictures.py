"""Every committed picture can be drawn by the one script, and every verb has one in the gallery."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from docs import pictures
from docs.shots import GALLERY, KEEPERS, KEPT, RUNS, SAVED, SHOTS, names, needed
from headscope.cli.main import COMMANDS
from headscope.errors import RunError
from headscope.questions import VERBS
from headscope.questions.pictures import _offered

IMAGES = Path(__file__).parents[2] / "docs" / "images"
LARGEST = 400_000
DRAWN_HERE = {"behind the first token"}


def test_the_script_draws_exactly_the_pictures_that_are_committed() -> None:
    assert {path.stem for path in IMAGES.iterdir()} == names()


def test_every_picture_is_shown_on_a_page() -> None:
    pages = "".join(
        page.read_text("utf-8") for page in (*IMAGES.parent.rglob("*.md"), IMAGES.parents[1] / "README.md")
    )
    assert {name for name in names() if f"images/{name}.png" not in pages} == set()


def test_pictures_are_small_files() -> None:
    assert {path.name for path in IMAGES.iterdir() if path.stat().st_size > LARGEST} == set()


def test_the_gallery_has_a_picture_of_every_verb() -> None:
    assert set(GALLERY) == set(VERBS)
    assert set(GALLERY.values()) <= names()
    assert all(SHOTS[picture].verb == verb for verb, picture in GALLERY.items() if picture in SHOTS)


@pytest.mark.parametrize("name", sorted({**SHOTS, **KEPT}))
def test_a_picture_is_one_that_its_verb_offers(name: str) -> None:
    shot = {**SHOTS, **KEPT}[name]
    assert shot.picture in {*_offered(shot.verb), *DRAWN_HERE}


def test_every_run_is_named_by_its_commands_and_drawn_from() -> None:
    used = {other for shot in SHOTS.values() for other in needed(shot.run)}
    assert used == set(RUNS)
    for run, commands in RUNS.items():
        assert commands[-1].endswith(f"--out {run}")
    verbs = {shlex.split(command)[0] for commands in (*RUNS.values(), SAVED.values()) for command in commands}
    assert verbs <= {*VERBS, *COMMANDS}


def test_long_runs_have_a_command_that_makes_them() -> None:
    assert {shot.run.partition("/")[0] for shot in KEPT.values()} == set(KEEPERS)


@pytest.mark.parametrize("raised", [pictures.NotHereError("no folder"), RunError("not finished")])
def test_what_cannot_be_drawn_is_named_and_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], raised: Exception
) -> None:
    """A run that is not there, or that is still going on: the others are drawn."""
    drawn = []

    def draw(name: str) -> None:
        if name == "chunks-ablation":
            raise raised
        drawn.append(name)

    monkeypatch.setattr(pictures, "lay", lambda desk: None)
    monkeypatch.setattr(pictures, "draw_picture", draw)
    assert pictures.main(["chunks-ablation", "demo-roles"]) == 1
    assert drawn == ["demo-roles"]
    assert capsys.readouterr().err == f"chunks-ablation: {raised}\n"
