"""Two models beside each other in Chromium: one set of controls, and the difference that the library has."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from headscope.heads import Head
from headscope.questions.maps.live import Models
from tests.browser.chromium import Visitor
from tests.browser.live_page import ask, choose_head, eventually, expect_values, is_blank, numbers, wait
from tests.web.live.serving import serving

TEXT = "The unflappable sailor sold her boat, but kept its compass."


@pytest.fixture
def page(visitor: Visitor, live: str) -> Page:
    """Two models that were asked the same."""
    opened = visitor.open(live)
    wait(opened)
    ask(opened, TEXT)
    with opened.expect_response("**/api/look"):
        opened.get_by_test_id("compare").click()
    wait(opened)
    return opened


def test_one_set_of_controls_chooses_in_both(page: Page, models: Models) -> None:
    left, right = page.get_by_test_id("pane-0"), page.get_by_test_id("pane-1")
    assert page.get_by_test_id("model-1").input_value() == "llama"
    expect(page.get_by_test_id("controls")).to_have_count(1)
    choose_head(page, 1, 3)
    for pane, model, stack in ((left, "default", "encoder"), (right, "llama", "decoder")):
        expect(pane.get_by_test_id("told").locator("strong")).to_have_text("L1H3")
        expected = models.look(model, TEXT).map(Head(stack, 1, 3))
        expect_values(pane, 5, expected.weights[5])
    tops = [pane.get_by_test_id("lines").bounding_box() for pane in (left, right)]
    assert tops[0] and tops[1] and tops[0]["y"] == tops[1]["y"]
    page.get_by_test_id("compare-end").click()
    expect(right).to_have_count(0)
    expect(page.get_by_test_id("view-difference")).to_have_count(0)


def test_difference_is_the_library_s(page: Page, models: Models) -> None:
    choose_head(page, 1, 3)
    page.get_by_test_id("special").select_option("hidden")
    page.get_by_test_id("view-difference").click()
    expect(page.get_by_test_id("told").locator("strong")).to_have_text("llama L1H3 less default L1H3")
    one = models.look("default", TEXT).map(Head("encoder", 1, 3), True, "hidden")
    other = models.look("llama", TEXT).map(Head("decoder", 1, 3), True, "hidden")
    assert one.query == other.query and one.key == other.key
    expected = 100 * (other.weights - one.weights)
    assert not is_blank(page.get_by_test_id("matrix"))
    page.get_by_role("application").focus()
    page.keyboard.press("ArrowUp")  # from the first cell, at whose edge it stays
    path = [(0, 0)]
    for step in range(1, 9):
        page.keyboard.press("ArrowDown" if step % 2 else "ArrowRight")
        path.append(((step + 1) // 2, step // 2))
        row, column = path[-1]

        def check(row: int = row, column: int = column) -> None:
            told = page.get_by_test_id("difference").inner_text()
            found = numbers(told)[0] * (-1 if told.startswith("−") else 1)
            assert found == pytest.approx(expected[row, column], abs=1)
            beside = numbers(page.get_by_test_id("readout").inner_text())[-2:]
            weights = [100 * other.weights[row, column], 100 * one.weights[row, column]]
            assert beside == pytest.approx(weights, abs=0.5)

        eventually(check)
    assert len({expected[place] > 0 for place in path}) == 2, "differences of one sign would test little"


def test_a_head_is_switched_off_in_both(page: Page) -> None:
    choose_head(page, 1, 3)
    page.get_by_test_id("off-picked").click()
    wait(page)
    for pane in ("pane-0", "pane-1"):
        expect(page.get_by_test_id(pane).get_by_test_id("on-L1H3")).to_be_visible()
        expect(page.get_by_test_id(pane).get_by_test_id("change-0")).to_be_visible()
    expect(page.get_by_test_id("pick-3")).to_have_accessible_name("Head 3, switched off")


def test_one_model_alone_is_compared_with_none(visitor: Visitor) -> None:
    with serving(Models({"default": "default"}), text="") as client:
        opened = visitor.open(str(client.base_url))
        expect(opened.get_by_test_id("model-0")).to_be_visible()
        expect(opened.get_by_test_id("compare")).to_have_count(0)


def test_only_models_that_have_a_head_switch_it(page: Page) -> None:
    """The second model has fewer layers and fewer heads of a layer than the first."""
    one, other = page.get_by_test_id("pane-0"), page.get_by_test_id("pane-1")
    switch = page.get_by_test_id("off-picked")
    for layer, head in ((5, 11), (1, 11)):
        page.get_by_test_id(f"layer-{layer}").click()
        page.get_by_test_id(f"pick-{head}").click()
        expect(switch).to_have_text(f"Switch off L{layer}H{head} in default")
        switch.click()
        wait(page)
        expect(switch).to_have_text(f"Switch on L{layer}H{head} in default")
        expect(one.get_by_test_id(f"on-L{layer}H{head}")).to_be_visible()
        expect(other.get_by_test_id("off-list")).to_have_count(0)
        expect(other.get_by_test_id("lacks")).to_have_text(f"This model has no L{layer}H{head}.")
        expect(one.get_by_test_id("lacks")).to_have_count(0)
    page.get_by_test_id("pick-2").click()
    expect(page.get_by_test_id("lacks")).to_have_count(0)
    expect(switch).to_have_text("Switch off L1H2 in both")


def test_a_head_that_is_off_in_one_model_is_switched_off_in_the_other(page: Page) -> None:
    page.get_by_test_id("compare-end").click()
    choose_head(page, 1, 3)
    page.get_by_test_id("off-picked").click()
    wait(page)
    page.get_by_test_id("compare").click()
    wait(page)
    page.get_by_test_id("off-picked").click()
    wait(page)
    for pane in ("pane-0", "pane-1"):
        expect(page.get_by_test_id(pane).get_by_test_id("on-L1H3")).to_be_visible()
    page.get_by_test_id("off-picked").click()
    wait(page)
    expect(page.get_by_test_id("off-list")).to_have_count(0)


def test_beside_a_model_of_several_stacks_the_head_that_was_shown_stays(visitor: Visitor, live: str) -> None:
    page = visitor.open(f"{live}/#live?model=llama&text=Small+boats")
    wait(page)
    choose_head(page, 1, 3)
    page.get_by_test_id("compare").click()
    page.get_by_test_id("model-1").select_option("t5")
    wait(page)
    expect(page.get_by_test_id("stack")).to_have_value("decoder")
    expect(page.get_by_test_id("lacks")).to_have_count(0)
    expect(page.get_by_test_id("off-picked")).to_have_text("Switch off L1H3 in both")
