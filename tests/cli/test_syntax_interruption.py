"""Ctrl-C while the twin of a model is at work: the same command ends in the same bits."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import headscope
from headscope.engine import shards
from tests.cli.conftest import ENVIRONMENT, command, contents
from tests.trees import conllu, treebank

CHARACTERS = 1500
MODEL, TWIN = "0*", "1*"  # how the files of their shards are called
# A batch takes longer than it would, so that there is time to stop between two.
LAUNCHER = f"""
import time
from headscope.engine import shards, work
shards.shards.__defaults__ = ({CHARACTERS},)
sides_of = work.sides_of
work.sides_of = lambda *arguments: (time.sleep(0.02), sides_of(*arguments))[1]
from headscope.cli.main import run
run()
"""


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.conllu"
    path.write_text(conllu(treebank(90)))
    return path


@pytest.fixture(scope="module")
def uninterrupted(models: Path, trees: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("whole") / "run"
    assert again(models, trees, path) == 0
    return results(path)


def test_a_stopped_run_goes_on_to_the_same_bits(
    models: Path, trees: Path, tmp_path: Path, uninterrupted: dict[str, bytes]
) -> None:
    path = tmp_path / "run"
    arguments = [sys.executable, "-c", LAUNCHER, *asked(models, trees, path)]
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    wait_for(path, TWIN, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err == "\nheadscope: stopped; the same command goes on from what has finished\n"
    own, twin = (len(list(path.glob(f"shards/syntax/{part}"))) for part in (MODEL, TWIN))
    assert 2 <= twin < own
    assert headscope.open(path).unfinished == ["syntax"]
    assert again(models, trees, path) == 0
    assert results(path) == uninterrupted
    assert not (path / "shards").exists()


def asked(models: Path, trees: Path, path: Path) -> list[str]:
    options = ["--least", "20", "--twins", "1", "--batch-size", "8", "--no-plots", "--quiet"]
    return ["syntax", str(models / "bert"), str(trees), *options, "--out", str(path)]


def again(models: Path, trees: Path, path: Path) -> int:
    """The same command in this process, with shards as small."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shards.shards, "__defaults__", (CHARACTERS,))
        return command(*asked(models, trees, path)).code


def wait_for(run: Path, pattern: str, process: subprocess.Popen) -> None:
    end = time.monotonic() + 100
    while len(list(run.glob(f"shards/syntax/{pattern}"))) < 2:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "no shard was written"
        time.sleep(0.005)


def results(run: Path) -> dict[str, bytes]:
    found = {name: content for name, content in contents(run).items() if name != "run.json"}
    assert any(name.startswith("arrays.zarr") for name in found)
    assert any(name.startswith("tables") for name in found)
    return found
