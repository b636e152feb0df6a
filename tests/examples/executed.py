"""The example notebooks, run from top to bottom and saved as HTML, each once."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import headscope
from tests.made import made_once

FOLDER = Path(__file__).parents[2] / "examples"
SECONDS = 600
"""Much more than a cell needs, for machines that are busy."""


def saved_notebook(factory: pytest.TempPathFactory, name: str) -> Path:
    """The page that a notebook is saved as."""

    def make(page: Path) -> None:
        folder = factory.mktemp(name)
        environment = {
            "PYTHONPATH": str(Path(headscope.__file__).parents[1]), "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1", "TMPDIR": str(folder), "IPYTHONDIR": str(folder),
        }  # fmt: skip
        notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
        with patch.dict(os.environ, environment):
            resources = {"metadata": {"path": str(folder)}}
            NotebookClient(notebook, timeout=SECONDS, resources=resources).execute()
        content, _ = HTMLExporter().from_notebook_node(notebook)
        page.write_text(content, encoding="utf-8")

    return made_once(factory, f"{name}.html", make)
