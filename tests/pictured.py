"""Pictures of runs as PNG alone: the other formats take most of the time; tests/drawing writes them all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from headscope.questions import asking
from headscope.questions.pictures import files_of
from headscope.results.folder import Plot
from headscope.results.result import Result


def png_files_of(result: Result) -> dict[str, Plot]:
    return {name: plot for name, plot in files_of(result).items() if name.endswith(".png")}


@contextmanager
def drawn_as_png() -> Iterator[None]:
    """Inside the `with`, runs have no other files of pictures."""
    with patch.object(asking, "files_of", png_files_of):
        yield


@pytest.fixture(scope="module", autouse=True)
def png_alone() -> Iterator[None]:
    """Import this into a conftest to use it in its folder."""
    with drawn_as_png():
        yield
