from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from headscope.errors import RunError
from headscope.results.files import (
    recover_folder,
    remove_leftovers,
    replace_folder,
    write_atomically,
    write_bytes,
    write_text,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fail(code: int) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        if path.is_file():
            path.write_text("half")
        raise OSError(code, os.strerror(code))

    return write


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "a.txt", "one\r\n")
    write_text(tmp_path / "new" / "a.txt", "two\r\n")
    assert (tmp_path / "new" / "a.txt").read_bytes() == b"two\r\n"
    assert names(tmp_path / "new") == ["a.txt"]


def test_the_temporary_name_is_hidden_and_keeps_folder_and_suffix(tmp_path: Path) -> None:
    seen: list[Path] = []
    write_atomically(tmp_path / "plot.png", seen.append)
    assert seen[0].parent == tmp_path
    assert seen[0].name.startswith(".tmp-")
    assert seen[0].suffix == ".png"


def test_files_follow_the_umask_also_if_the_writer_made_them_private(tmp_path: Path) -> None:
    def private(path: Path) -> None:
        path.chmod(0o600)

    before = os.umask(0o022)
    try:
        write_atomically(tmp_path / "a", private)
        write_bytes(tmp_path / "b", b"")
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in "ab"] == [0o644, 0o644]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, error: type[BaseException]) -> None:
    write_text(tmp_path / "a.txt", "old")

    def write(path: Path) -> None:
        path.write_text("half")
        raise error

    with pytest.raises(error):
        write_atomically(tmp_path / "a.txt", write)
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("put", [write_atomically, replace_folder])
def test_a_full_disk_is_explained(tmp_path: Path, code: int, put: Callable[..., None]) -> None:
    with pytest.raises(RunError) as caught:
        put(tmp_path / "a", fail(code))
    assert str(caught.value) == (
        f"no space left on {tmp_path}; free some and run the same command again: finished work is kept"
    )
    assert names(tmp_path) == []


@pytest.mark.parametrize("put", [write_atomically, replace_folder])
def test_a_refused_write_is_explained(tmp_path: Path, put: Callable[..., None]) -> None:
    with pytest.raises(RunError, match=r"a: cannot be written \(Read-only file system\); choose .* --out"):
        put(tmp_path / "a", fail(errno.EROFS))


def test_a_fault_of_the_disk_is_not_disguised(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Input/output error"):
        write_atomically(tmp_path / "a", fail(errno.EIO))


def fill_with(text: str) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        (folder / "deep").mkdir()
        (folder / "deep" / "a.txt").write_text(text)

    return fill


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    replace_folder(tmp_path / "x", fill_with("one"))
    (tmp_path / "x" / "stray").touch()
    replace_folder(tmp_path / "x", fill_with("two"))
    assert names(tmp_path) == ["x"]
    assert names(tmp_path / "x") == ["deep"]
    assert (tmp_path / "x" / "deep" / "a.txt").read_text() == "two"


def test_a_folder_that_cannot_be_filled_leaves_the_old_one(tmp_path: Path) -> None:
    replace_folder(tmp_path / "x", fill_with("one"))
    with pytest.raises(RunError):
        replace_folder(tmp_path / "x", fail(errno.ENOSPC))
    assert names(tmp_path) == ["x"]
    assert (tmp_path / "x" / "deep" / "a.txt").read_text() == "one"


def test_a_swap_stopped_between_its_renames_is_undone_or_finished(tmp_path: Path) -> None:
    replace_folder(tmp_path / ".old-x", fill_with("old"))
    recover_folder(tmp_path / "x")
    assert names(tmp_path) == ["x"]
    assert (tmp_path / "x" / "deep" / "a.txt").read_text() == "old"
    replace_folder(tmp_path / ".old-x", fill_with("older"))
    recover_folder(tmp_path / "x")
    assert names(tmp_path) == ["x"]
    assert (tmp_path / "x" / "deep" / "a.txt").read_text() == "old"


def test_leftovers_are_removed_at_every_depth_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a" / ".tmp-1" / ".tmp-2").mkdir(parents=True)
    (tmp_path / "a" / ".tmp-3.csv").touch()
    (tmp_path / "a" / "kept.csv").touch()
    replace_folder(tmp_path / "a" / ".old-x", fill_with("old"))
    remove_leftovers(tmp_path)
    assert names(tmp_path / "a") == ["kept.csv", "x"]
