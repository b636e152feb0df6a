"""Text in tokens is data: it runs nothing and breaks no page, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Frame, Page, expect

from headscope.web.views.frame import PageFrame
from headscope.web.views.notebook import head_view, model_view
from tests.browser.chromium import Visitor, overflow
from tests.browser.live_page import ask, eventually, wait
from tests.cli.conftest import command
from tests.sampling import sampled

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img/src=x:/onerror=alert(2)>"
LONG = "w" * 10_000
TOKENS = [
    SCRIPT, IMAGE, "</script><script>alert(3)</script>", "\"'`${alert(4)}", "&lt;b&gt;", "\u202eright\u202c",
    "\u2067\u2067", "👩‍👩‍👧‍👦", "مرحبا", "\u0007\x1b[31m", "\ufeff", "a\u0301\u0301\u0301", LONG,
]  # fmt: skip
TEXT = f"See {SCRIPT} and {IMAGE} or \"this' \u202ethere\u202c 👩‍👩‍👧 {LONG} end."


def expect_no_harm(page: Page | Frame) -> None:
    """No element was made of text. Dialogs, errors and requests fail the test by themselves."""
    expect(page.locator("img[src^='x:']")).to_have_count(0)
    assert page.evaluate("document.querySelectorAll('#app script').length") == 0


def expect_short_tokens(page: Page | Frame) -> None:
    shown = page.locator("[data-testid^=token-] bdi").all_inner_texts()
    assert shown and max(map(len, shown)) <= 25


@pytest.mark.parametrize("model", sampled(["default", "llama"], ["default"]))
def test_live_page(visitor: Visitor, live: str, model: str, tmp_path: Path) -> None:
    page = visitor.open(live, size="phone")
    wait(page)
    if model != "default":
        page.get_by_test_id("model-0").select_option(model)
        wait(page)
    ask(page, TEXT)
    expect(page.get_by_test_id("token-key-1" if model == "default" else "token-key-0")).to_have_text("See")
    expect_short_tokens(page)
    for view in ("lines", "matrix", "all"):
        page.get_by_test_id(f"view-{view}").click()
        expect(page.locator("canvas").first).to_be_visible()
        assert overflow(page) <= 0
        with page.expect_download() as waiting:
            page.locator("[data-testid^=save-][data-testid$=-svg]").click()
        waiting.value.save_as(tmp_path / "saved.svg")
        ElementTree.fromstring((tmp_path / "saved.svg").read_bytes())
    expect_no_harm(page)


def test_report(visitor: Visitor, tiny: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(f"{TEXT}\n\nThe old keeper wrote {IMAGE} every night.\n", encoding="utf-8")
    run = tmp_path / "<img src=x: onerror=alert(5)> \u202e\"'"
    fast = ("--pieces", "32", "--no-gradients", "--no-plots", "--quiet")
    assert command("survey", tiny / "bert", text, "--out", run, *fast).code == 0
    assert command("report", run, "--out", tmp_path / "report.html").code == 0
    page = visitor.open(tmp_path / "report.html", size="phone")
    expect(page.locator("h1")).to_contain_text("onerror=alert(5)")
    page.get_by_test_id("cell-L1H2").click()
    expect(page.get_by_test_id("token-query-0").first).to_be_visible()
    page.get_by_test_id("table-filter").fill(SCRIPT)
    expect_short_tokens(page)
    assert overflow(page) <= 0
    expect_no_harm(page)


@pytest.mark.parametrize("make", sampled([head_view, model_view], [model_view]))
def test_notebook_view(visitor: Visitor, tmp_path: Path, make: Callable[..., PageFrame]) -> None:
    size = len(TOKENS)
    maps = [np.full((1, 2, size, size), 1 / size)] * 2
    view = make(maps, TOKENS)
    page_file = tmp_path / "cell.html"
    page_file.write_text(f"<!doctype html><meta charset=utf-8><body>{view._repr_html_()}", encoding="utf-8")
    page = visitor.open(page_file, size="phone")
    frame = page.frames[1]
    expect(frame.locator("canvas").first).to_be_visible()
    if make is model_view:
        frame.get_by_test_id("head-L0H0").click()
    expect(frame.get_by_test_id("token-key-0").locator("bdi")).to_have_text(SCRIPT[:24] + "…")
    expect_short_tokens(frame)
    expect_no_harm(frame)
    assert frame.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0

    def check() -> None:
        # The frame is as high as what it holds.
        assert frame.evaluate("document.documentElement.scrollHeight - window.innerHeight") <= 0

    eventually(check)
