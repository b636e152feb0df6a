"""Chromium for the tests: this machine's own, kept from the network and watched for errors."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Route,
    expect,
    sync_playwright,
)

ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZES = {"phone": (390, 844), "laptop": (1280, 800), "wide": (1920, 1080)}
PATIENCE = 60_000
"""Milliseconds to wait for what a page does in a moment, on a machine that is not too busy."""
_HOSTS = ("localhost", "127.0.0.1")
_INSIDE = ("data", "blob", "about")

expect.set_options(timeout=PATIENCE)


def lacking(what: str) -> NoReturn:
    """Skip a test for want of a tool, or fail it where HEADSCOPE_BROWSER=required says that all must run."""
    if os.environ.get("HEADSCOPE_BROWSER") == "required":
        pytest.fail(f"{what}; HEADSCOPE_BROWSER=required")
    pytest.skip(what)


def chromium() -> str:
    """The path of Chromium."""
    found = os.environ.get("HEADSCOPE_CHROMIUM") or shutil.which("chromium")
    return found or lacking("no chromium on the path, and HEADSCOPE_CHROMIUM does not name one")


@contextmanager
def browser() -> Iterator[Browser]:
    """A running Chromium without a window."""
    path = chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


class Visitor:
    """Opens pages, each with a fresh browser profile, and remembers what went wrong in any of them.

    requests: the addresses that pages asked for. problems: errors on the console, exceptions, dialogs, and
    requests to other machines, which are refused.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.requests: list[str] = []
        self.problems: list[str] = []

    def open(
        self, address: str | Path, *, size: str = "laptop", dark: bool = False, script: Path | None = None
    ) -> Page:
        """Open a page; script: run before the page's own, outside of its rules."""
        width, height = SIZES[size]
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        context.route("**/*", self._allow)
        if script is not None:
            context.add_init_script(path=script)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        page.on("dialog", self._dismiss)
        page.goto(address.resolve().as_uri() if isinstance(address, Path) else address)
        return page

    def close(self) -> None:
        """Close all pages; what went wrong in one of them fails the test."""
        for context in self._contexts:
            context.close()
        assert self.problems == []

    def _allow(self, route: Route) -> None:
        address = route.request.url
        parts = urlsplit(address)
        if parts.scheme in _INSIDE:
            route.continue_()
            return
        self.requests.append(address)
        if parts.scheme == "file" or parts.hostname in _HOSTS:
            route.continue_()
        else:
            self.problems.append(f"request: {address}")
            route.abort()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console: {message.text}")

    def _dismiss(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def overflow(page: Page) -> int:
    """How many pixels of the page lie beyond the right edge of the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def reach(page: Page, start: str) -> None:
    """Press the tab key until something is focused whose test id starts so."""
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate("document.activeElement?.dataset?.testid ?? ''")
        if found.startswith(start):
            return
    raise AssertionError(f"the tab key does not reach {start}")
