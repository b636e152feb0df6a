"""What the live page weighs on the wire, and how long it computes until there is a picture."""

from __future__ import annotations

from typing import Any

import httpx
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


class Busy:
    """How long a page's own thread has computed; a clock would measure its neighbours too."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def milliseconds(self) -> float:
        told = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(metric["value"] for metric in told if metric["name"] == "TaskDuration"))


def first_picture(page: Page, client: httpx.Client) -> float:
    """Open the live page and wait for its first picture; gives how long that computed."""
    busy = Busy(page)
    page.goto(str(client.base_url))
    expect(page.get_by_test_id("lines")).to_be_visible()
    wait(page)
    return busy.milliseconds()


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


def test_the_first_picture_comes_quickly(visitor: Visitor, models: Models) -> None:
    with serving(models, text=text_of(models, 128)) as client:
        assert 10 < first_picture(visitor.open("about:blank"), client) < FIRST_PICTURE


def test_512_tokens_switch_heads_quickly(visitor: Visitor, models: Models) -> None:
    page, switches = visitor.open("about:blank"), 5
    with serving(models, text=text_of(models, 512)) as client:
        first_picture(page, client)
        page.evaluate("performance.clearMarks()")
        busy = Busy(page)
        before = busy.milliseconds()
        for head in range(1, switches + 1):
            page.get_by_test_id(f"pick-{head}").click()
            page.wait_for_function(
                "count => performance.getEntriesByName('headscope-painted').length === count", arg=head
            )
        assert 1 < (busy.milliseconds() - before) / switches < SWITCH
