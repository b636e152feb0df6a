"""What axe says of every page, in light and in dark colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from headscope.questions.maps.live import Models
from headscope.web.views.frame import PageFrame
from headscope.web.views.notebook import head_view, model_view
from tests.browser.axe import axe_script, violations
from tests.browser.chromium import Visitor
from tests.browser.live_page import choose_head, wait
from tests.sampling import sampled

Make = Callable[..., PageFrame]


def expect_accessible(page: Page) -> None:
    """Let axe look at a page in light and in dark colours."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page) == []


def test_report(visitor: Visitor, report_file: Path) -> None:
    page = visitor.open(report_file, script=axe_script())
    page.get_by_test_id("cell-L2H8").click()
    expect(page.get_by_test_id("row-0")).to_be_visible()
    page.locator("#figures").scroll_into_view_if_needed()
    expect_accessible(page)


@pytest.mark.parametrize("view", sampled(["lines", "matrix", "all"], ["lines"]))
def test_live_page(visitor: Visitor, live: str, view: str) -> None:
    page = visitor.open(live, script=axe_script())
    wait(page)
    choose_head(page, 2, 8)
    page.get_by_test_id("off-picked").click()
    expect(page.get_by_test_id("output")).to_be_visible()
    page.get_by_test_id(f"view-{view}").click()
    if view == "lines":
        page.get_by_test_id("two").check()
        page.get_by_test_id("compare").click()
        expect(page.get_by_test_id("pane-1").get_by_test_id("told")).to_be_visible()
        page.get_by_test_id("view-difference").click()
        expect(page.get_by_test_id("matrix")).to_be_visible()
    wait(page)
    expect_accessible(page)


@pytest.mark.parametrize("make", sampled([head_view, model_view], [head_view]))
def test_notebook_view(visitor: Visitor, models: Models, tmp_path: Path, make: Make) -> None:
    path = tmp_path / "view.html"
    make(models.look("default", "Small boats drift.")).save(path)
    page = visitor.open(path, script=axe_script())
    expect(page.locator("canvas").first).to_be_visible()
    if make is head_view:
        expect_accessible(page)
    else:
        assert violations(page) == []


def test_dark_notebook_view(visitor: Visitor, models: Models, tmp_path: Path) -> None:
    path = tmp_path / "view.html"
    model_view(models.look("default", "Small boats drift."), display_mode="dark").save(path)
    page = visitor.open(path, script=axe_script())
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert violations(page) == []


def test_axe_would_find_what_is_wrong(visitor: Visitor, live: str) -> None:
    page = visitor.open(live, script=axe_script())
    wait(page)
    page.evaluate("document.querySelector('main').append(document.createElement('textarea'))")
    (found,) = violations(page)
    assert found.startswith("label (critical): <textarea>")
