"""The docs as a site, opened from a folder: its search answers, and nothing is asked of other machines."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.chromium import Visitor
from tests.docs.site import build_site


def test_the_search_works_without_a_server_and_in_the_dark(visitor: Visitor, tmp_path: Path) -> None:
    build_site(tmp_path)
    page = visitor.open(tmp_path / "index.html", dark=True)
    page.locator(".md-search__input").click()
    page.keyboard.type("antecedent")
    expect(page.locator(".md-search-result__meta")).to_contain_text("matching documents")
    expect(page.locator(".md-search-result__list")).to_contain_text("Coreference")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
