"""Fixtures that several parts of the tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from transformers import PreTrainedTokenizerBase

from tests.tokenizers import BUILDERS, TEXTS

# What a shell runs in the background ignores Ctrl-C, and so would the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


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
