"""Ctrl-C, and the signal by which clusters stop a job: what was finished is kept, for the same bits later."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import headscope
from tests.cli.conftest import ENVIRONMENT, command, contents, written
from tests.cli.waiting import wait_for_shards
from tests.sampling import sampled

SHARDS = 2
LAUNCHER = f"""
import time
from headscope.results.shards import Part

def patiently(self, number, *content):
    write(self, number, *content)
    # However busy the machine, the signal comes before the next shard.
    time.sleep(1000 if number + 1 == {SHARDS} else 0)

write, Part.write = Part.write, patiently
from headscope.cli.main import run
run()
"""


@pytest.fixture(scope="module")
def long_text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text of some ten small shards."""
    path = tmp_path_factory.mktemp("long") / "long.txt"
    path.write_text(written(140))
    return path


@pytest.fixture(scope="module")
def uninterrupted(
    models: Path, long_text: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("whole") / "run"
    assert command(*_survey(models, long_text, path)).code == 0
    return _results(path)


@pytest.mark.parametrize("stop", sampled([signal.SIGINT, signal.SIGTERM], [signal.SIGINT]))
def test_a_stopped_run_goes_on_to_the_same_bits(
    stop: signal.Signals, models: Path, long_text: Path, tmp_path: Path, uninterrupted: dict[str, bytes]
) -> None:
    path = tmp_path / "run"
    arguments = [sys.executable, "-c", LAUNCHER, *_survey(models, long_text, path)]
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    wait_for_shards(path, SHARDS, process)
    process.send_signal(stop)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (130, "")
    way = f"headscope resume {path}, or the same command,"
    assert err == f"\nheadscope: stopped; {way} goes on from what has finished\n"
    assert len(list(path.glob("shards/survey/[0-9]*"))) == SHARDS
    assert headscope.open(path).unfinished == ["survey"]
    assert not (path / ".lock").exists()
    assert command(*_survey(models, long_text, path)).code == 0
    assert _results(path) == uninterrupted
    assert not (path / "shards").exists()


def _survey(models: Path, text: Path, path: Path) -> list[str]:
    options = ["--pieces", "32", "--no-plots", "--quiet", "--batch-size", "8", "--shard-characters", "2000"]
    return ["survey", str(models / "bert"), str(text), *options, "--out", str(path)]


def _results(run: Path) -> dict[str, bytes]:
    found = {name: content for name, content in contents(run).items() if name != "run.json"}
    assert any(name.startswith("arrays.zarr") for name in found)
    assert any(name.startswith("tables") for name in found)
    return found


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_both_signals_end_a_command_in_the_same_way(
    stop: signal.Signals, models: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, before anything was finished."""
    monkeypatch.setattr("headscope.questions.survey.answer.run", lambda *given: signal.raise_signal(stop))
    before = signal.getsignal(signal.SIGTERM)
    done = command(*_survey(models, text, tmp_path / "run"))
    assert (done.code, done.out) == (130, "")
    assert done.err == "\nheadscope: stopped; nothing was finished yet, so the same command begins anew\n"
    assert not (tmp_path / "run").exists() and signal.getsignal(signal.SIGTERM) is before
