from __future__ import annotations

import shutil
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from headscope.errors import RunError
from headscope.results.arrays import read_arrays, write_arrays

DTYPES = st.one_of(
    hnp.floating_dtypes(sizes=(16, 32, 64), endianness="<"),
    hnp.integer_dtypes(endianness="<"),
    hnp.unsigned_integer_dtypes(endianness="<"),
    hnp.boolean_dtypes(),
)


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_numbers_come_back_bit_for_bit_and_text_unchanged(data: st.DataObject) -> None:
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
    values = data.draw(hnp.arrays(data.draw(DTYPES), shape))
    dims = [f"axis{place}" for place in range(len(shape))]
    words = st.text(max_size=4)
    labels = {
        dim: np.array(data.draw(st.lists(words, min_size=size, max_size=size, unique=True)), object)
        for dim, size in zip(dims, shape, strict=True)
    }
    dataset = xr.Dataset({"x": (dims, values)}, coords=labels, attrs={"note": data.draw(words)})
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        write_arrays(Path(folder), "survey", {"heads": dataset})
        read = read_arrays(Path(folder), "survey", "heads")
    xr.testing.assert_identical(read, dataset)
    assert read["x"].dtype == values.dtype
    is_number = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(shape, bool)
    assert read["x"].values[is_number].tobytes() == values[is_number].tobytes()


def test_other_labels_and_units_are_kept(tmp_path: Path) -> None:
    dataset = xr.Dataset(
        {"time": ("head", [1.0, 2.0], {"units": "seconds", "scale": np.float32(0.5)})},
        coords={"head": ["L0H0", "L0H1"], "name": ("head", ["a", "b"]), "model": "tiny"},
    )
    write_arrays(tmp_path, "survey", {"heads": dataset})
    read = read_arrays(tmp_path, "survey", "heads")
    assert dataset["time"].attrs["scale"].dtype == np.float32
    assert read["time"].attrs == {"units": "seconds", "scale": 0.5}
    assert read["time"].dtype == np.float64
    assert set(read.coords) == {"head", "name", "model"}
    assert float(read.sel(head="L0H1")["time"]) == 2.0
    assert read["name"].values.tolist() == ["a", "b"]


def test_what_was_read_can_be_written_again(tmp_path: Path) -> None:
    dataset = xr.Dataset({"x": ("head", [1.0])}, coords={"head": ["L0H0"]})
    write_arrays(tmp_path, "survey", {"heads": dataset})
    write_arrays(tmp_path, "again", {"heads": read_arrays(tmp_path, "survey", "heads")})
    xr.testing.assert_identical(read_arrays(tmp_path, "again", "heads"), dataset)


def test_xarray_alone_reads_the_whole_store(tmp_path: Path) -> None:
    dataset = xr.Dataset({"x": ("head", [1.0])}, coords={"head": ["L0H0"]})
    write_arrays(tmp_path, "survey", {"heads": dataset, "examples": dataset})
    write_arrays(tmp_path, "syntax", {"heads": dataset})
    tree = xr.open_datatree(tmp_path / "arrays.zarr", engine="zarr", consolidated=False)
    assert {node.path for node in tree.leaves} == {"/survey/heads", "/survey/examples", "/syntax/heads"}
    xr.testing.assert_identical(tree["survey/heads"].to_dataset().load(), dataset)


def test_objects_that_are_not_text_are_refused(tmp_path: Path) -> None:
    dataset = xr.Dataset({"x": ("head", np.array(["a", None], object))})
    with pytest.raises(TypeError, match=r"array heads.x holds objects that are not text"):
        write_arrays(tmp_path, "survey", {"heads": dataset})


def test_missing_and_damaged_arrays_are_explained(tmp_path: Path) -> None:
    write_arrays(tmp_path, "survey", {"heads": xr.Dataset({"x": ("head", np.ones(100))})})
    with pytest.raises(RunError, match=r"arrays.zarr/survey/other: cannot be read"):
        read_arrays(tmp_path, "survey", "other")
    group = tmp_path / "arrays.zarr" / "survey" / "heads"
    (group / "x" / "c.0").write_bytes(b"no zstd")
    with pytest.raises(RunError, match=r"arrays.zarr/survey/heads: cannot be read"):
        read_arrays(tmp_path, "survey", "heads")
    (group / "x" / "zarr.json").write_text("{")
    with pytest.raises(RunError, match=r"arrays.zarr/survey/heads: cannot be read"):
        read_arrays(tmp_path, "survey", "heads")
    shutil.rmtree(tmp_path / "arrays.zarr")
    with pytest.raises(RunError, match=r"arrays.zarr/survey/heads: cannot be read"):
        read_arrays(tmp_path, "survey", "heads")
