"""Which heads made a token, in Chromium: numbers of the library for any token, and the way to a head."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import headscope
from headscope.results.result import Result
from tests.browser.axe import violations
from tests.browser.chromium import Visitor, overflow, reach
from tests.browser.live_page import ask, eventually, wait

SENTENCE = "The old lighthouse keeper wrote a long letter."
LABELS = {"direct": "added to the logit", "removed": "more loss without it (nats)"}


def start(page: Page) -> None:
    """Let the model continue the sentence by two pieces, and ask for the heads behind the last of them."""
    page.get_by_test_id("generate").fill("2")
    ask(page, SENTENCE)
    page.get_by_test_id("view-made").click()
    expect(page.get_by_test_id("made-token")).to_be_visible()


def expect_numbers(page: Page, result: Result, place: int, column: str) -> None:
    """The cells tell what a table of the library has for the token at a place, to three digits."""
    rows = result.table("made_by").query("place == @place")
    cells = page.get_by_test_id("made-panel").locator("[data-testid^=cell-]")

    def check() -> None:
        labels = cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
        told = [label.replace("\u2212", "-").partition(f": {LABELS[column]} ") for label in labels]
        assert [name for name, _, _ in told] == rows["head"].tolist()
        values = [float(value) for *_, value in told]
        assert values == pytest.approx(rows[column].tolist(), rel=6e-3, abs=1e-6)

    eventually(check)


def test_numbers_are_the_library_s(page: Page, tiny: Path) -> None:
    start(page)
    options = {"by": ["attention"], "heads": True}
    written = headscope.explain(str(tiny / "llama"), [SENTENCE], generate=2, **options)
    last = int(written.table("logits")["place"].max())
    tokens = page.get_by_test_id("made-panel").locator(".tokens button")
    expect(tokens).to_have_count(last + 1)
    expect(tokens.first).to_be_disabled()
    expect(page.locator(".tokens .own")).to_have_count(2)
    expect(page.get_by_test_id(f"made-{last}")).to_have_attribute("aria-pressed", "true")
    expect_numbers(page, written, last, "direct")
    page.get_by_test_id("made-by-removed").click()
    expect_numbers(page, written, last, "removed")
    page.get_by_test_id(f"made-{last - 1}").click()
    expect_numbers(page, written, last - 1, "removed")
    every = headscope.explain(str(tiny / "llama"), [SENTENCE], every=True, **options)
    page.get_by_test_id("made-3").click()
    expect_numbers(page, every, 3, "removed")
    page.get_by_test_id("made-by-direct").click()
    expect_numbers(page, every, 3, "direct")
    best = every.table("made_by").query("place == 3").set_index("head")["direct"].abs().idxmax()
    expect(page.locator("[data-testid^=made-head-]").first).to_have_text(best)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page) == []


def test_a_head_is_shown_and_may_be_off(page: Page) -> None:
    start(page)
    named = page.get_by_test_id("told").locator("strong")
    page.get_by_test_id("cell-L1H2").click()
    expect(named).to_have_text("L1H2")
    page.go_back()
    listed = page.locator("[data-testid^=made-head-]").first
    name = listed.inner_text()
    listed.click()
    expect(named).to_have_text(name)
    page.get_by_test_id("off-picked").click()
    wait(page)
    page.get_by_test_id("view-made").click()
    expect(page.get_by_test_id(f"cell-{name}")).to_have_attribute(
        "aria-label", f"{name}: {LABELS['direct']} 0"
    )
    expect(page.get_by_test_id("made-panel")).to_contain_text("without the heads that are off")


def test_by_keyboard_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    start(page)
    page.get_by_test_id("made-1").focus()
    reach(page, "made-2")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("made-2")).to_have_attribute("aria-pressed", "true")
    reach(page, "cell-")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("told").locator("strong")).to_have_text("L1H0")
    assert overflow(page) <= 0


def test_only_what_writes_is_asked(visitor: Visitor, live: str) -> None:
    opened = visitor.open(live)
    for model in ("default", "t5"):
        opened.get_by_test_id("model-0").select_option(model)
        wait(opened)
        expect(opened.get_by_test_id("view-why")).to_be_visible()
        expect(opened.get_by_test_id("view-made")).to_have_count(0)
