"""`headscope serve RUN`: the report and the live page behind one address, from the command to Ctrl-C."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import Visitor
from tests.browser.live_page import wait
from tests.cli.conftest import ENVIRONMENT, child


@pytest.fixture
def served(survey_run: Path) -> Iterator[str]:
    """The address that the command prints; at the end it is stopped as a user would."""
    command = child("serve", survey_run, "--port", 0)
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        address = next(found[0] for line in lines if (found := re.search(r"http://127.0.0.1:\d+", line)))
        try:
            yield address
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(200) == 0


@pytest.mark.slow  # the page and the command each have their own tests
def test_report_and_live_page_share_an_address(served: str, visitor: Visitor) -> None:
    page = visitor.open(served)
    page.get_by_test_id("cell-L2H8").click()
    page.get_by_role("button", name="Live").click()
    wait(page)
    expect(page.get_by_test_id("model-0")).to_have_value("all-MiniLM-L6-v2")
    expect(page.get_by_test_id("token-query-2").locator("visible=true")).to_contain_text("lighthouse")
    page.get_by_role("button", name="Report").click()
    expect(page.get_by_test_id("card-title")).to_have_text("L2H8")
    assert all(request.startswith(served) for request in visitor.requests)
