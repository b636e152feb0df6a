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
from headscope.cli.screen import console, print_table
from headscope.errors import OptionError, RunError
from headscope.questions.compare.answer import notes, states_of
from headscope.questions.compare.differences import compare, differences_table, summary_table
from headscope.questions.compare.screen import screen
from headscope.questions.survey.offers import MADE, RUNNING, Surveyed
from headscope.results.result import Result
from tests.cli.conftest import FAST, command, written
from tests.questions.survey.noise import untrained_causal

TOLD = [f"The {word} ship passed its old keeper." for word in ("red", "blue", "new", "slow", "last", "next")]


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


@pytest.fixture(scope="module")
def causal_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two surveys of one text, by untrained causal models."""
    place = tmp_path_factory.mktemp("causal")
    runs = []
    for seed in (1, 2):
        model = untrained_causal(place, seed)
        runs.append(place / f"run-{seed}")
        headscope.survey(
            model, TOLD, out=runs[-1], pieces=32, made=12, distances=False, gradients=False, plots=False
        )
    return runs


def test_made_text_is_compared_as_the_heads_have_it(causal_runs: list[Path]) -> None:
    table = headscope.compare(causal_runs).table("differences")
    assert {"induction", "duplicate", "previous_in_copies", "copying", "entropy"} <= set(table["measure"])
    first, second = (headscope.open(run).table("heads").set_index("head") for run in causal_runs)
    for measure in ("induction", "duplicate", "previous_in_copies", "copying"):
        own = table[table["measure"] == measure].set_index("head")
        np.testing.assert_allclose(own["difference"], second[measure] - first[measure], rtol=1e-9)
        assert own["reach"].notna().all()


def test_sinks_and_streaming_are_compared_where_asked(causal_runs: list[Path]) -> None:
    table = headscope.compare(causal_runs, measure=["first_taken"]).table("differences").set_index("head")
    first, second = (headscope.open(run).table("heads").set_index("head") for run in causal_runs)
    np.testing.assert_allclose(table["difference"], second["first_taken"] - first["first_taken"], rtol=1e-9)
    with pytest.raises(OptionError, match="'sink' says nothing"):  # segments are shorter than 64
        headscope.compare(causal_runs, measure=["sink"])


def test_runs_without_made_text_are_compared_in_the_rest(causal_runs: list[Path], tmp_path: Path) -> None:
    model = untrained_causal(tmp_path, 3)
    quick = {"pieces": 32, "made": 0, "distances": False, "gradients": False, "plots": False}
    headscope.survey(model, TOLD, out=tmp_path / "without", **quick)
    table = headscope.compare([causal_runs[0], tmp_path / "without"]).table("differences")
    assert "entropy" in set(table["measure"]) and "induction" not in set(table["measure"])


def with_made_text(made: int) -> tuple[xr.Dataset, dict[str, np.ndarray]]:
    """Differences over three documents and so many made texts, and those of made text alone."""
    few = [synthetic([[value]] * 3 + [[0]] * (made - 3), [[1]] * 3 + [[0]] * (made - 3)) for value in (1, 2)]
    noise = (0, 0.1, 0.2, 0.1, 0, 0.3, 0.2)[:made]
    copying = [
        synthetic([[value * (1 + each)] for each in noise], measures=("copying",), text=MADE)
        for value in (1.0, 2.0)
    ]
    both = [xr.concat(pair, "measure", combine_attrs="drop") for pair in zip(few, copying, strict=True)]
    found = compare(both, ["a", "b"], {RUNNING: True, MADE: True}, ["entropy", "copying"])["differences"]
    return found, differences(*copying)


def test_made_text_is_exchanged_by_itself_with_half_of_the_risk() -> None:
    """Seven made texts can claim what three documents cannot; alone, they would reach less far."""
    found, alone = with_made_text(7)
    assert found["significant"].values.ravel().tolist() == [False, True]
    own = found.sel(measure="copying")
    assert (own["low"].item(), own["high"].item()) == (alone["low"].item(), alone["high"].item())
    assert own["reach"].item() > 1.02 * alone["reach"].item()
    how, of_made, bounds, unclaimed = notes(found)
    assert "same text" in how and "same made text" in of_made and "half of the 5 % each" in bounds
    assert unclaimed.startswith("a → b: no interval and no claim, for 3 blocks")


def test_six_made_texts_beside_others_have_intervals_and_no_claim() -> None:
    """The most extreme of 64 exchanges has p = 0.031, and 0.025 would be wanted."""
    found, alone = with_made_text(6)
    assert alone["significant"].all() and not found["significant"].any()
    assert found["low"].sel(measure="copying").item() == alone["low"].item()
    told = notes(found)[-1]
    assert told.startswith("a → b: no claim, for 6 blocks") and "7 of one text or 5 of each of two" in told


def test_of_a_long_series_the_last_pair_is_printed_and_names_stay_as_they_are() -> None:
    surveys = [synthetic([[step, 1.0]] * 6, measures=("offset:-1",)) for step in range(5)]
    arrays = compare(surveys, list("abcde"), {RUNNING: True}, ["offset:-1"])
    table = differences_table(arrays["differences"])
    tables = {"differences": table, "differences_summary": summary_table(table)}
    titles = [shown.title for shown in screen(Result("compare", arrays, tables))]
    assert titles[0].endswith("the last of 4 pairs of runs, tables and pictures have all")
    assert titles[1:] == ["a → e, offset:-1: the largest of 1"]
    with console.capture() as printed:
        print_table(table, titles[1])
    assert titles[1] in printed.get()


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


def test_made_texts_of_other_seeds_are_not_paired(causal_runs: list[Path], tmp_path: Path) -> None:
    quick = {"pieces": 32, "made": 12, "distances": False, "gradients": False, "plots": False}
    headscope.survey(untrained_causal(tmp_path, 2), TOLD, out=tmp_path / "other", seed=1, **quick)
    for run, made in ((causal_runs[1], "the same made text"), (tmp_path / "other", "different made texts")):
        told = headscope.compare([causal_runs[0], run]).notes
        assert [note.split(",")[0] for note in told[:2]] == [
            "the runs read the same text",
            f"the runs read {made}",
        ]


def test_a_run_whose_only_checkpoint_is_the_model_is_told_so() -> None:
    heads = synthetic([[1.0]] * 6)
    identity = {"checkpoints": [{"weights": "w"}], "model": {"weights": "w"}}
    with pytest.raises(OptionError, match="the only checkpoint that run surveyed is the model itself"):
        states_of(["run"], [Surveyed(heads, identity, [], {"last": heads})])
    with pytest.raises(OptionError, match="one that was surveyed with --checkpoints"):
        states_of(["run"], [Surveyed(heads, identity | {"checkpoints": []}, [], {})])


def test_a_measure_that_decoders_do_not_have_is_left_out(run_of: Callable[[str], Path]) -> None:
    table = headscope.compare([run_of("llama"), run_of("llama")]).table("differences")
    assert "offset:1" not in set(table["measure"])
    assert table["difference"].notna().all()


def test_a_special_token_that_is_the_first_one_is_told_once(run_of: Callable[[str], Path]) -> None:
    result = headscope.compare([run_of("bert"), run_of("bert")])
    measures = set(result.table("differences")["measure"])
    assert {"first", "to:[SEP]"} <= measures
    assert "to:[CLS]" not in measures


def synthetic(
    values: list[list[float]],
    counts: list[list[float]] | None = None,
    measures: tuple[str, ...] = ("entropy",),
    text: str = RUNNING,
) -> xr.Dataset:
    """A survey: means of each block (block, head times measure), of one segment each, or of `counts`."""
    blocks, heads = len(values), len(values[0]) // len(measures)
    mean = np.reshape(values, (blocks, heads, len(measures)))
    count = np.ones_like(mean) if counts is None else np.reshape(counts, mean.shape).astype(float)
    dims = ("block", "head", "measure")
    return xr.Dataset(
        {"block_total": (dims, mean * count), "block_count": (dims, count)},
        coords={
            "head": [f"L0H{index}" for index in range(heads)], "measure": list(measures),
            "stack": ("head", ["encoder"] * heads), "layer": ("head", [0] * heads),
            "index": ("head", range(heads)), "measure_text": ("measure", [text] * len(measures)),
            "measure_documents": ("measure", [blocks] * len(measures)),
        },
    )  # fmt: skip


def differences(first: xr.Dataset, second: xr.Dataset, paired: bool = True) -> dict[str, np.ndarray]:
    measures = [str(measure) for measure in first["measure"].values]
    found = compare([first, second], ["a", "b"], {RUNNING: paired, MADE: paired}, measures)["differences"]
    return {str(name): found[name].values[0].ravel() for name in found.data_vars}


def test_a_survey_of_an_earlier_version_is_refused_by_name() -> None:
    both = [synthetic([[1.0]] * 6), synthetic([[2.0]] * 6).drop_vars("measure_text")]
    with pytest.raises(RunError, match="b was surveyed by an earlier version"):
        differences(*both)


def test_six_blocks_by_hand() -> None:
    """Head 0 differs by 1 to 6: by 3.5 with an error of sqrt(3.5 / 6), head 1 by twice as much downwards.

    Of 64 exchanges 3 may reach further than the intervals do. Two have all differences on one side; the next
    two turn that of 1 (mean 19 / 6, sum of squares 91). Both heads reach the same in the same exchanges.
    """
    later = [[1.0 + step, 1.0 - 2 * step] for step in range(1, 7)]
    found = differences(synthetic([[1.0, 1.0]] * 6), synthetic(later))
    np.testing.assert_allclose(found["difference"], [3.5, -7])
    mean, error = 19 / 6, np.sqrt(3.5 / 6)
    half = mean / np.sqrt((91 - 6 * mean**2) / 5 / 6) * error
    np.testing.assert_allclose(found["low"], [3.5 - half, -7 - 2 * half])
    np.testing.assert_allclose(found["high"], [3.5 + half, -7 + 2 * half])
    np.testing.assert_allclose(found["reach"], [half, 2 * half])
    assert found["significant"].tolist() == [True, True]


def test_heads_that_changed_are_counted_by_measure() -> None:
    rows = pd.DataFrame(
        [("a → b", "entropy", "L0H0", 0.1, True), ("a → b", "entropy", "L0H1", 0.2, False),
         ("a → b", "first", "L0H0", np.nan, False), ("a → b", "first", "L0H1", np.nan, False)],
        columns=["pair", "measure", "head", "reach", "significant"],
    )  # fmt: skip
    assert summary_table(rows).to_dict("records") == [
        {"pair": "a → b", "measure": "entropy", "heads": 2, "judged": 2, "changed": 1, "share": 0.5},
        {"pair": "a → b", "measure": "first", "heads": 2, "judged": 0, "changed": 0, "share": 0.0},
    ]


def test_all_measures_are_corrected_together() -> None:
    """What one measure's interval for all heads at once leaves out, that for all measures may not."""
    random = np.random.default_rng(0)
    both = random.normal(size=(2, 12, 40))
    names = ("entropy", "first")
    alone = differences(*(synthetic(one[:, ::2].tolist()) for one in both))
    together = differences(*(synthetic(one.tolist(), measures=names) for one in both))
    np.testing.assert_allclose(together["difference"][::2], alone["difference"])
    assert (together["reach"][::2] > 1.02 * alone["reach"]).all()


def test_blocks_weigh_by_their_segments() -> None:
    """Means 1 and 4 over 3 and 1 segments: (3 + 4) / 4 = 1.75, against (3 * 2 + 4) / 4 = 2.5."""
    counts = [[3.0], [1.0]]
    found = differences(synthetic([[1.0], [4.0]], counts), synthetic([[2.0], [4.0]], counts))
    np.testing.assert_allclose(found["difference"], [0.75])


def test_pairing_removes_what_blocks_have_in_common() -> None:
    """A shift by 0.5 in every block is certain when paired, and lost in the spread of the blocks when not."""
    base = [[0.0], [5.0], [10.0], [20.0], [1.0], [2.0]]
    first, second = synthetic(base), synthetic([[value[0] + 0.5] for value in base])
    paired, apart = differences(first, second), differences(first, second, paired=False)
    np.testing.assert_allclose([paired["low"], paired["high"], paired["difference"]], 0.5)
    assert paired["significant"].all()
    np.testing.assert_allclose(apart["difference"], 0.5)
    assert apart["low"][0] < -5 and apart["high"][0] > 5 and not apart["significant"].any()


@pytest.mark.parametrize(
    ("blocks", "paired", "least"), [(5, True, "0.062"), (3, False, "0.1"), (1, True, "1")]
)
def test_too_few_blocks_claim_nothing_and_it_is_said_why(blocks: int, paired: bool, least: str) -> None:
    first, second = synthetic([[1.0]] * blocks), synthetic([[2.0]] * blocks)
    found = differences(first, second, paired)
    assert found["difference"].tolist() == [1] and not found["significant"].any()
    assert all(np.isnan(found[name]).all() for name in ("low", "high", "reach"))
    *_, said = notes(compare([first, second], ["a", "b"], {RUNNING: paired}, ["entropy"])["differences"])
    assert said.startswith(f"a → b: no interval and no claim, for {blocks} blocks of documents")
    assert f"has p = {least}" in said


def test_a_comparison_that_can_claim_says_nothing_of_few_blocks() -> None:
    first, second = synthetic([[1.0]] * 6), synthetic([[2.0]] * 6)
    assert len(notes(compare([first, second], ["a", "b"], {RUNNING: True}, ["entropy"])["differences"])) == 2


def test_the_same_model_on_two_sets_of_three_sentences(models: Path, tmp_path: Path) -> None:
    """Nothing differs, and nothing is claimed: with three documents each, chance could do anything."""
    runs = [tmp_path / "first", tmp_path / "other"]
    for seed, run in enumerate(runs):
        (tmp_path / f"{seed}.txt").write_text(written(3, seed=seed))
        assert (
            command("survey", models / "bert", tmp_path / f"{seed}.txt", *FAST, "--out", run, "-q").code == 0
        )
    done = command("compare", *runs, "--no-plots", "--out", tmp_path / "c")
    assert done.code == 0 and "first → other: too few documents to tell" in done.out
    assert not headscope.open(tmp_path / "c").table("differences")["significant"].any()
