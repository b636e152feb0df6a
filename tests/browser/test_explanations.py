"""What mattered for an answer, in Chromium: on the live page, in a report and in a saved page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from headscope.questions.explain.offers import Explaining, token_table
from headscope.questions.maps.live import Models
from tests.browser.axe import axe_script, violations
from tests.browser.chromium import Visitor, overflow
from tests.browser.live_page import ask, eventually, wait
from tests.browser.test_hostile import IMAGE, SCRIPT, TEXT, expect_no_harm
from tests.cli.conftest import command

SENTENCE = "The old lighthouse keeper wrote a long letter."


def explain(page: Page) -> None:
    """Ask what mattered, and wait for it."""
    with page.expect_response("**/api/explanation"):
        page.get_by_test_id("view-why").click()
    expect(page.get_by_test_id("why-panel")).to_have_attribute("aria-busy", "false")


def expect_shares(page: Page, models: Models, way: str, words: bool = True) -> None:
    """Tokens and shares are those of the library."""
    told = Explaining(models).explanation("llama", SENTENCE, by=[way])
    table = token_table(told, words)
    expected = [
        f"{row.token} {100 * row.share:.1f} %" if row.share == row.share else row.token
        for row in table.itertuples()
    ]
    tokens = page.locator(f"[data-testid^=mattered-{way}-]")

    def check() -> None:
        assert [" ".join(text.split()).replace("−", "") for text in tokens.all_inner_texts()] == expected

    eventually(check)


def test_numbers_are_the_library_s(page: Page, models: Models) -> None:
    ask(page, SENTENCE)
    explain(page)
    page.get_by_test_id("why-numbers").check()
    for way in ("rollout", "occlusion"):
        expect_shares(page, models, way)
    page.get_by_test_id("why-tokens-pieces").click()
    expect_shares(page, models, "generic", words=False)
    page.get_by_test_id("by-gradient-input").click()
    expect_shares(page, models, "gradient-input", words=False)
    page.get_by_test_id("by-rollout").click()
    expect(page.get_by_test_id("way-rollout")).to_have_count(0)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page) == []


def test_what_is_asked_next_is_explained_too(page: Page, visitor: Visitor) -> None:
    explain(page)
    ask(page, "Two ships. Rain")
    expect(page.get_by_test_id("mattered-attention-0")).to_have_text("Two")
    page.get_by_test_id("generate").fill("2")
    ask(page, "Two ships. Rain")
    expect(page.get_by_test_id("why-answer").locator("option")).to_have_count(2)
    page.get_by_test_id("model-0").select_option("default")
    wait(page)
    expect(page.get_by_test_id("why-problem")).to_contain_text(
        "no classifier, tagger or language model on top"
    )
    expect(page.get_by_test_id("way-attention")).to_have_count(0)
    visitor.problems = [problem for problem in visitor.problems if "status of 400" not in problem]


def test_hostile_text(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    ask(page, TEXT[:60] + " end.")
    explain(page)
    expect(page.get_by_test_id("mattered-attention-0")).to_have_text("See")
    assert overflow(page) <= 0
    expect_no_harm(page)


def test_report_and_saved_page(visitor: Visitor, tiny: Path, tmp_path: Path) -> None:
    hostile = f"The [MASK] keeper wrote {SCRIPT} and {IMAGE} now."
    (tmp_path / "texts.txt").write_text(f"{hostile}\n\nA [MASK] ship and a [MASK] book.\n", encoding="utf-8")
    run = tmp_path / "run"
    by = ("--by", "rollout,gradient-input")
    done = command(
        "explain", tiny / "bert", tmp_path / "texts.txt", *by, "--out", run, "--no-plots", "--quiet"
    )
    assert (done.code, done.err) == (0, "")
    assert command("report", run, "--out", tmp_path / "report.html").code == 0
    report = visitor.open(tmp_path / "report.html", size="phone", script=axe_script())
    expect(report.locator("[data-testid^=explanation-]")).to_have_count(2)
    report.get_by_test_id("finding-explain-0").get_by_role("link", name="texts").click()
    expect(report.get_by_test_id("explanation-0")).to_be_in_viewport()
    second = report.get_by_test_id("explanation-1")
    expect(second.get_by_test_id("why-answer").locator("option")).to_have_count(2)
    expect(second.get_by_test_id("way-gradient-input").locator(".token")).to_have_count(10)
    assert violations(report) == []
    saved = tmp_path / "saved.html"
    assert command("show", tiny / "bert", hostile, "--head", "L1H2", *by, "--save", saved).code == 0
    page = visitor.open(saved, size="phone", script=axe_script())
    expect(page.get_by_test_id("way-rollout")).to_be_visible()
    expect(page.locator("canvas").first).to_be_visible()
    assert violations(page) == []
    for each in (report, page):
        assert overflow(each) <= 0
        expect_no_harm(each)
    assert all(request.startswith("file:") for request in visitor.requests)
