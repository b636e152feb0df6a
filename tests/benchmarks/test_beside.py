"""Jobs that are asked for line by line, of a process in another environment."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
import torch

from benchmarks.peers import environments
from benchmarks.peers.environments import Answer, Beside
from benchmarks.peers.turns import in_turns
from benchmarks.serving import serve

ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["job"] == "stop":
        break
    print(json.dumps({"seconds": 2.0, "peak": 3, "told": asked["given"]}), flush=True)
"""


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Beside:
    (tmp_path / "echo.py").write_text(ECHO)
    monkeypatch.setattr(environments, "installed", lambda name: sys.executable)
    return Beside("echo", str(tmp_path / "echo.py"))


def test_each_line_is_answered_with_time_memory_and_what_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = list[int]()
    asked = [
        {"job": "half", "given": {"number": 6}},
        {"job": "version", "given": {"distribution_name": "torch"}},
    ]
    answers = io.StringIO()
    monkeypatch.setattr(torch, "set_num_threads", threads.append)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(map(json.dumps, asked))))
    monkeypatch.setattr(sys, "stdout", answers)

    def half(number: int) -> float:
        print("what a job prints is no answer")
        return number / 2

    serve({"half": half})
    first, second = map(json.loads, answers.getvalue().splitlines())
    assert first["told"] == 3 and first["seconds"] >= 0 and first["peak"] >= 0
    assert second["told"] == torch.__version__ and threads == [1]


def test_another_process_is_asked_and_heard(echo: Beside) -> None:
    with echo:
        assert echo.ask("job", text="ä") == Answer(2.0, 3, {"text": "ä"})


def test_a_process_that_ends_too_early_is_told(echo: Beside) -> None:
    with echo, pytest.raises(RuntimeError, match=r"echo\.py broke off at stop"):
        echo.ask("stop")


def test_turns_alternate() -> None:
    order = list[str]()

    def seconds(name: str) -> float:
        order.append(name)
        return float(len(order))

    times = in_turns({"one": lambda: seconds("one"), "other": lambda: seconds("other")}, 2)
    assert order == ["one", "other"] * 2 and times == {"one": [1.0, 3.0], "other": [2.0, 4.0]}
