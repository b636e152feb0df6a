"""A run may be stopped at any step; the same command run again must end with the same content."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from headscope.errors import RunError
from headscope.results.files import remove_leftovers, replace_folder
from headscope.results.folder import Plot, RunFolder
from headscope.results.result import Result
from tests.disks import small_disk_at

STEPS = ("replace", "rename", "mkdir", "unlink", "rmdir", "fsync", "open", "link")
Make = Callable[[], Result]


class StoppedError(BaseException):
    """Like KeyboardInterrupt, but caught by nobody else."""


class Stopper:
    """Raises at the k-th step; if it kills, no later step (so no tidying up) happens either."""

    def __init__(self, patch: pytest.MonkeyPatch, at: int, kills: bool) -> None:
        self.steps = 0
        self.at = at
        self.kills = kills
        for name in STEPS:
            patch.setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, step: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.steps += 1
            if self.steps == self.at or (self.kills and self.steps > self.at):
                raise StoppedError
            return step(*args, **kwargs)

        return counted


def work(path: Path, asked: dict[str, Any], result: Result) -> None:
    with RunFolder.claim(path, result.verb, asked) as folder:
        if folder.finished(result.verb):
            return
        if folder.part(result.verb).read(0) is None:
            folder.part(result.verb).write(0, {"sum": np.ones(2)}, {})
        plot = Plot("Heads", lambda path: path.write_text("<svg/>") and None)
        folder.write_result(result, {"heads.svg": plot})


def content(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for inside in path.rglob("*"):
        name = inside.relative_to(path).as_posix()
        found[name] = inside.read_bytes() if inside.is_file() else None
    record = json.loads(found["run.json"])
    for entry in record["verbs"].values():
        del entry["started"], entry["ended"]
    return {**found, "run.json": record}


@pytest.mark.parametrize("some", [3, pytest.param(None, marks=pytest.mark.slow)], ids=["some", "all"])
def test_a_run_interrupted_at_any_step_can_be_run_again(
    tmp_path: Path, asked: dict[str, Any], make_result: Make, same: Any, some: int | None
) -> None:
    """At the last steps, some of which come after the end of the result, and at some or all before."""
    result = make_result()
    result.arrays["heads"] = result.arrays["heads"][["count"]].drop_vars(["layer", "head"])  # fewer steps
    with pytest.MonkeyPatch.context() as patch:
        counter = Stopper(patch, 0, kills=False)
        work(tmp_path / "whole", asked, result)
    expected = content(tmp_path / "whole")
    assert counter.steps > 50
    steps = range(1, counter.steps + 1)
    finished_early = 0
    for at in steps if some is None else [*random.Random(0).sample(steps[:-5], some), *steps[-5:]]:
        path = tmp_path / str(at)
        with pytest.MonkeyPatch.context() as patch:
            Stopper(patch, at, kills=False)
            try:
                work(path, asked, result)
            except StoppedError:
                gc.collect()  # what is left of a process that ends
        if (path / "run.json").exists() and RunFolder(path).finished("survey"):
            finished_early += 1
            same(RunFolder(path).read_result("survey"), result)
        work(path, asked, result)
        same(RunFolder(path).read_result("survey"), result)
        RunFolder.claim(path, "next", asked).release()  # clears what was left after the last step
        found = content(path)
        del found["run.json"]["verbs"]["next"]
        assert found == expected, f"stopped at step {at}"
    assert finished_early > 0


@pytest.mark.parametrize("kills", [False, True])
def test_a_swap_of_folders_stopped_at_any_step_shows_one_of_them_whole(tmp_path: Path, kills: bool) -> None:
    def fill(text: str) -> Callable[[Path], None]:
        def write(folder: Path) -> None:
            for name in ("a", "b"):
                (folder / name).write_text(text)

        return write

    seen = set()
    for at in range(1, 100):
        target = tmp_path / str(at) / "x"
        replace_folder(target, fill("old"))
        with pytest.MonkeyPatch.context() as patch:
            stopper = Stopper(patch, at, kills)
            with suppress(StoppedError):
                replace_folder(target, fill("new"))
        if stopper.steps < at:
            break
        remove_leftovers(target.parent)
        assert [path.name for path in target.parent.iterdir()] == ["x"]
        texts = [path.read_text() for path in sorted(target.iterdir())]
        assert texts in (["old", "old"], ["new", "new"])
        seen.add(texts[0])
    assert seen == {"old", "new"}


def test_a_killed_process_is_continued(
    tmp_path: Path, asked: dict[str, Any], make_result: Make, same: Any
) -> None:
    code = (
        "import sys, time, json; from pathlib import Path\n"
        "from headscope.results.folder import Plot, RunFolder; from headscope.results.result import Result\n"
        f"folder = RunFolder.claim({str(tmp_path)!r}, 'survey', json.loads({json.dumps(asked)!r}))\n"
        "def draw(path):\n"
        "    path.write_text('half'); print('drawing', flush=True); time.sleep(60)\n"
        "folder.write_result(Result('survey'), {'heads.svg': Plot('', draw)})\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "drawing\n"
    with pytest.raises(RunError, match=rf"another headscope is writing .*\(pid {process.pid}\)"):
        work(tmp_path, asked, make_result())
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not RunFolder(tmp_path).finished("survey")
    work(tmp_path, asked, make_result())
    same(RunFolder(tmp_path).read_result("survey"), make_result())
    assert [path.name for path in (tmp_path / "plots").iterdir()] == ["heads.svg"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk_at(tmp_path / "disk", "1m") as disk:
        yield disk


@pytest.mark.parametrize("kind", ["shard", "table", "arrays"])
def test_a_full_disk_keeps_what_was_finished(
    small_disk: Path, asked: dict[str, Any], make_result: Make, same: Any, kind: str
) -> None:
    noise = np.random.default_rng(0).random(200_000)
    result = make_result()
    if kind == "table":
        result.tables["noise"] = pd.DataFrame({"x": noise})
    if kind == "arrays":
        result.arrays["noise"] = result.arrays["heads"].assign(noise=("sample", noise))
    path = small_disk / "run"
    with RunFolder.claim(path, "survey", asked) as folder:
        folder.part("survey").write(0, {"sum": np.ones(2)}, {})
        with pytest.raises(RunError, match=r"no space left on .*; free some and run the same command again"):
            if kind == "shard":
                folder.part("survey").write(1, {"sum": noise}, {})
            folder.write_result(result)
        assert not folder.finished("survey")
        assert folder.part("survey").numbers() == [0]
    assert not [left for left in path.rglob("*") if left.name.startswith(".tmp-")]
    subprocess.run(["mount", "-o", "remount,size=32m", str(small_disk)], check=True)
    work(path, asked, result)
    same(RunFolder(path).read_result("survey"), result)
