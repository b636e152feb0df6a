"""The page as one file: nothing to fetch, text stays text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from headscope.web.page import asset, served, standalone
from headscope.web.wire import Page

HOSTILE = "</title></script><script>alert(1)</script>\"'&"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text inside title and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data: str) -> None:
        if self._open in ("title", "script"):
            self.texts.append((self._open, data))


@pytest.fixture(scope="module")
def page() -> str:
    return standalone(Page(HOSTILE, "1.2"))


def test_it_fetches_nothing(page: str) -> None:
    for _, attributes in Elements(page).found:
        assert not {"src", "href"} & attributes.keys()
    assert not re.search(r"@import|url\(\s*['\"]?http", asset("page.css"))


def test_it_has_two_scripts_the_data_and_the_client(page: str) -> None:
    scripts = [attributes for tag, attributes in Elements(page).found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "page"}, {}]


def test_text_stays_text(page: str) -> None:
    texts = Elements(page).texts
    assert "".join(text for tag, text in texts if tag == "title").strip() == HOSTILE
    data = next(text for tag, text in texts if tag == "script")
    assert json.loads(data)["title"] == HOSTILE


def test_a_server_has_the_client_beside_it() -> None:
    text = served(Page("a", "1"))
    assert '<script src="/page.js"></script>' in text
    assert len(text) < 2_000


def test_the_client_is_light() -> None:
    """Every notebook view carries it."""
    assert 50_000 < sum(len(asset(name).encode()) for name in ("page.js", "page.css")) < 250_000
