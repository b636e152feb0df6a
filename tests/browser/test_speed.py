"""What the live page weighs on the wire, and how long it computes until there is a picture."""

from __future__ import annotations

from typing import Any

import httpx
import transformers as tf
from playwright.sync_api import Page, Route, expect

from headscope.models import load
from headscope.questions.maps.live import Models
from tests.browser.chromium import Visitor
from tests.browser.live_page import wait
from tests.tokenizers import wordpiece
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


REPAINTS = 5
FRAME = "const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));"
REPAINT = f"""async () => {{
    {FRAME}
    const table = document.querySelector('table')
    for (let time = 0; time < 10; time++) {{
        table.style.opacity = time % 2 ? '' : '0.99'
        await frame()
    }}
}}"""
TOGGLE = f"""async () => {{
    {FRAME}
    for (let head = 0; head < 10; head++) {{
        document.querySelector(`[data-testid=head-L3H${{head}}]`).click()
        await frame()
    }}
}}"""


def many_heads() -> Models:
    """A model of 30 layers with 10 heads each."""
    tokenizer = wordpiece()
    sizes = {
        "hidden_size": 20, "num_hidden_layers": 30, "num_attention_heads": 10, "intermediate_size": 20,
        "vocab_size": len(tokenizer), "max_position_embeddings": 64, "pad_token_id": 0,
    }  # fmt: skip
    return Models({"many": load(tf.BertForMaskedLM(tf.BertConfig(**sizes)).eval(), tokenizer=tokenizer)})


def test_a_head_of_300_is_switched_as_quickly_as_they_are_painted(visitor: Visitor) -> None:
    """Beside what the server takes: its answers do not come."""
    held: list[Route] = []
    with serving(many_heads(), text="The old keeper wrote every night") as client:
        page = visitor.open(f"{client.base_url}#live?view=all")
        expect(page.locator("[data-testid^=head-L] canvas")).to_have_count(300)
        wait(page)
        page.get_by_test_id("click-switch").click()
        page.route("**/api/look", lambda route: held.append(route))
        busy = Busy(page)
        times = []
        for what in (REPAINT, TOGGLE):
            before = busy.milliseconds()
            page.evaluate(what)
            times.append(busy.milliseconds() - before)
        expect(page.locator("[data-testid^=head-L][aria-pressed=true]")).to_have_count(10)
        empty, toggled = times
        assert 0 < toggled < REPAINTS * empty
        assert held
