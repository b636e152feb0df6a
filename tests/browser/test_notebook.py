"""An example notebook, run, saved as HTML, and opened without a kernel or a network."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import Frame, expect

import headscope
from tests.browser.chromium import Visitor
from tests.browser.conftest import made_once
from tests.browser.live_page import eventually, is_blank

EXAMPLE = Path(__file__).parents[2] / "examples" / "look-at-heads.ipynb"
SECONDS = 600


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example up to its second view, as HTML."""

    def make(folder: Path) -> None:
        folder.mkdir(parents=True)
        notebook = nbformat.read(EXAMPLE, as_version=4)
        ends = next(at for at, cell in enumerate(notebook.cells) if "model_view(" in cell.source)
        notebook.cells = notebook.cells[: ends + 1]
        environment = {
            "PYTHONPATH": str(Path(headscope.__file__).parents[1]), "HF_HUB_OFFLINE": "1",
            "IPYTHONDIR": str(folder),
        }  # fmt: skip
        with patch.dict(os.environ, environment):
            NotebookClient(notebook, timeout=SECONDS).execute()
        page, _ = HTMLExporter().from_notebook_node(notebook)
        (folder / "notebook.html").write_text(page, encoding="utf-8")

    return made_once(tmp_path_factory, "notebook", make) / "notebook.html"


def test_views_of_a_saved_notebook_are_shown(saved: Path, visitor: Visitor) -> None:
    page = visitor.open(saved)
    heads, model = (frame.content_frame for frame in page.locator("iframe[srcdoc]").all())
    expect(heads.get_by_test_id("told").locator("strong")).to_have_text("L2H8")
    expect(heads.get_by_test_id("token-key-2")).to_contain_text("gardener")
    assert not is_blank(heads.get_by_test_id("lines"))
    expect(model.locator("[data-testid^=head-L] canvas")).to_have_count(72)
    assert not is_blank(model.get_by_test_id("head-L5H11").locator("canvas"))
    for frame in page.frames[1:]:
        eventually(lambda frame=frame: is_as_high_as_its_content(frame))
    # The page around the views, which nbconvert writes, would like two scripts of its own from a network.
    visitor.problems = [problem for problem in visitor.problems if not is_the_page_s_own(problem)]


def is_as_high_as_its_content(frame: Frame) -> None:
    assert frame.evaluate("document.documentElement.scrollHeight - window.innerHeight") <= 0


def is_the_page_s_own(problem: str) -> bool:
    return "cdnjs.cloudflare.com" in problem or "net::ERR_FAILED" in problem
