"""The example notebooks run from top to bottom and can be saved as HTML with their views."""

from __future__ import annotations

from html.parser import HTMLParser

import nbformat
import pytest

from tests.examples.executed import FOLDER, saved_notebook
from tests.sampling import sampled

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
VIEWS = {"look-at-heads": 3, "survey": 1, "switch-heads-off": 0}
TUTORIALS = ("an-encoder", "a-decoder", "my-own-classifier", "may-i-show-attention")
"""Kept with their outputs, which the site shows; `make tutorials` runs them."""


class Frames(HTMLParser):
    """The contents of all frames of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "iframe":
            self.found.append(dict(attrs)["srcdoc"] or "")


def test_all_notebooks_are_tested() -> None:
    assert {path.stem for path in NOTEBOOKS} == {*VIEWS, *TUTORIALS}


def code_of(name: str) -> list[nbformat.NotebookNode]:
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("name", VIEWS)
def test_a_notebook_is_kept_without_outputs(name: str) -> None:
    code = code_of(name)
    assert code and all(cell.outputs == [] and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_is_kept_as_it_ran(name: str) -> None:
    code = code_of(name)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    kinds = {output.output_type for cell in code for output in cell.outputs}
    assert kinds and "error" not in kinds


# The one whose views are most; all of them with the slow tests.
@pytest.mark.parametrize("name", sampled(VIEWS, ["look-at-heads"]))
def test_a_notebook_runs_and_is_saved_with_its_views(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    frames = Frames(saved_notebook(tmp_path_factory, name).read_text("utf-8")).found
    assert len(frames) == VIEWS[name]
    assert all(frame.startswith("<!doctype html>") and '<div id="app">' in frame for frame in frames)


# The shortest; all of them with the slow tests.
@pytest.mark.parametrize("name", sampled(TUTORIALS, ["may-i-show-attention"]))
def test_a_tutorial_runs(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    page = saved_notebook(tmp_path_factory, name).read_text("utf-8")
    assert "•" in page and "Traceback" not in page
