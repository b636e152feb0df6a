"""One run folder that every verb has written into, as one report."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from playwright.sync_api import expect

import headscope
from headscope.questions import VERBS
from headscope.questions.groups import KeepsRun
from headscope.web.report.content import report_of
from headscope.web.report.pages import report
from tests.battery.asked import asked_of
from tests.browser.axe import axe_script, violations
from tests.browser.chromium import SIZES, Visitor, overflow
from tests.cli.folders import save_all

KEEPING = [name for name, verb in VERBS.items() if issubclass(verb.options, KeepsRun)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, filled by one verb after the other."""
    desk = tmp_path_factory.mktemp("desk")
    save_all(desk / "models")
    with chdir(desk / "models"):
        for verb in KEEPING:
            options = asked_of(verb).write(Path.cwd())
            getattr(headscope, verb)(**options, out=desk / "run")
    return desk / "run"


@pytest.mark.slow  # every verb is asked once
def test_all_verbs_give_one_report(run: Path, visitor: Visitor) -> None:
    told = report_of(headscope.open(run))
    assert [card.verb for card in told.verbs] == KEEPING and len(KEEPING) > 15
    assert {finding.verb for finding in told.findings} == set(KEEPING)
    rows = {(table.verb, table.name): table.rows for table in told.tables}
    assert all(0 <= finding.row < rows[finding.verb, finding.table] for finding in told.findings)
    assert told.atlas is not None
    names = [head.name for head in told.atlas.heads]
    assert len(set(names)) == len(names)
    page = visitor.open(report(run), script=axe_script())
    for verb in KEEPING:
        expect(page.get_by_test_id(f"findings-{verb}")).to_be_visible()
    assert page.locator("[data-testid^=verdict-trust-]").count() == len(told.verdicts) > 0
    expect(page.locator("[data-testid^=figure-] img")).to_have_count(len(told.figures))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page) == []
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert overflow(page) <= 0
