"""A browser, the report of a small run, and a server with two models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import headscope
from headscope.questions.explain.offers import Explaining
from headscope.questions.maps.live import Models
from tests.browser.axe import axe_script
from tests.browser.chromium import Visitor, browser
from tests.browser.live_page import wait
from tests.cli.conftest import command
from tests.cli.folders import save_all
from tests.made import made_once
from tests.threads import one_thread  # noqa: F401
from tests.web.live.serving import serving

SENTENCES = """The gardener who watered the roses forgot her gloves on the bench.

Rain fell all night, but the small bridge held and nobody was late.

When the choir stopped singing, the old piano answered with one soft note.

A baker in our street sells bread that smells of honey and smoke.

The letters which the captain wrote never reached his brother.

Two dogs chased a red balloon across the frozen lake.
"""


@pytest.fixture(scope="module")
def running_browser() -> Iterator[Browser]:
    """One Chromium for a file of tests; it may not outlive them, as it keeps an event loop running."""
    with browser() as running:
        yield running


@pytest.fixture
def visitor(running_browser: Browser) -> Iterator[Visitor]:
    """Opens pages; whatever goes wrong in them fails the test."""
    one = Visitor(running_browser)
    yield one
    one.close()


@pytest.fixture(scope="session")
def survey_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished survey of the embedded model over a few sentences; not to be changed."""

    def make(folder: Path) -> None:
        text = folder.with_suffix(".txt")
        text.write_text(SENTENCES)
        done = command("survey", "default", text, "--out", folder, "--quiet")
        assert (done.code, done.err) == (0, "")

    return made_once(tmp_path_factory, "browsed", make)


@pytest.fixture(scope="session")
def report_file(survey_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of that run as one HTML file."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    done = command("report", survey_run, "--out", path)
    assert (done.code, done.err) == (0, "")
    return path


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of tiny random models by name."""
    return made_once(tmp_path_factory, "models", save_all)


@pytest.fixture(scope="session")
def models(tiny: Path) -> Models:
    """The models that the live page can choose from."""
    return Models(
        {"default": headscope.load("default"), "llama": str(tiny / "llama"), "t5": str(tiny / "t5")}
    )


@pytest.fixture
def opened(visitor: Visitor, live: str) -> Page:
    """The live page as it is first shown."""
    page = visitor.open(live)
    wait(page)
    return page


@pytest.fixture
def page(visitor: Visitor, live: str) -> Page:
    """The live page with a model that continues texts."""
    opened = visitor.open(live, script=axe_script())
    wait(opened)
    opened.get_by_test_id("model-0").select_option("llama")
    wait(opened)
    return opened


@pytest.fixture(scope="session")
def live(models: Models) -> Iterator[str]:
    """The address of the live page."""
    with serving(models, explains=Explaining(models)) as client:
        yield str(client.base_url)
