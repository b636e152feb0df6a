"""Pages as they looked when they were last looked at.

A page may differ from its reference by fonts and by a few pixels, not by its shape: both are compared as grey
blocks. After a change that is wanted, renew the pictures with

    HEADSCOPE_RENEW=1 python -m pytest tests/browser/test_references.py

and look at them before they are committed.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.chromium import SIZES, Visitor
from tests.browser.live_page import choose_head, wait
from tests.sampling import sampled

REFERENCES = Path(__file__).parent / "references"
LARGEST = 200_000
BLOCKS = 64
COLOURS = 96
THEMES = ("light", "dark")
# The mean difference of blocks, of 255 steps of grey: other fonts make about 2, the other theme above 100.
MOST = 8.0


def blocks(picture: Image.Image) -> np.ndarray:
    """A picture as grey blocks, 64 across."""
    height = round(BLOCKS * picture.height / picture.width)
    grey = picture.convert("L").resize((BLOCKS, height), Image.Resampling.BOX)
    return np.asarray(grey, dtype=float)


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference between the blocks of two pictures of the same size."""
    assert one.size == other.size
    return float(np.abs(blocks(one) - blocks(other)).mean())


def check(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    path = REFERENCES / f"{name}.png"
    if os.environ.get("HEADSCOPE_RENEW") == "1":
        path.parent.mkdir(exist_ok=True)
        taken.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    with Image.open(path) as reference:
        assert difference(taken, reference.convert("RGB")) < MOST
    assert path.stat().st_size < LARGEST


def check_both(page: Page, name: str) -> None:
    """Compare a page in light and in dark colours."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        check(page, f"{name}-{theme}")


@pytest.mark.parametrize("size", sampled(SIZES, ["laptop"]))
def test_report(visitor: Visitor, report_file: Path, size: str) -> None:
    page = visitor.open(f"{report_file.as_uri()}#L2H8", size=size)
    expect(page.get_by_test_id("card").locator("canvas").first).to_be_visible()
    page.locator("#atlas").scroll_into_view_if_needed()
    check_both(page, f"report-{size}")


@pytest.mark.parametrize("size", sampled(SIZES, ["laptop"]))
def test_live_page(visitor: Visitor, live: str, size: str) -> None:
    page = visitor.open(live, size=size)
    wait(page)
    choose_head(page, 2, 8)
    check_both(page, f"live-{size}")


def test_other_pages_are_told_apart() -> None:
    pictures = {path.stem: Image.open(path).convert("RGB") for path in REFERENCES.glob("*.png")}
    assert len(pictures) == 2 * len(SIZES) * len(THEMES)
    for size in SIZES:
        one, other = (pictures[f"report-{size}-{theme}"] for theme in THEMES)
        assert difference(one, other) > 10 * MOST
        assert difference(one, pictures[f"live-{size}-light"]) > MOST / 2
