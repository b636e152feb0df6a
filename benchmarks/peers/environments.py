"""Environments of other tools, each of its own: `python -m benchmarks.peers.environments` installs them.

All have the versions of torch, transformers and numpy that headscope is tested with, so that what differs
is the tools.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.closure import ROOT

BUILT = ROOT / "build" / "peers"
PEERS = {
    "bertviz": ("bertviz==1.4.1",),
    "inseq": ("inseq==0.7.1",),
    "transformer-lens": ("transformer-lens==4.3.0",),
    "captum": ("captum==0.9.0", "transformers"),
}
"""What is installed for each."""

SHARED = ("torch", "transformers", "numpy")


class Answer(NamedTuple):
    """Seconds on the processor, bytes of memory above those before, and what a job has told."""

    seconds: float
    peak: int
    told: Any


def installed(name: str) -> Path:
    """The Python of an environment, which is made where it is not there yet."""
    folder, wanted = BUILT / name, "\n".join(PEERS[name])
    stamp, python = folder / "installed", folder / "bin" / "python"
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        versions = folder / "versions.txt"
        versions.write_text("\n".join(shared := _shared_versions()), "utf-8")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # torch first: other packages would take a larger build of it.
        (torch,) = (line for line in shared if line.startswith("torch=="))
        subprocess.run([*pip, torch], check=True)
        subprocess.run([*pip, "--constraint", str(versions), *PEERS[name]], check=True)
        stamp.write_text(wanted, "utf-8")
    return python


def _shared_versions() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line.partition("==")[0] in SHARED]


class Beside:
    """A script that answers in the environment of another tool (`benchmarks.serving`), inside a `with`."""

    def __init__(self, name: str, script: str) -> None:
        self.name = name
        self._command = [str(installed(name)), "-P", script]

    def __enter__(self) -> Beside:
        others = {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            self._command, env={**os.environ, **others}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return self

    def __exit__(self, *raised: object) -> None:
        self._process.communicate()

    def ask(self, job: str, **given: Any) -> Answer:
        """Have a job done."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps({"job": job, "given": given}), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(self._command)} broke off at {job}")
        return Answer(**json.loads(line))

    @property
    def titled(self) -> str:
        """The name with the version that is installed."""
        return f"{self.name} {self.ask('version', distribution_name=self.name).told}"


def peak_beside(name: str, script: str, load: dict[str, Any], heads: dict[str, Any]) -> int:
    """Bytes that statistics of heads add to what is loaded, at their highest, in a fresh process."""
    with Beside(name, script) as other:
        other.ask("load", **load)
        return other.ask("heads", **heads).peak


if __name__ == "__main__":
    for each in PEERS:
        print(installed(each), flush=True)
