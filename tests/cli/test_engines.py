"""--engine and --workers: the same result, nothing left behind, and mistakes that are explained."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from headscope.cli import engines
from tests.cli.conftest import ENVIRONMENT, FAST, command, contents, written
from tests.cli.waiting import wait_for_shards
from tests.engine.machines import PATIENCE, forked, forking_workers, left_over, machines, still_running

HIDDEN = """
import sys
sys.modules["distributed"] = None
"""
RUN = """
from headscope.cli.main import run
if __name__ == "__main__":
    run()
"""
STOPPED = "\nheadscope: stopped; headscope resume {}, or the same command, goes on from what has finished\n"


@pytest.fixture(scope="module")
def long_text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text of some hundred small shards."""
    path = tmp_path_factory.mktemp("long") / "long.txt"
    path.write_text(written(700))
    return path


def start(before: str, folder: Path, *arguments: object) -> subprocess.Popen:
    """`headscope ARGUMENTS` as a process group of its own, after some code."""
    launcher = folder / "launcher.py"
    launcher.write_text(before + RUN)
    words = [sys.executable, launcher, *arguments]
    return subprocess.Popen(
        [str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=ENVIRONMENT, start_new_session=True,
    )  # fmt: skip


def test_without_dask_it_says_what_to_install(tmp_path: Path, text: Path) -> None:
    process = start(
        HIDDEN, tmp_path, "survey", "default", text, "--engine", "dask", "--out", tmp_path / "run"
    )
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and out == ""
    assert err == "headscope: --engine dask needs Dask; run pip install 'headscope[cluster]'\n"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--engine", "spark"],
            "--engine 'spark': write local, dask, or an address such as tcp://node1:8786",
        ),
        (
            ["--engine", "tcp://node1"],
            "--engine 'tcp://node1': write local, dask, or an address such as tcp://node1:8786",
        ),
        (["--workers", "2"], "--workers is for --engine dask"),
        (
            ["--engine", "tcp://node1:8786", "--workers", "2"],
            "--workers is for workers that are started here; tcp://node1:8786 has its own",
        ),
    ],
)
def test_mistakes(options: list[str], message: str, models: Path, text: Path) -> None:
    done = command("survey", models / "bert", text, *options)
    assert (done.code, done.out, done.err) == (2, "", f"headscope: {message}\n")


def test_no_scheduler(models: Path, text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headscope.engine.dask.PATIENCE", "1s")
    done = command("survey", models / "bert", text, "--engine", "tcp://127.0.0.1:9")
    assert done.code == 2 and done.err.startswith("headscope: no Dask scheduler answers at tcp://127.0.0.1:9")


def test_it_is_told_when_there_is_no_worker(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_SECONDS", 0.05)
    with machines("node-0") as nodes, engines.engine_of(nodes.address, None):
        time.sleep(0.5)
        assert capsys.readouterr().err == ""
        nodes.kill("node-0")
        said, end = "", time.monotonic() + PATIENCE
        while not said and time.monotonic() < end:
            time.sleep(0.05)
            said = capsys.readouterr().err
        time.sleep(0.5)
        told = f"headscope: {nodes.address} has no worker; waiting for one\n"
        assert said + capsys.readouterr().err == told


def test_own_workers_give_the_same_bits_and_end(models: Path, text: Path, tmp_path: Path) -> None:
    before = forked()
    for name, options in {"here": [], "there": ["--engine", "dask", "--workers", "2"]}.items():
        with forking_workers():
            words = [*FAST, "--shard-characters", "200", *options, "--out", tmp_path / name, "--quiet"]
            done = command("survey", models / "bert", text, *words)
        assert (done.code, done.out, done.err) == (0, "", "")
    here, there = (contents(tmp_path / name) for name in ("here", "there"))
    assert here.keys() == there.keys() and len(here) > 10
    assert [name for name in here if here[name] != there[name]] == ["run.json"]
    assert left_over(before) == set()


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_driver_takes_its_workers_with_it(
    stop: signal.Signals, models: Path, long_text: Path, tmp_path: Path
) -> None:
    """A terminal sends Ctrl-C to the workers too."""
    run = tmp_path / "run"
    options = ["--shard-characters", "1000", "--engine", "dask", "--workers", "1", "--out", run, "--quiet"]
    driver = start("", tmp_path, "survey", models / "bert", long_text, *FAST, *options)
    wait_for_shards(run, 2, driver)
    workers = psutil.Process(driver.pid).children(recursive=True)
    assert workers
    if stop == signal.SIGINT:
        os.killpg(driver.pid, stop)
    else:
        driver.kill()
    out, err = driver.communicate(timeout=PATIENCE)
    if stop == signal.SIGINT:
        assert (driver.returncode, out, err) == (130, "", STOPPED.format(run))
    assert still_running(workers) == set()
    assert len(list(run.glob("shards/survey/[0-9]*"))) >= 2
