"""A browser, the report of a small run, and a server with two models."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import headscope
from headscope.questions.maps.live import Models
from tests.browser.chromium import Visitor, browser
from tests.cli.conftest import command
from tests.cli.folders import save_all
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


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first process to come makes for all that run the tests."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = shared / "unfinished" / name
            make(unfinished)
            unfinished.rename(folder)
    return folder


@pytest.fixture(scope="session")
def survey_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished survey of the embedded model over a few sentences; not to be changed."""

    def make(folder: Path) -> None:
        folder.parent.mkdir(exist_ok=True)
        text = folder.with_suffix(".txt")
        text.write_text(SENTENCES)
        done = command("survey", "default", text, "--out", folder, "--quiet")
        assert (done.code, done.err) == (0, "")

    return made_once(tmp_path_factory, "survey", make)


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

    def make(folder: Path) -> None:
        folder.mkdir(parents=True)
        save_all(folder)

    return made_once(tmp_path_factory, "tiny", make)


@pytest.fixture(scope="session")
def models(tiny: Path) -> Models:
    """The models that the live page can choose from."""
    return Models(
        {"default": headscope.load("default"), "llama": str(tiny / "llama"), "t5": str(tiny / "t5")}
    )


@pytest.fixture(scope="session")
def live(models: Models) -> Iterator[str]:
    """The address of the live page."""
    with serving(models) as client:
        yield str(client.base_url)
