from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from headscope.errors import RunError
from headscope.results.shards import Part

DTYPES = st.one_of(
    hnp.floating_dtypes(sizes=(16, 32, 64), endianness="?"),
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.boolean_dtypes(),
)
ARRAYS = st.dictionaries(
    st.text(max_size=5), hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0)), max_size=3
)
META = st.dictionaries(st.text(), st.text() | st.integers() | st.none() | st.floats(allow_nan=False))


@settings(deadline=None, max_examples=60)
@given(ARRAYS, META.filter(lambda meta: np.inf not in meta.values() and -np.inf not in meta.values()))
def test_shards_come_back_bit_for_bit(arrays: dict[str, np.ndarray], meta: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        Part(Path(folder)).write(3, arrays, meta)
        found = Part(Path(folder)).read(3)
    assert found is not None
    read, read_meta = found
    assert read_meta == meta
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        assert read[name].shape == array.shape
        assert read[name].dtype == array.dtype.newbyteorder("=")
        assert read[name].tobytes() == array.astype(array.dtype.newbyteorder("=")).tobytes()


def test_views_in_another_order_are_kept_and_what_is_read_can_be_added_to(tmp_path: Path) -> None:
    square = np.arange(6.0).reshape(2, 3)
    Part(tmp_path).write(0, {"turned": square.T, "every_second": square[:, ::2]}, {})
    found = Part(tmp_path).read(0)
    assert found is not None
    found[0]["turned"] += 1
    assert found[0]["turned"].tolist() == [[1, 4], [2, 5], [3, 6]]
    assert found[0]["every_second"].tolist() == [[0, 2], [3, 5]]


def test_numbers_are_listed_in_order_and_dropped(tmp_path: Path) -> None:
    folder = tmp_path / "shards" / "survey"
    assert Part(folder).numbers() == []
    for number in (1_000_000, 12, 3):
        Part(folder).write(number, {}, {})
    (folder / "note.safetensors").touch()
    assert Part(folder).numbers() == [3, 12, 1_000_000]
    assert Part(folder).read(4) is None
    (tmp_path / "shards" / "syntax").mkdir()
    Part(folder).drop()
    assert (tmp_path / "shards").exists()
    Part(tmp_path / "shards" / "syntax").drop()
    Part(tmp_path / "shards" / "syntax").drop()
    assert list(tmp_path.iterdir()) == []


def test_every_changed_or_missing_byte_is_noticed(tmp_path: Path) -> None:
    Part(tmp_path).write(0, {"sum": np.arange(3.0)}, {"documents": 2})
    path = Part(tmp_path).path(0)
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(
            RunError, match=r"000000.safetensors: this shard is damaged .*delete the file and run"
        ):
            Part(tmp_path).read(0)
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(RunError, match="damaged"):
            Part(tmp_path).read(0)


def test_a_shard_under_a_wrong_number_is_noticed(tmp_path: Path) -> None:
    Part(tmp_path).write(0, {"sum": np.zeros(2)}, {})
    Part(tmp_path).path(0).rename(Part(tmp_path).path(1))
    with pytest.raises(RunError, match="its checksum does not match"):
        Part(tmp_path).read(1)


def test_files_follow_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        Part(tmp_path).write(0, {"sum": np.zeros(2)}, {})
    finally:
        os.umask(before)
    assert Part(tmp_path).path(0).stat().st_mode & 0o777 == 0o644
