"""Report and live page as one: addresses that restore a view, the way back, and what a run knows of heads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import headscope
from headscope.questions.explain.offers import Explaining
from headscope.questions.maps.live import Models
from headscope.web.report.content import report_of
from tests.browser.axe import axe_script, violations
from tests.browser.chromium import Visitor
from tests.browser.live_page import ask, choose_head, expect_tokens, wait
from tests.web.live.serving import serving

TEXT = "The sailor sold her boat."
HIGHEST_BAR = 120


@pytest.fixture(scope="module")
def served(models: Models, survey_run: Path, tiny: Path) -> Iterator[str]:
    """A run with the model that it is about, and another one."""
    both = Models({"all-MiniLM-L6-v2": headscope.load("default"), "llama": str(tiny / "llama")})
    report = report_of(headscope.open(survey_run))
    with serving(both, explains=Explaining(both), report=report) as client:
        yield str(client.base_url)


def seen(page: Page) -> dict[str, object]:
    """What a reader sees of the live page."""
    return {
        "heads": page.get_by_test_id("told").locator("strong").all_inner_texts(),
        "view": page.locator("[data-testid^=view-].chosen").inner_text(),
        "text": page.get_by_test_id("text").input_value(),
        "models": [select.input_value() for select in page.locator("[data-testid^=model-]").all()],
        "chosen": [page.get_by_test_id(name).input_value() for name in ("tokens", "special", "scale")],
        "off": page.locator("[data-testid^=on-L]").all_inner_texts(),
    }


def test_an_address_restores_the_view_and_the_way_back_leads_to_the_last(visitor: Visitor, live: str) -> None:
    page = visitor.open(live)
    wait(page)
    ask(page, TEXT)
    choose_head(page, 2, 8)
    page.get_by_test_id("special").select_option("hidden")
    page.get_by_test_id("tokens").select_option("pieces")
    page.get_by_test_id("off-picked").click()
    wait(page)
    before = seen(page)
    page.get_by_test_id("view-matrix").click()
    page.get_by_test_id("scale").select_option("log")
    expect(page.get_by_test_id("matrix")).to_be_visible()
    last = seen(page)
    again = visitor.open(page.url)
    expect(again.get_by_test_id("matrix")).to_be_visible()
    wait(again)
    assert seen(again) == last
    for _ in range(2):
        page.go_back()
    expect(page.get_by_test_id("lines")).to_be_visible()
    assert seen(page) == before
    page.go_forward()
    expect(page.get_by_test_id("matrix")).to_be_visible()


def test_an_address_restores_two_models_and_the_ways_to_explain(visitor: Visitor, live: str) -> None:
    page = visitor.open(live)
    wait(page)
    page.get_by_test_id("model-0").select_option("llama")
    wait(page)
    page.get_by_test_id("view-why").click()
    page.get_by_test_id("by-gradient-input").click()
    expect(page.get_by_test_id("way-gradient-input")).to_be_visible()
    ways = page.locator("[data-testid^=way-]").count()
    again = visitor.open(page.url)
    expect(again.get_by_test_id("way-gradient-input")).to_be_visible()
    expect(again.locator("[data-testid^=way-]")).to_have_count(ways)
    page.get_by_test_id("view-lines").click()
    page.get_by_test_id("compare").click()
    wait(page)
    two = visitor.open(page.url)
    wait(two)
    expect(two.get_by_test_id("model-1")).to_have_value(page.get_by_test_id("model-1").input_value())
    expect(two.get_by_test_id("pane-1").get_by_test_id("lines")).to_be_visible()


@pytest.mark.parametrize("model", ["all-MiniLM-L6-v2", "llama"])
def test_the_bar_is_low_stays_in_sight_and_leaves_the_picture_above_the_fold(
    visitor: Visitor, served: str, model: str
) -> None:
    page = visitor.open(f"{served}/#live?model={model}&text=The+old+keeper")
    wait(page)
    bar = page.get_by_test_id("controls")
    for view in ("lines", "matrix", "all"):
        page.get_by_test_id(f"view-{view}").click()
        box = bar.bounding_box()
        assert box is not None and 0 < box["height"] < HIGHEST_BAR
        if view in ("lines", "matrix"):
            picture = page.get_by_test_id("pane-0").get_by_test_id(view).bounding_box()
            assert picture is not None and picture["y"] < 500
    page.get_by_test_id("view-lines").click()
    page.get_by_test_id("pane-0").evaluate("pane => pane.style.height = '200vh'")
    page.mouse.wheel(0, 700)
    page.wait_for_function("() => scrollY > 300")
    box = bar.bounding_box()
    assert box is not None and box["y"] == pytest.approx(0, abs=1)


def test_live_opens_at_the_most_telling_head_with_its_role(
    visitor: Visitor, served: str, survey_run: Path
) -> None:
    roles = headscope.open(survey_run).table("heads").set_index("head")["role"]
    page = visitor.open(served, size="phone", script=axe_script())
    head = page.get_by_test_id("card-title").inner_text()
    page.get_by_role("button", name="Live").click()
    wait(page)
    live = page.locator("main:not([hidden])")
    expect(live.get_by_test_id("told").locator("strong")).to_have_text(head)
    expect(live.get_by_test_id("role")).to_have_text(roles[head])
    layer = head.partition("H")[0]
    for index in range(12):
        expect(live.get_by_test_id(f"pick-{index}")).to_have_attribute(
            "title", f"H{index}: {roles[f'{layer}H{index}']}"
        )
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page) == []
    page.get_by_test_id("view-all").click()
    word = roles.value_counts().index[0]
    page.get_by_test_id("role-filter").select_option(word)
    expect(live.locator("[data-testid^=head-L]")).to_have_count(int((roles == word).sum()))
    expect(live.locator("[data-testid^=head-L][tabindex='0']")).to_have_count(1)
    page.get_by_test_id("model-0").select_option("llama")
    wait(page)
    expect(page.get_by_test_id("role-filter")).to_have_count(0)


def test_a_card_leads_to_the_live_page_and_back(visitor: Visitor, served: str) -> None:
    page = visitor.open(f"{served}/#L3H7")
    page.get_by_test_id("try").click()
    live = page.locator("main:not([hidden])")
    expect(live.get_by_test_id("told").locator("strong")).to_have_text("L3H7")
    expect(page.get_by_test_id("text")).to_be_focused()
    page.keyboard.type("My own words")
    page.keyboard.press("Control+Enter")
    wait(page)
    expect_tokens(live, "key", ["[CLS]", "My", "own", "words", "[SEP]"])
    expect(live.get_by_test_id("told").locator("strong")).to_have_text("L3H7")
    page.go_back()
    page.go_back()
    expect(page.get_by_test_id("card-title")).to_be_visible()
    expect(page.get_by_test_id("card-title")).to_have_text("L3H7")


def test_back_from_the_live_page_is_the_report(visitor: Visitor, served: str) -> None:
    page = visitor.open(f"{served}/#L3H7")
    page.get_by_role("button", name="Live").click()
    wait(page)
    page.go_back()
    expect(page.get_by_test_id("card-title")).to_have_text("L3H7")


def test_the_report_keeps_its_head_in_the_address(visitor: Visitor, served: str) -> None:
    page = visitor.open(served)
    page.get_by_test_id("cell-L3H7").click()
    page.get_by_role("button", name="Live").click()
    wait(page)
    page.get_by_role("button", name="Report").click()
    assert page.url.endswith("#L3H7")


def test_the_first_view_of_a_live_page_alone_takes_no_step_back(visitor: Visitor, live: str) -> None:
    page = visitor.open("about:blank")
    page.goto(live)
    wait(page)
    assert "#live?" in page.url
    page.go_back()
    assert page.url == "about:blank"


def test_a_report_by_itself_tries_nothing(visitor: Visitor, report_file: Path) -> None:
    page = visitor.open(report_file)
    expect(page.get_by_test_id("card")).to_be_visible()
    expect(page.get_by_test_id("try")).to_have_count(0)
