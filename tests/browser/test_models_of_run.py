"""A run about two models, in Chromium: roles and cards are those of the model that was surveyed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, Route, expect

import headscope
from headscope.questions.explain.offers import Explaining
from headscope.questions.maps.live import Models
from headscope.results.declaration import HEAD, Column, Declaration
from headscope.web.report.content import report_of
from headscope.web.report_wire import Report
from tests.browser.chromium import Visitor
from tests.browser.live_page import choose_head, wait
from tests.web.live.serving import serving
from tests.web.report.runs import IDENTITY, write_run

SURVEYED = "all-MiniLM-L6-v2"


@pytest.fixture(scope="module")
def report(survey_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The survey, and by hand what removing heads of another model does."""
    folder = tmp_path_factory.mktemp("two") / "run"
    shutil.copytree(survey_run, folder)
    heads = pd.DataFrame({"head": ["L0H0", "L1H3"], "stack": "encoder", "layer": [0, 1], "index": [0, 3]})
    says = Declaration("Heads", ("head",), {**HEAD, "effect": Column("change")}, group="without the head")
    identity: dict[str, Any] = {**IDENTITY, "model": {"name": "bert", "origin": "models/bert"}}
    table = heads.assign(effect=[0.25, -0.5])
    write_run(folder, "ablate", {"ablation": table}, declared={"ablation": says}, identity=identity)
    return report_of(headscope.open(folder))


def serve(places: dict[str, Any], report: Report) -> AbstractContextManager[httpx.Client]:
    models = Models(places)
    return serving(models, explains=Explaining(models), report=report)


@pytest.fixture(scope="module")
def served(report: Report, tiny: Path) -> Iterator[str]:
    """Both models, that which was not surveyed first."""
    with serve({"bert": str(tiny / "bert"), SURVEYED: headscope.load("default")}, report) as client:
        yield str(client.base_url)


def live_part(page: Page) -> Locator:
    return page.locator("main:not([hidden])")


def test_roles_are_shown_on_the_surveyed_model_alone(visitor: Visitor, served: str) -> None:
    page = visitor.open(served)
    page.get_by_role("button", name="Live").click()
    wait(page)
    live = live_part(page)
    expect(page.get_by_test_id("model-0")).to_have_value("bert")
    expect(live.get_by_test_id("told").locator("strong")).to_have_text("L0H0")
    expect(live.get_by_test_id("role")).to_have_count(0)
    assert live.get_by_test_id("pick-0").get_attribute("title") is None
    page.get_by_test_id("view-all").click()
    expect(page.get_by_test_id("role-filter")).to_have_count(0)
    page.get_by_test_id("model-0").select_option(SURVEYED)
    expect(page.get_by_test_id("role-filter")).to_be_visible()


def test_beside_each_other_only_the_surveyed_model_has_roles(visitor: Visitor, served: str) -> None:
    page = visitor.open(f"{served}/#live?model={SURVEYED}&model=bert&text=Small+boats+drift")
    wait(page)
    choose_head(page, 1, 3)
    expect(page.get_by_test_id("pane-0").get_by_test_id("role")).to_be_visible()
    expect(page.get_by_test_id("pane-1").get_by_test_id("role")).to_have_count(0)
    # The one set of controls is for both.
    assert page.get_by_test_id("pick-3").get_attribute("title") is None


def test_a_card_opens_its_head_in_the_model_that_it_speaks_of(visitor: Visitor, served: str) -> None:
    page = visitor.open(f"{served}/#live?model=bert&text=Small+boats+drift")
    wait(page)
    page.get_by_role("button", name="Report").click()
    page.get_by_test_id("cell-L3H7").click()
    expect(page.get_by_test_id("card")).to_contain_text(f"of {SURVEYED}")
    page.get_by_test_id("try").click()
    wait(page)
    expect(page.get_by_test_id("model-0")).to_have_value(SURVEYED)
    expect(page.get_by_test_id("text")).to_have_value("Small boats drift")
    expect(live_part(page).get_by_test_id("told").locator("strong")).to_have_text("L3H7")
    expect(live_part(page).get_by_test_id("role")).to_be_visible()
    expect(page.get_by_test_id("missing")).to_have_count(0)
    page.go_back()
    expect(page.get_by_test_id("card-title")).to_have_text("L3H7")


def test_a_model_that_is_not_served_is_said_to_be_missing(
    visitor: Visitor, report: Report, tiny: Path
) -> None:
    with serve({"bert": str(tiny / "bert")}, report) as client:
        page = visitor.open(f"{client.base_url}/#L1H3")
        page.get_by_test_id("try").click()
        wait(page)
        expect(live_part(page).get_by_test_id("told").locator("strong")).to_have_text("L1H3")
        expect(page.get_by_test_id("missing")).to_have_text(
            f"This server does not offer {SURVEYED}; what is shown is of bert."
        )
        expect(live_part(page).get_by_test_id("role")).to_have_count(0)


def test_live_opens_at_the_most_telling_head_of_a_model_that_is_served_by_another_name(
    visitor: Visitor, report: Report
) -> None:
    with serve({"default": "default"}, report) as client:
        page = visitor.open(str(client.base_url))
        wait(page)
        head = page.get_by_test_id("card-title").inner_text()
        page.get_by_role("button", name="Live").click()
        expect(live_part(page).get_by_test_id("told").locator("strong")).to_have_text(head)
        page.go_back()
        expect(page.get_by_test_id("card-title")).to_be_visible()


def test_a_first_head_that_is_found_late_takes_no_step_back(visitor: Visitor, report: Report) -> None:
    with serve({"default": "default"}, report) as client:
        page = visitor.open(str(client.base_url))
        held: list[Route] = []
        page.route("**/api/look", lambda route: held.append(route))
        with page.expect_request("**/api/look"):
            page.reload()
        page.get_by_role("button", name="Live").click()
        page.wait_for_url("**/#live?*")
        steps = page.evaluate("history.length")
        held[0].continue_()
        head = page.get_by_test_id("card-title").text_content()
        expect(live_part(page).get_by_test_id("told").locator("strong")).to_have_text(head or "")
        assert page.evaluate("history.length") == steps
        page.go_back()
        expect(page.get_by_test_id("card-title")).to_be_visible()


def test_a_model_that_is_served_by_another_name_is_known_by_its_own(visitor: Visitor, report: Report) -> None:
    with serve({"default": "default"}, report) as client:
        page = visitor.open(f"{client.base_url}/#L3H7")
        page.get_by_test_id("try").click()
        wait(page)
        expect(live_part(page).get_by_test_id("role")).to_be_visible()
        expect(page.get_by_test_id("missing")).to_have_count(0)
