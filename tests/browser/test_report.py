"""The report in Chromium: one file, with grid, map and card linked."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

import headscope
from headscope.questions import VERBS
from tests.browser.chromium import SIZES, Visitor, overflow, reach
from tests.browser.conftest import SENTENCES
from tests.cli.conftest import command

SECTIONS = ("findings", "atlas", "tables", "figures", "overview", "reading")


def is_chosen(page: Page, mark: str) -> None:
    """Check that a mark of a drawing is the chosen one."""
    expect(page.get_by_test_id(mark)).to_have_attribute("aria-selected", "true")


def test_report_is_one_file_that_fits_every_screen(visitor: Visitor, report_file: Path) -> None:
    page = visitor.open(report_file)
    for section in SECTIONS:
        expect(page.locator(f"#{section} h2")).to_be_visible()
    expect(page.get_by_test_id("verb-survey")).to_contain_text("all-MiniLM-L6-v2")
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert overflow(page) <= 0
    assert visitor.requests == [report_file.as_uri()]


def test_grid_map_and_card_are_linked(visitor: Visitor, report_file: Path, survey_run: Path) -> None:
    page = visitor.open(report_file)
    roles = headscope.open(survey_run).table("heads").set_index("head")["role"]
    page.get_by_test_id("cell-L3H7").click()
    is_chosen(page, "point-L3H7")
    expect(page.get_by_test_id("card-title")).to_have_text("L3H7")
    expect(page.get_by_test_id("card-role").locator("strong")).to_have_text(roles["L3H7"])
    page.get_by_test_id("point-L1H2").dispatch_event("click")
    is_chosen(page, "cell-L1H2")
    expect(page.get_by_test_id("card-title")).to_have_text("L1H2")
    page.get_by_test_id("card-next").click()
    is_chosen(page, "cell-L1H3")
    is_chosen(page, "point-L1H3")
    assert page.get_by_test_id("cell-L3H7").get_attribute("aria-selected") == "false"


def test_pointing_tells_the_value_of_any_measure(
    visitor: Visitor, report_file: Path, survey_run: Path
) -> None:
    page = visitor.open(report_file)
    entropy = headscope.open(survey_run).table("heads").set_index("head")["entropy"]
    page.get_by_test_id("measure").select_option("entropy")
    page.get_by_test_id("cell-L5H11").hover()
    readout = page.get_by_test_id("readout").first
    expect(readout).to_contain_text("L5H11")
    expect(readout).to_contain_text(f"{entropy['L5H11']:.3g}")


def test_findings_come_first_and_lead_to_what_they_name(
    visitor: Visitor, report_file: Path, survey_run: Path
) -> None:
    findings = headscope.open(survey_run).result("survey").findings
    page = visitor.open(report_file)
    assert page.locator("section").first.get_attribute("id") == "findings"
    for place, finding in enumerate(findings):
        own = page.get_by_test_id(f"finding-survey-{place}")
        expect(own).to_contain_text(finding.text)
        own.get_by_test_id(f"row-of-survey-{place}").click()
        row = page.locator("tr[aria-current=true]")
        expect(row).to_be_in_viewport()
        shown = page.get_by_test_id("table-select").locator("option:checked").inner_text()
        assert shown.startswith(f"{VERBS['survey'].tables[finding.table].title} (")
        first = headscope.open(survey_run).table(finding.table).iloc[finding.row, 0]
        expect(row.locator("td").first).to_have_text(str(first))
        if finding.head is not None:
            own.get_by_role("link", name=f"head {finding.head}").click()
            expect(page.get_by_test_id("card-title")).to_have_text(finding.head)
    page.go_back()
    expect(page.get_by_test_id("card-title")).to_be_visible()


def test_address_opens_a_head(visitor: Visitor, report_file: Path) -> None:
    page = visitor.open(f"{report_file.as_uri()}#L2H8")
    expect(page.get_by_test_id("card-title")).to_have_text("L2H8")
    is_chosen(page, "cell-L2H8")


def test_head_is_chosen_by_keyboard_alone(visitor: Visitor, report_file: Path) -> None:
    page = visitor.open(report_file)
    reach(page, "cell-")
    page.keyboard.press("Home")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("card-title")).to_have_text("L1H2")


def test_card_shows_sentences(visitor: Visitor, report_file: Path) -> None:
    page = visitor.open(report_file)
    card = page.get_by_test_id("card")
    expect(card.get_by_test_id("card-sentence").locator("option")).to_have_count(3)
    expect(card.get_by_test_id("token-query-0").first).to_be_visible()


def test_a_slider_goes_over_checkpoints(visitor: Visitor, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(f"{SENTENCES}\n")
    earlier = ("--checkpoints", tiny / "bert-later", "--checkpoints", tiny / "bert")
    fast = ("--pieces", "32", "--no-gradients", "--no-distances", "--no-plots", "--quiet")
    run = tmp_path / "run"
    done = command("survey", tiny / "bert", tmp_path / "text.txt", *earlier, "--out", run, *fast)
    assert (done.code, done.err) == (0, "")
    assert command("report", run).code == 0
    page = visitor.open(f"{(run / 'report.html').as_uri()}#L1H2")
    table = headscope.open(run).table("series").query("head == 'L1H2'")
    names, sinks = table["checkpoint"].tolist(), table["first_token_sink"].tolist()
    assert len(set(sinks)) > 1
    page.get_by_test_id("measure").select_option(f"survey.series.first_token_sink.{names[0]}")
    for step, (name, share) in enumerate(zip(names, sinks, strict=True)):
        page.get_by_test_id("step").fill(str(step))
        expect(page.get_by_test_id("step-name")).to_have_text(name)
        expect(page.get_by_test_id("readout").first).to_contain_text(f"{100 * share:.1f}\u202f%")
    expect(page.get_by_test_id("curve")).to_have_attribute("d", re.compile("^M.+L"))
