"""The pages as a site: it builds without a warning, asks nothing of the network, and has every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.hooks import inside
from tests.docs.site import ROOT, build_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build_site(folder)
    return folder


def test_every_page_and_notebook_is_in_it(site: Path) -> None:
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    notebooks = [Path("examples") / notebook.name for notebook in (ROOT / "examples").glob("*.ipynb")]
    assert len(pages) > 30 and len(notebooks) > 3
    for page in [*pages, *notebooks]:
        assert (site / page.with_suffix(".html")).exists(), page
    assert not list(site.rglob("*.py"))


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        fetched = re.findall(
            r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"?(https?:[^\" >]+)", page.read_text()
        )
        assert fetched == [], page.name


def test_the_search_needs_no_server(site: Path) -> None:
    """The index is a script, and what starts workers without a server comes before the theme's scripts."""
    assert (site / "search" / "search_index.js").read_text("utf-8").startswith("var __index = ")
    page = (site / "index.html").read_text("utf-8")
    assert page.index("assets/iframe-worker.js") < page.index("assets/javascripts/bundle")


def test_links_out_of_docs_lead_into_the_site() -> None:
    text = "[a](../CONTRIBUTING.md) [b](../examples/survey.ipynb) [c](docs/survey.md) [d](../docs/trust.md#x)"
    assert inside(text) == "[a](CONTRIBUTING.md) [b](examples/survey.md) [c](survey.md) [d](../trust.md#x)"
