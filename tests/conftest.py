"""Fixtures that several parts of the tests share."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from transformers import PreTrainedTokenizerBase

from tests.cli.conftest import FAST, command, written
from tests.cli.folders import save_all
from tests.made import made_once
from tests.pictured import drawn_as_png
from tests.tokenizers import BUILDERS, TEXTS

# What a shell runs in the background ignores Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What is there now stays to the end: it need not be looked through again and again for what can go."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def tokenizers() -> dict[str, PreTrainedTokenizerBase]:
    """All tokenizers by name; none of them may be changed."""
    return {name: build() for name, build in BUILDERS.items()}


@pytest.fixture(scope="session", params=list(BUILDERS))
def tokenizer(request: pytest.FixtureRequest, tokenizers: dict[str, PreTrainedTokenizerBase]):
    """Each tokenizer in turn."""
    return tokenizers[request.param]


@pytest.fixture(scope="session")
def wordpiece(tokenizers: dict[str, PreTrainedTokenizerBase]) -> PreTrainedTokenizerBase:
    return tokenizers["wordpiece"]


@pytest.fixture(scope="session")
def texts() -> dict[str, str]:
    """One short text per language."""
    return TEXTS


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data, where there is one."""
    folder = os.environ.get("HEADSCOPE_DATA")
    if not folder:
        pytest.skip("HEADSCOPE_DATA is not set: no real data to read")
    return Path(folder)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds all tiny models by name; not to be changed."""
    return made_once(tmp_path_factory, "models", save_all)


@pytest.fixture(scope="session")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text of 20 short documents."""
    return made_once(tmp_path_factory, "small.txt", lambda path: path.write_text(written(20)))


@pytest.fixture(scope="session")
def run_of(models: Path, text: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The finished survey of a model over the text; not to be changed.

    That of `bert` has everything, the others lack gradients, distances and plots.
    """

    def give(name: str) -> Path:
        def make(path: Path) -> None:
            options = ("--pieces", "32") if name == "bert" else FAST
            with drawn_as_png():
                done = command("survey", models / name, text, *options, "--out", path, "--quiet")
            assert (done.code, done.out, done.err) == (0, "", "")

        return made_once(tmp_path_factory, f"runs/{name}", make)

    return give
