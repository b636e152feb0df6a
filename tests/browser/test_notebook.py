"""An example notebook, run, saved as HTML, and opened without a kernel or a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Frame, expect

from tests.browser.chromium import Visitor
from tests.browser.live_page import eventually, is_blank
from tests.examples.executed import saved_notebook


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as HTML."""
    return saved_notebook(tmp_path_factory, "look-at-heads")


def test_views_of_a_saved_notebook_are_shown(saved: Path, visitor: Visitor) -> None:
    page = visitor.open(saved)
    heads, model, _ = (frame.content_frame for frame in page.locator("iframe[srcdoc]").all())
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
