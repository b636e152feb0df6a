"""Where the keyboard is after a control has done its work: never nowhere."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.live_page import ask, choose_head, wait


def press(page: Page, name: str) -> None:
    """Press a control as the keyboard does."""
    page.get_by_test_id(name).focus()
    page.keyboard.press("Enter")
    wait(page)


def test_the_button_that_compares_ends_it_too(opened: Page) -> None:
    press(opened, "compare")
    expect(opened.get_by_test_id("pane-1")).to_be_visible()
    expect(opened.get_by_test_id("compare-end")).to_be_focused()
    opened.keyboard.press("Enter")
    expect(opened.get_by_test_id("pane-1")).to_have_count(0)
    expect(opened.get_by_test_id("compare")).to_be_focused()


def test_from_a_head_that_is_on_again_the_keyboard_goes_to_the_next(opened: Page) -> None:
    for head in (0, 1, 2):
        choose_head(opened, 0, head)
        press(opened, "off-picked")
    press(opened, "on-L0H1")
    expect(opened.get_by_test_id("on-L0H2")).to_be_focused()
    press(opened, "on-L0H2")
    expect(opened.get_by_test_id("on-L0H0")).to_be_focused()
    press(opened, "all-on")
    expect(opened.get_by_test_id("off-list")).to_have_count(0)
    expect(opened.get_by_test_id("pane-0")).to_be_focused()


def test_at_the_last_part_of_a_text_the_keyboard_stays(opened: Page) -> None:
    ask(opened, "The unflappable sailor sold her boat, but kept its compass. " * 50)
    press(opened, "part-next")
    expect(opened.get_by_test_id("pager")).to_contain_text("part 2 of 2")
    expect(opened.get_by_test_id("part-next")).to_be_focused()
    expect(opened.get_by_test_id("part-next")).to_have_attribute("aria-disabled", "true")
    opened.keyboard.press("Enter")
    wait(opened)
    expect(opened.get_by_test_id("pager")).to_contain_text("part 2 of 2")


def test_after_pins_are_cleared_the_keyboard_is_in_the_pane(opened: Page) -> None:
    opened.get_by_test_id("token-query-2").click()
    press(opened, "unpin")
    expect(opened.get_by_test_id("unpin")).to_have_count(0)
    expect(opened.get_by_test_id("pane-0")).to_be_focused()
