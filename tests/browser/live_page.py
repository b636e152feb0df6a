"""What a reader does on the live page, and what the page then shows."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

Part = Page | Locator


def ask(page: Page, text: str) -> None:
    """Type a text, ask, and wait for the answer."""
    page.get_by_test_id("text").fill(text)
    with page.expect_response("**/api/look"):
        page.get_by_test_id("ask").click()
    wait(page)


def wait(page: Page) -> None:
    """Wait until no model is running; its picture may still be on its way."""
    for pane in page.locator("[data-testid^=pane-]").all():
        expect(pane).to_have_attribute("aria-busy", "false")


def choose_head(part: Part, layer: int, head: int) -> None:
    part.get_by_test_id(f"layer-{layer}").click()
    part.get_by_test_id(f"pick-{head}").click()
    expect(part.get_by_test_id("told").locator("strong").first).to_have_text(f"L{layer}H{head}")


def expect_tokens(part: Part, side: str, expected: Sequence[str]) -> None:
    """Check the words (or pieces) along one side of the lines."""
    expect(part.locator(f"[data-testid^=token-{side}-] bdi")).to_have_text(list(expected))


def expect_values(part: Part, query: int, expected: Iterable[float]) -> None:
    """Check the weights, in percent, that are shown when one query is pointed at."""
    shares = pytest.approx([100 * weight for weight in expected], abs=0.5)

    def check() -> None:
        part.get_by_test_id(f"token-query-{query}").hover()
        shown = part.locator("[data-testid^=token-key-] [data-testid^=value-]").all_inner_texts()
        assert [numbers(text)[0] for text in shown] == shares

    eventually(check)


def eventually(check: Callable[[], None], seconds: float = 60) -> None:
    """Try until a check holds: a page shows its last picture until the next has come."""
    until = time.monotonic() + seconds
    while True:
        try:
            return check()
        except AssertionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def numbers(text: str) -> list[float]:
    """All numbers of a text."""
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]


def is_blank(canvas: Locator) -> bool:
    """Whether all dots of a canvas have the same colour."""
    return bool(
        canvas.evaluate(
            """canvas => {
                const image = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
                const dots = new Uint32Array(image.data.buffer)
                return dots.every(dot => dot === dots[0])
            }"""
        )
    )
