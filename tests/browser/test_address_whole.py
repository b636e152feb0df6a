"""All that is chosen on the live page is restored: of both models, and with texts too long for an address."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.chromium import Visitor
from tests.browser.live_page import ask, choose_head, wait

LONG = "The unflappable sailor sold her boat, but kept its compass. " * 70
OTHER = "Nobody saw the lighthouse that night, though it was lit. " * 80


def expect_text(page: Page, text: str) -> None:
    expect(page.get_by_test_id("text")).to_have_value(text)
    wait(page)


def test_back_and_reload_restore_texts_that_are_too_long_for_an_address(opened: Page) -> None:
    assert len(LONG) > 4000 and len(OTHER) > 4000
    page = opened
    ask(page, LONG)
    assert len(page.url) < 200
    expect(page.get_by_test_id("long")).to_contain_text("too long for the address")
    ask(page, OTHER)
    ask(page, "A short one.")
    expect(page.get_by_test_id("long")).to_have_count(0)
    page.go_back()
    expect_text(page, OTHER)
    page.go_back()
    expect_text(page, LONG)
    page.reload()
    expect_text(page, LONG)
    expect(page.get_by_test_id("pager")).to_be_visible()
    page.go_forward()
    expect_text(page, OTHER)


def test_a_copied_link_says_that_its_text_is_not_in_it(opened: Page, visitor: Visitor) -> None:
    ask(opened, LONG)
    choose_head(opened, 2, 8)
    again = visitor.open(opened.url)
    wait(again)
    expect(again.get_by_test_id("lost")).to_contain_text("The text of this link is too long to stand in it")
    expect(again.get_by_test_id("told").locator("strong")).to_have_text("L2H8")
    ask(again, LONG)
    expect(again.get_by_test_id("lost")).to_have_count(0)


def test_an_address_restores_the_second_model_too(opened: Page, visitor: Visitor) -> None:
    page = opened
    page.get_by_test_id("model-0").select_option("t5")
    page.get_by_test_id("compare").click()
    page.get_by_test_id("model-1").select_option("llama")
    ask(page, "The sailor sold her boat, but kept its compass. " * 8)
    first, second = (page.get_by_test_id(f"pane-{at}") for at in (0, 1))
    expect(first.get_by_test_id("pager")).to_have_count(0)
    second.get_by_role("button", name="Next").click()
    wait(page)
    part = second.get_by_test_id("pager").inner_text()
    assert "part 2 of" in part
    page.get_by_test_id("view-why").click()
    second.get_by_test_id("by-gradient-input").click()
    expect(second.get_by_test_id("way-gradient-input")).to_be_visible()
    chosen = pressed(page)
    again = visitor.open(page.url)
    wait(again)
    assert again.get_by_test_id("pane-1").get_by_test_id("pager").inner_text() == part
    expect(again.get_by_test_id("pane-1").get_by_test_id("way-gradient-input")).to_be_visible()
    expect(again.get_by_test_id("pane-0").get_by_test_id("way-gradient-input")).to_have_count(0)
    assert pressed(again) == chosen


def pressed(page: Page) -> list[list[str]]:
    """The ways to explain that are chosen, of each model."""
    panes = page.locator("[data-testid^=pane-]").all()
    for pane in panes:
        expect(pane.get_by_test_id("why-panel")).to_have_attribute("aria-busy", "false")
    return [pane.locator("[data-testid^=by-][aria-pressed=true]").all_inner_texts() for pane in panes]


def test_an_address_restores_pins_and_the_chosen_token(page: Page, visitor: Visitor) -> None:
    ask(page, "The sailor sold her boat, and she sold it well.")
    expect(page.get_by_test_id("token-query-1")).to_contain_text("sailor")
    page.get_by_test_id("token-query-2").click()
    page.get_by_test_id("token-key-4").click()
    pinned = page.locator("[data-testid^=token-][aria-pressed=true]")
    expect(pinned).to_have_count(2)
    named = pinned.evaluate_all("all => all.map(one => one.dataset.testid)")
    page.get_by_test_id("view-made").click()
    page.get_by_test_id("made-3").click()
    page.get_by_test_id("made-by-removed").click()
    expect(page.get_by_test_id("made-by-removed").locator("input")).to_be_checked()
    expect(page.get_by_test_id("made-panel")).to_have_attribute("aria-busy", "false")
    token = page.get_by_test_id("made-token").inner_text()
    again = visitor.open(page.url)
    wait(again)
    expect(again.get_by_test_id("made-3")).to_have_attribute("aria-pressed", "true")
    assert again.get_by_test_id("made-token").inner_text() == token
    expect(again.get_by_test_id("made-panel")).to_contain_text("more loss without it")
    again.get_by_test_id("view-lines").click()
    expect(again.locator("[data-testid^=token-][aria-pressed=true]")).to_have_count(2)
    found = again.locator("[data-testid^=token-][aria-pressed=true]").evaluate_all(
        "all => all.map(one => one.dataset.testid)"
    )
    assert found == named
    # A token of another text is another one.
    again.get_by_test_id("view-made").click()
    ask(again, "Nobody saw it.")
    expect(again.get_by_test_id("made-panel")).to_have_attribute("aria-busy", "false")
    assert not re.search("token=", again.url)


def test_what_is_off_in_a_model_that_is_not_served_is_off_in_no_other(visitor: Visitor, live: str) -> None:
    page = visitor.open(
        f"{live}/#live?model=nobody&text=Small+boats&off=decoder:L30H1&by=gradient-input&part=4"
    )
    wait(page)
    expect(page.get_by_test_id("missing")).to_contain_text("does not offer nobody")
    expect(page.get_by_test_id("lines")).to_be_visible()
    expect(page.get_by_test_id("problem")).to_have_count(0)
    expect(page.get_by_test_id("off-list")).to_have_count(0)


def test_an_answer_about_a_token_comes_too_late_after_the_way_back(page: Page) -> None:
    page.get_by_test_id("view-made").click()
    before = page.get_by_test_id("made-token").inner_text()
    last = page.locator("[data-testid^=made-][aria-pressed=true]").get_attribute("data-testid")
    questions: list[Route] = []
    answers: list[Route] = []
    page.route("**/api/made", lambda route: answers.append(route))
    page.get_by_test_id("made-2").click()
    expect(page.get_by_test_id("made-panel")).to_have_attribute("aria-busy", "true")
    page.route("**/api/look", lambda route: questions.append(route))
    with page.expect_request("**/api/look"):
        page.go_back()
    expect(page.get_by_test_id("made-panel")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_test_id("made-token")).to_have_count(0)
    page.unroute("**/api/made")
    questions[0].continue_()
    expect(page.get_by_test_id("made-token")).to_have_text(before)
    assert last is not None
    expect(page.get_by_test_id(last)).to_have_attribute("aria-pressed", "true")
