from __future__ import annotations

import errno
import fcntl
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from headscope.errors import RunError
from headscope.results.lock import Lock

HOLD = """
import sys
from pathlib import Path
from headscope.errors import RunError
from headscope.results.lock import Lock

folder = Path(sys.argv[1])
take = lambda: Lock.take(folder)
if sys.argv[2] == "run":
    from headscope.results.folder import RunFolder
    take = lambda: RunFolder.claim(folder, "survey", {"identity": {}})
sys.stdin.readline()
try:
    held = take()
except RunError as error:
    print(error, flush=True)
else:
    print("held", flush=True)
    sys.stdin.readline()
"""


def start(folder: Path, what: str = "lock") -> subprocess.Popen[str]:
    words = [sys.executable, "-c", HOLD, str(folder), what]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_lock_names_its_holder_and_goes_with_release(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path)
    assert (tmp_path / ".lock").read_text() == f"{os.getpid()}\n{socket.gethostname()}\n"
    lock.release()
    lock.release()
    assert list(tmp_path.iterdir()) == []


def test_a_second_lock_in_the_same_process_is_refused(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path)
    with pytest.raises(RunError) as caught:
        Lock.take(tmp_path)
    assert str(caught.value).startswith(f"another headscope is writing to {tmp_path} (pid {os.getpid()}); ")
    lock.release()
    Lock.take(tmp_path).release()


def test_a_living_process_keeps_its_lock_and_is_named(tmp_path: Path) -> None:
    holder = start(tmp_path)
    ask(holder)
    assert answer(holder) == "held"
    with pytest.raises(RunError, match=rf"writing to {tmp_path} \(pid {holder.pid}\); wait"):
        Lock.take(tmp_path)
    holder.communicate("\n")
    Lock.take(tmp_path).release()
    assert list(tmp_path.iterdir()) == []


def test_a_killed_process_loses_it(tmp_path: Path) -> None:
    holder = start(tmp_path)
    ask(holder)
    assert answer(holder) == "held"
    holder.kill()
    holder.wait()
    assert (tmp_path / ".lock").exists()
    lock = Lock.take(tmp_path)
    assert (tmp_path / ".lock").read_text().startswith(f"{os.getpid()}\n")
    lock.release()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left", ["", "4194304\nelsewhere\n", "not a number"])
def test_what_a_lock_says_that_nobody_holds_does_not_matter(tmp_path: Path, left: str) -> None:
    (tmp_path / ".lock").write_text(left)
    Lock.take(tmp_path).release()
    assert list(tmp_path.iterdir()) == []


def test_another_machine_is_named(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path)
    lock.path.write_text("7\nelsewhere\n")
    with pytest.raises(RunError, match=r"\(pid 7 on elsewhere\)"):
        Lock.take(tmp_path)
    lock.release()


def test_a_forked_process_does_not_release(tmp_path: Path) -> None:
    lock = Lock.take(tmp_path)
    child = os.fork()
    if child == 0:
        lock.release()
        os._exit(0)
    os.waitpid(child, 0)
    assert (tmp_path / ".lock").exists()
    with pytest.raises(RunError, match="another headscope"):
        Lock.take(tmp_path)
    lock.release()


@pytest.mark.parametrize("reason", [errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL])
def test_where_files_cannot_be_locked_names_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    """Some file systems of clusters have no locks; a file that only its maker may remove stands in."""

    def refuse(descriptor: int, how: int) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(fcntl, "flock", refuse)
    lock = Lock.take(tmp_path)
    with pytest.raises(RunError, match=rf"\(pid {os.getpid()}\).*delete {tmp_path}/\.lock"):
        Lock.take(tmp_path)
    lock.release()
    Lock.take(tmp_path).release()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("what", ["lock", "run"])
def test_of_many_processes_at_once_one_gets_it(tmp_path: Path, what: str) -> None:
    (tmp_path / ".lock").write_text("4194304\nelsewhere\n")
    started = [start(tmp_path, what) for _ in range(4)]
    for process in started:
        ask(process)
    answers = [answer(process) for process in started]
    for process in started:
        process.communicate("\n")
    assert sorted(text == "held" for text in answers) == [False, False, False, True]
    assert sum("another headscope is writing" in text for text in answers) == 3
