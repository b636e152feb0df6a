"""Pictures of the page as a browser shows it: the report of the demo, and a sentence, live."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Page, sync_playwright

WINDOW = {"width": 1280, "height": 860}
PORT = 8797
SERVE = "from headscope.cli.main import run; run()"
PATIENCE = 120


def draw_screens(run: Path, images: Path, name: str) -> None:
    """One of both pictures, from a run of the demo."""
    target = images / f"{name}.png"
    if name == "page-report":
        with opened((run / "report.html").resolve().as_uri() + "#L2H0") as page:
            page.wait_for_selector("text=On example sentences")
            page.screenshot(path=target)
    else:
        with served(run) as address, opened(address) as page:
            page.get_by_role("button", name="Live").click()
            live = page.locator("main:visible")
            live.get_by_test_id("lines").wait_for()
            live.get_by_test_id("special").select_option("renormalised")
            for pressed in ("layer-2", "pick-8"):
                live.get_by_test_id(pressed).click()
            live.get_by_test_id("token-query-8").hover()
            page.screenshot(path=target)


@contextmanager
def opened(address: str) -> Iterator[Page]:
    """A page in this machine's Chromium."""
    found = os.environ.get("HEADSCOPE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--headless", "--no-sandbox"])
        page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
        page.goto(address)
        yield page
        browser.close()


@contextmanager
def served(run: Path) -> Iterator[str]:
    """The address of the live page of a run."""
    words = [sys.executable, "-c", SERVE, "serve", str(run), "--port", str(PORT)]
    server = subprocess.Popen(words)
    address = f"http://127.0.0.1:{PORT}"
    try:
        for _ in range(PATIENCE):
            try:
                urlopen(address).close()
                break
            except URLError:
                sleep(1)
        yield address
    finally:
        server.terminate()
        server.wait()
