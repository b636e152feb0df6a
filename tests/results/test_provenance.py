from __future__ import annotations

import hashlib
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import InputError
from headscope.results.provenance import checksum, provenance, stamp


def test_times_and_versions() -> None:
    started = datetime(2024, 1, 1, 12, 0, 0, tzinfo=UTC)
    found = provenance(started, started + timedelta(seconds=90.5), ["numpy", "no-such-package"])
    assert found["started"] == "2024-01-01T12:00:00Z"
    assert found["finished"] == "2024-01-01T12:01:30Z"
    assert found["seconds"] == 90.5
    assert found["packages"] == {"numpy": np.__version__}


def test_times_are_in_utc() -> None:
    there = timezone(timedelta(hours=2))
    assert stamp(datetime(2024, 1, 1, 1, 0, 0, tzinfo=there)) == "2023-12-31T23:00:00Z"


def test_looking_up_versions_imports_nothing_heavy() -> None:
    code = (
        "import sys; from headscope.results.provenance import now, provenance; "
        "found = provenance(now()); assert 'torch' in found['packages']; "
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_checksum_of_a_file_is_its_sha256(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert checksum(tmp_path / "a") == hashlib.sha256(b"abc").hexdigest()


def test_the_checksum_of_a_folder_sees_names_and_bytes_but_no_hidden_files(tmp_path: Path) -> None:
    def folder(name: str, files: dict[str, bytes]) -> str:
        for path, content in files.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_bytes(content)
        return checksum(tmp_path / name)

    first = folder("one", {"a": b"1", "deep/b": b"2"})
    assert first == folder("two", {"deep/b": b"2", "a": b"1", ".cache/x": b"3", ".hidden": b"4"})
    assert first != folder("three", {"a": b"1", "deep/b": b"3"})
    assert first != folder("four", {"a": b"1", "deep/c": b"2"})
    assert first != folder("five", {"a": b"1", "b": b"2"})


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing: cannot be read \(No such file or directory\)"):
        checksum(tmp_path / "missing")
