"""compare: identical runs do not differ, other weights do, and the intervals are those worked out by hand."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import headscope
from headscope.questions.compare.differences import compare, summary_table
from tests.cli.conftest import FAST, command, written


def test_identical_runs_differ_by_exactly_nothing(run_of: Callable[[str], Path], tmp_path: Path) -> None:
    shutil.copytree(run_of("bert"), tmp_path / "copy")
    table = headscope.compare([run_of("bert"), tmp_path / "copy"]).table("differences")
    assert len(table) == 8 * table["measure"].nunique() and table["measure"].nunique() >= 7
    assert (table["difference"] == 0).all()
    assert (table[["low", "high", "reach"]] == 0).all(axis=None)
    assert not table["significant"].any()


def test_other_weights_differ_and_the_difference_is_that_of_the_means(run_of: Callable[[str], Path]) -> None:
    runs = [run_of("bert"), run_of("bert-later")]
    table = headscope.compare(runs, measure=["entropy"]).table("differences").set_index("head")
    first, second = (headscope.open(run).table("heads").set_index("head")["entropy"] for run in runs)
    pd.testing.assert_series_equal(table["difference"], second - first, check_names=False, rtol=1e-9)
    assert table["significant"].any()
    assert ((table["low"] < table["difference"]) & (table["difference"] < table["high"])).all()
    assert set(table["pair"]) == {"bert → bert-later"}


def test_curves_follow_the_runs_in_the_order_given(run_of: Callable[[str], Path], tmp_path: Path) -> None:
    names = ["bert", "bert-later", "bert-last"]
    out = tmp_path / "compared"
    assert command("compare", *map(run_of, names), "--measure", "entropy", "--out", out, "--quiet").code == 0
    curves = headscope.open(out).arrays("curves")["value"].sel(stack="encoder", measure="entropy")
    assert curves["run"].values.tolist() == names
    for name in names:
        layers = headscope.open(run_of(name)).table("heads").groupby("layer")["entropy"].mean()
        np.testing.assert_allclose(curves.sel(run=name), layers, rtol=1e-9)
    for picture in ("comparison", "curves"):
        assert (out / "plots" / f"{picture}.png").read_bytes().startswith(b"\x89PNG")


def test_other_texts_are_not_paired_and_are_another_question(
    models: Path, run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "text.txt").write_text(written(15, seed=1))
    other = tmp_path / "bert-later"
    assert (
        command("survey", models / "bert-later", tmp_path / "text.txt", *FAST, "--out", other, "-q").code == 0
    )
    result = headscope.compare([run_of("bert"), other], measure=["entropy"])
    assert "the runs read different texts" in result.notes[0]
    out = ("--no-plots", "--quiet", "--out", tmp_path / "c")
    assert command("compare", run_of("bert"), run_of("bert-later"), *out).code == 0
    again = command("compare", run_of("bert"), other, *out)
    assert again.code == 2 and "has a compare run with other options: runs was" in again.err


def test_parts_of_one_text_are_not_paired(models: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(written(15, seed=1))
    runs = [tmp_path / "whole", tmp_path / "part"]
    for run, limit in zip(runs, ((), ("--limit", 9)), strict=True):
        assert command("survey", models / "bert", text, *FAST, *limit, "--out", run, "-q").code == 0
    assert "the runs read different texts" in headscope.compare(runs, measure=["entropy"]).notes[0]


def test_a_measure_that_decoders_do_not_have_is_left_out(run_of: Callable[[str], Path]) -> None:
    table = headscope.compare([run_of("llama"), run_of("llama")]).table("differences")
    assert "offset:1" not in set(table["measure"])
    assert table["difference"].notna().all()


def synthetic(values: list[list[float]], counts: list[list[float]] | None = None) -> xr.Dataset:
    """A survey of one measure: means of each block (block, head) over one segment each, or over `counts`."""
    mean = np.array(values)[..., None]
    count = np.ones_like(mean) if counts is None else np.array(counts, float)[..., None]
    heads = [f"L0H{index}" for index in range(mean.shape[1])]
    dims = ("block", "head", "measure")
    return xr.Dataset(
        {"block_total": (dims, mean * count), "block_count": (dims, count)},
        coords={
            "head": heads, "measure": ["entropy"], "stack": ("head", ["encoder"] * len(heads)),
            "layer": ("head", [0] * len(heads)), "index": ("head", range(len(heads))),
        },
    )  # fmt: skip


def differences(first: xr.Dataset, second: xr.Dataset, paired: bool = True) -> dict[str, np.ndarray]:
    found = compare([first, second], ["a", "b"], paired, ["entropy"])["differences"]
    return {str(name): found[name].values[0, :, 0] for name in found.data_vars}


def test_two_blocks_by_hand() -> None:
    """Differences 0.2 and 1.0 by block: mean 0.6. Drawing two of two blocks gives 0.2, 0.6, 0.6 or 1.0, so
    the deviation is -0.4, 0, 0 or 0.4; more than 5 % of the draws are at each end. Head 1 has -1 and 1.2:
    mean 0.1, deviations up to 1.1. Both heads deviate together, so the simultaneous interval is as wide."""
    found = differences(synthetic([[1.0, 1.0], [2.0, 2.0]]), synthetic([[1.2, 0.0], [3.0, 3.2]]))
    np.testing.assert_allclose(found["difference"], [0.6, 0.1])
    np.testing.assert_allclose(found["low"], [0.2, -1.0])
    np.testing.assert_allclose(found["high"], [1.0, 1.2])
    np.testing.assert_allclose(found["reach"], [0.4, 1.1])
    assert found["significant"].tolist() == found["sure"].tolist() == [True, False], "there is one measure"


def test_heads_that_changed_are_counted_by_measure() -> None:
    rows = pd.DataFrame(
        [("a → b", measure, head, *is_so)
         for measure, told in (("entropy", [(True, True), (True, False)]), ("first", [(False, False)] * 2))
         for head, is_so in zip(("L0H0", "L0H1"), told, strict=True)],
        columns=["pair", "measure", "head", "significant", "sure"],
    )  # fmt: skip
    assert summary_table(rows).to_dict("records") == [
        {"pair": "a → b", "measure": "entropy", "heads": 2, "changed": 2, "share": 1.0, "sure": 1},
        {"pair": "a → b", "measure": "first", "heads": 2, "changed": 0, "share": 0.0, "sure": 0},
    ]


def noise(draw: np.random.Generator, measures: list[str]) -> xr.Dataset:
    dims, values = ("block", "head", "measure"), draw.normal(size=(60, 4, len(measures)))
    survey = synthetic([[0.0] * 4]).drop_vars(["block_total", "block_count", "measure"])
    return survey.assign(block_total=(dims, values), block_count=(dims, np.ones_like(values))).assign_coords(
        measure=measures
    )


def test_more_measures_ask_for_more() -> None:
    """Forty measures of noise: some heads are beyond the interval of a measure, none beyond that of all."""
    draw = np.random.default_rng(0)
    names = [f"m{number}" for number in range(40)]
    first, second = (noise(draw, names) for _ in range(2))
    found = compare([first, second], ["a", "b"], False, names)["differences"]
    assert found["significant"].values.any() and not found["sure"].values.any()


def test_blocks_weigh_by_their_segments() -> None:
    """Means 1 and 4 over 3 and 1 segments: (3 + 4) / 4 = 1.75, against (3 * 2 + 4) / 4 = 2.5."""
    counts = [[3.0], [1.0]]
    found = differences(synthetic([[1.0], [4.0]], counts), synthetic([[2.0], [4.0]], counts))
    np.testing.assert_allclose(found["difference"], [0.75])


def test_pairing_removes_what_blocks_have_in_common() -> None:
    """A shift by 0.5 in every block is certain when paired, and lost in the spread of the blocks when not."""
    base = [[0.0], [5.0], [10.0], [20.0]]
    first, second = synthetic(base), synthetic([[value[0] + 0.5] for value in base])
    paired, apart = differences(first, second), differences(first, second, paired=False)
    np.testing.assert_allclose([paired["low"], paired["high"], paired["difference"]], 0.5)
    assert paired["significant"].all()
    np.testing.assert_allclose(apart["difference"], 0.5)
    assert apart["low"][0] < -5 and apart["high"][0] > 5 and not apart["significant"].any()


def test_one_block_gives_no_interval() -> None:
    from headscope.errors import RunError

    with pytest.raises(RunError, match="at least two documents"):
        differences(synthetic([[1.0]]), synthetic([[2.0]]))
