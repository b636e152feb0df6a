from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headscope.errors import RunError
from headscope.results.lock import Lock


def leave(folder: Path, pid: int, host: str | None = None) -> Path:
    path = folder / ".lock"
    path.write_text(json.dumps({"pid": pid, "host": host or socket.gethostname()}))
    return path


def dead_pid() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_a_lock_names_its_holder_and_goes_with_release(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path)
    assert json.loads((tmp_path / ".lock").read_text()) == {"pid": os.getpid(), "host": socket.gethostname()}
    lock.release()
    lock.release()
    assert list(tmp_path.iterdir()) == []


def test_a_second_lock_in_the_same_process_is_refused(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path)
    with pytest.raises(RunError) as caught:
        Lock.take(tmp_path)
    assert str(caught.value).startswith(f"another headscope is writing to {tmp_path} (pid {os.getpid()}); ")
    lock.release()


def test_a_living_process_keeps_its_lock(tmp_path: Path) -> None:
    leave(tmp_path, os.getppid())
    with pytest.raises(RunError, match=rf"\(pid {os.getppid()}\).*delete {tmp_path}/\.lock"):
        Lock.take(tmp_path)


def test_a_dead_process_loses_it(tmp_path: Path) -> None:
    leave(tmp_path, dead_pid())
    lock = Lock.take(tmp_path)
    assert json.loads((tmp_path / ".lock").read_text())["pid"] == os.getpid()
    lock.release()
    assert list(tmp_path.iterdir()) == []


def test_our_own_number_in_a_lock_we_do_not_hold_is_from_a_dead_process(tmp_path: Path) -> None:
    leave(tmp_path, os.getpid())
    Lock.take(tmp_path).release()
    assert not list(tmp_path.iterdir()), "a lock that was taken over and released is gone"


def test_another_machine_cannot_be_asked_so_its_lock_holds(tmp_path: Path) -> None:
    leave(tmp_path, dead_pid(), "elsewhere")
    with pytest.raises(RunError, match=r"\(pid \d+ on elsewhere\)"):
        Lock.take(tmp_path)


def test_an_empty_lock_holds_only_while_it_may_still_be_written(tmp_path: Path) -> None:
    (tmp_path / ".lock").touch()
    with pytest.raises(RunError, match="pid not yet known"):
        Lock.take(tmp_path)
    os.utime(tmp_path / ".lock", (time.time() - 60,) * 2)
    Lock.take(tmp_path).release()


def test_a_forked_process_does_not_release(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path)
    lock._owner = os.getpid() + 1
    lock.release()
    assert (tmp_path / ".lock").exists()
    lock._owner = os.getpid()
    lock.release()


def test_the_end_of_the_process_releases(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from headscope.results.lock import Lock\n"
        f"Lock.take(Path({str(tmp_path)!r}))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert list(tmp_path.iterdir()) == []


def test_of_many_processes_at_once_one_gets_it(tmp_path: Path) -> None:
    leave(tmp_path, dead_pid())
    code = (
        "import sys, time; from pathlib import Path; from headscope.errors import RunError\n"
        "from headscope.results.lock import Lock\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "while not (folder / 'go').exists(): time.sleep(0.001)\n"
        "try: Lock.take(folder)\n"
        "except RunError: print('refused')\n"
        "else: print('held', flush=True); sys.stdin.read()\n"
    )
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, text=True) for _ in range(4)
    ]
    (tmp_path / "go").touch()
    said = [process.stdout.readline().strip() for process in started if process.stdout]
    for process in started:
        process.communicate("")
    assert sorted(said) == ["held", "refused", "refused", "refused"]


TAKE = """
import sys, time
from headscope.results import lock
from headscope.results.folder import RunFolder
if sys.argv[2] == "slow":
    holder = lock._holder
    lock._holder = lambda path: (holder(path), print("looked", flush=True), time.sleep(1))[0]
try:
    folder = RunFolder.claim(sys.argv[1], "survey", {"identity": {}})
    print("has it", flush=True)
    sys.stdin.read()
except Exception as error:
    print(error)
"""


def test_of_two_that_find_a_dead_lock_one_gets_it(tmp_path: Path) -> None:
    """One has just seen that the holder is dead when the other comes."""
    leave(tmp_path, dead_pid())
    words = [sys.executable, "-c", TAKE, str(tmp_path)]
    both = [subprocess.Popen([*words, pace], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for pace in ("slow",)]  # fmt: skip
    assert both[0].stdout is not None and both[0].stdout.readline() == "looked\n"
    both.append(subprocess.Popen([*words, "quick"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    said = [one.stdout.readline() for one in both]  # type: ignore[union-attr]
    for one in both:
        one.communicate()
    assert sorted("has it" in line for line in said) == [False, True]
    assert any("another headscope is writing" in line for line in said)
