"""What the page shows of models that refuse, or have not answered yet: of no other question or model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chromium import Visitor
from tests.browser.live_page import ask, wait

FIRST, SECOND = "The old keeper sold it", "The new keeper bought it"


def of_llama(then: Callable[[Route], object]) -> Callable[[Route], None]:
    """Do something with questions to one model; the others are answered."""

    def handle(route: Route) -> None:
        if '"model":"llama"' in (route.request.post_data or ""):
            then(route)
        else:
            route.continue_()

    return handle


def refuse(route: Route) -> None:
    route.fulfill(status=400, content_type="application/json", body='{"message": "no memory is left"}')


@pytest.fixture
def refusing(visitor: Visitor) -> Iterator[Visitor]:
    """A visitor who does not mind refusals."""
    yield visitor
    visitor.problems = [problem for problem in visitor.problems if "status of 400" not in problem]


def difference_of_two(visitor: Visitor, live: str) -> Page:
    page = visitor.open(
        f"{live}/#live?model=default&model=llama&text={FIRST.replace(' ', '+')}&view=difference"
    )
    wait(page)
    expect(page.get_by_test_id("matrix")).to_be_visible()
    return page


def test_there_is_no_difference_between_answers_to_two_texts(refusing: Visitor, live: str) -> None:
    page = difference_of_two(refusing, live)
    page.route("**/api/look", of_llama(refuse))
    ask(page, SECOND)
    expect(page.get_by_test_id("problem")).to_have_text("no memory is left")
    expect(page.get_by_test_id("no-answers")).to_contain_text("Not both models have answered")
    expect(page.get_by_test_id("matrix")).to_have_count(0)
    page.unroute("**/api/look")
    ask(page, SECOND)
    expect(page.get_by_test_id("matrix")).to_be_visible()
    expect(page.get_by_test_id("no-answers")).to_have_count(0)


def test_a_difference_waits_for_both_answers(visitor: Visitor, live: str) -> None:
    page = difference_of_two(visitor, live)
    held: list[Route] = []
    page.route("**/api/look", of_llama(held.append))
    page.get_by_test_id("off-picked").click()
    expect(page.get_by_test_id("pane-0")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_test_id("pane-1")).to_have_attribute("aria-busy", "true")
    expect(page.get_by_test_id("no-answers")).to_contain_text("on their way")
    expect(page.get_by_test_id("matrix")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_test_id("matrix")).to_be_visible()


def test_under_the_name_of_a_model_that_refuses_there_is_no_picture_of_another(
    refusing: Visitor, live: str
) -> None:
    page = refusing.open(live)
    wait(page)
    expect(page.get_by_test_id("lines")).to_be_visible()
    page.route("**/api/look", of_llama(refuse))
    page.get_by_test_id("model-0").select_option("llama")
    expect(page.get_by_test_id("problem")).to_have_text("no memory is left")
    expect(page.get_by_test_id("lines")).to_have_count(0)
    page.go_back()
    expect(page.get_by_test_id("model-0")).to_have_value("default")
    expect(page.get_by_test_id("lines")).to_be_visible()
    expect(page.get_by_test_id("problem")).to_have_count(0)
