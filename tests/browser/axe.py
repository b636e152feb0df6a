"""axe-core, which knows the rules of accessibility that a program can check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.chromium import lacking

_SCRIPT = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"


def axe_script() -> Path:
    """The file of axe-core, to open a page with."""
    return _SCRIPT if _SCRIPT.exists() else lacking("axe-core is missing; run `npm ci` in client")


def violations(page: Page, within: str | None = None) -> list[str]:
    """What a page (or an element of it) that was opened with `axe_script` does wrong, one line each."""
    found = page.evaluate(
        "within => axe.run(within ?? document, {resultTypes: ['violations']}).then(told => told.violations)",
        within,
    )
    return [_line(violation, node) for violation in found for node in violation["nodes"]]


def _line(violation: dict[str, Any], node: dict[str, Any]) -> str:
    why = " ".join(node["failureSummary"].split())
    return f"{violation['id']} ({violation['impact']}): {node['html'][:160]} — {why}"
