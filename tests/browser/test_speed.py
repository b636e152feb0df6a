"""What the live page weighs on the wire, and how long a reader waits for a picture."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from headscope.questions.maps.live import Models
from tests.browser.chromium import Visitor
from tests.browser.live_page import wait
from tests.web.live.serving import serving

MOST_BYTES = 1_300_000
FIRST_PICTURE = 1000
SWITCH = 200
# Words that are one piece each, in an order that does not repeat soon.
WORDS = (
    "the",
    "old",
    "keeper",
    "of",
    "a",
    "small",
    "house",
    "wrote",
    "letters",
    "to",
    "her",
    "brother",
    "every",
    "night",
)


def text_of(models: Models, pieces: int) -> str:
    """A text of so many pieces, special tokens included."""
    text = " ".join(WORDS[place * place % 13 + place % 2] for place in range(pieces - 2))
    assert len(models.look("default", text).stacks[0].query.pieces) == pieces
    return text


@contextmanager
def opened(visitor: Visitor, models: Models, pieces: int) -> Iterator[Page]:
    """The live page of a server that begins with such a text, with its first picture."""
    with serving(models, text=text_of(models, pieces)) as client:
        page = visitor.open("about:blank")
        page.goto(str(client.base_url))
        expect(page.get_by_test_id("lines")).to_be_visible()
        wait(page)
        yield page


def spans(page: Page, start: str, end: str) -> list[float]:
    """Milliseconds between marks of the page's timeline, in pairs."""
    script = "names => names.map(name => performance.getEntriesByName(name).map(entry => entry.startTime))"
    starts, ends = page.evaluate(script, [start, end])
    return [last - first for first, last in zip(starts, ends, strict=True)]


def test_128_tokens_with_72_heads_are_light(visitor: Visitor, models: Models) -> None:
    sizes: list[float] = []

    def count(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    with serving(models, text=text_of(models, 128)) as client:
        page = visitor.open("about:blank")
        session = page.context.new_cdp_session(page)
        session.on("Network.loadingFinished", count)
        session.send("Network.enable")
        page.goto(str(client.base_url))
        page.get_by_test_id("view-all").click()
        expect(page.locator("[data-testid^=head-L] canvas")).to_have_count(72)
    # The page, its script and style, the look, and six layers.
    assert len(sizes) >= 10
    # Less cannot be true: weights of real maps do not shrink to a quarter.
    assert 300_000 < sum(sizes) < MOST_BYTES


def test_first_picture_follows_the_answer(visitor: Visitor, models: Models) -> None:
    with opened(visitor, models, 128) as page:
        (span,) = spans(page, "headscope-answer", "headscope-picture")
    assert span < FIRST_PICTURE


def test_512_tokens_switch_heads_quickly(visitor: Visitor, models: Models) -> None:
    with opened(visitor, models, 512) as page:
        page.evaluate("performance.clearMarks()")
        for head in range(1, 6):
            page.get_by_test_id(f"pick-{head}").click()
            page.wait_for_function(
                "count => performance.getEntriesByName('headscope-painted').length === count", arg=head
            )
        measured = spans(page, "headscope-switch", "headscope-painted")
    assert len(measured) == 5
    assert statistics.median(measured) < SWITCH
