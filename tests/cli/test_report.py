"""report: one file of a run folder, from the command line and at the end of the demo."""

from __future__ import annotations

import json
import webbrowser
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
import xarray as xr

import headscope
from headscope.questions.survey import sentences as keeping
from headscope.results.quantised import quantise
from headscope.results.sentences import is_sentence, read_sentences
from headscope.web.report.content import report_of
from tests.cli.conftest import FAST, command
from tests.cli.test_startup import HEAVY, told_of

LARGEST = 3_000_000


def kept(run: Path) -> dict[str, xr.Dataset]:
    """The sentences that a survey kept."""
    opened = headscope.open(run)
    return {name: opened.arrays(name) for name in opened.entry("survey").arrays if is_sentence(name)}


@pytest.fixture
def run(run_of: Callable[[str], Path], tmp_path: Path) -> Path:
    return copytree(run_of("bert"), tmp_path / "my run")


def test_it_is_written_into_the_folder_and_told(run: Path) -> None:
    done = command("report", run)
    path = run / "report.html"
    assert (done.code, done.err) == (0, "")
    assert done.out.replace("\n", "") == f"report  {path} ({path.stat().st_size / 1e6:.1f} MB)"
    assert path.read_text("utf-8").startswith("<!doctype html>")


def test_it_goes_where_it_is_told_to(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "page.html"
    done = command("report", run, "--out", out, "--json")
    assert json.loads(done.out) == {
        "run": str(run),
        "report": str(out),
        "bytes": out.stat().st_size,
        "unfinished": [],
    }
    assert not (run / "report.html").exists()
    quiet = command("report", run, "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_what_has_not_finished_is_told(run: Path) -> None:
    record = json.loads((run / "run.json").read_text())
    record["verbs"]["syntax"] = record["verbs"]["survey"] | {"finished": False, "tables": {}, "arrays": []}
    (run / "run.json").write_text(json.dumps(record))
    done = command("report", run, "--json")
    assert (done.err, done.code) == ("", 0)
    assert json.loads(done.out)["unfinished"] == ["syntax"]
    told = command("report", run).out.replace("\n", " ")
    assert told.endswith(f"syntax: not finished; headscope resume '{run}' goes on ")


def test_it_can_be_opened_at_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    command("report", run)
    assert opened == []
    command("report", run, "--open")
    assert opened == [(run / "report.html").as_uri()]


def test_what_is_no_run_is_told_and_torch_never_loaded(run: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    cases = [["report", "missing"], ["report", "empty"], ["report", str(run), "--out", "empty"]]
    good = ["report", str(run), "--quiet"]
    told, errors = told_of([*cases, good], HEAVY, tmp_path)
    assert told == [*([words, 2, []] for words in cases), [good, 0, []]]
    assert "missing: there is no such run folder" in errors
    assert "empty is not a run folder: it has no run.json" in errors
    assert "empty is a folder; name the file to write" in errors


def test_later_verbs_find_their_place_beside_it(run: Path, run_of: Callable[[str], Path]) -> None:
    command("report", run)
    done = command("compare", run, run_of("bert-later"), "--out", run, "--no-plots", "--quiet")
    assert (done.code, done.err) == (0, "")
    command("report", run)
    verbs = [card.verb for card in report_of(headscope.open(run)).verbs]
    assert verbs == ["survey", "compare"]


def test_sentences_are_what_the_model_sees_of_them(models: Path, run: Path) -> None:
    found = read_sentences(kept(run))
    assert len(found) == 3 and len({text for text, _ in found}) == 3
    for text, look in found:
        maps = headscope.maps(str(models / "bert"), text)
        (part,) = look.stacks
        assert part.query.pieces == maps["query"].values.tolist()
        assert len(part.query.pieces) <= 24
        for sheet in part.sheets:
            expected = quantise(maps.sel(layer=sheet.layer).values)
            np.testing.assert_array_equal(quantise(sheet.weights), expected)
    drawn = headscope.open(run).arrays("examples")
    assert drawn["token"].values.tolist() == found[0][1].stacks[0].query.pieces
    assert drawn.sizes["query"] <= 15


def test_every_stack_of_an_encoder_decoder_is_kept(run_of: Callable[[str], Path]) -> None:
    run = run_of("t5")
    assert list(kept(run)) == [
        f"sentence_{number}_{stack}" for number in range(3) for stack in ("encoder", "decoder", "cross")
    ]
    for sentence in report_of(headscope.open(run)).sentences:
        read, written = sentence.axes
        assert [(part.query, part.key) for part in sentence.parts] == [(0, 0), (1, 1), (1, 0)]
        assert len(written.pieces) == len(read.pieces)  # the start token, and all but the last of the text
        assert all(layer.heads == [0, 1, 2, 3] for part in sentence.parts for layer in part.layers)


def test_only_chosen_heads_are_kept(models: Path, text: Path, tmp_path: Path) -> None:
    options = (*FAST, "--layers", "1", "--heads", "0,2", "--out", tmp_path / "run", "--quiet")
    assert command("survey", models / "llama", text, *options).code == 0
    for stored in kept(tmp_path / "run").values():
        assert stored["layer"].values.tolist() == [1, 1] and stored["index"].values.tolist() == [0, 2]


def test_a_budget_keeps_fewer_and_says_so(models: Path, text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = headscope.survey(str(models / "bert"), text, pieces=32, gradients=False, distances=False)
    sizes = [one["weights"].size for name, one in whole.arrays.items() if is_sentence(name)]
    assert not any("example sentences" in note for note in whole.notes)
    for count in (2, 0):
        monkeypatch.setattr(keeping, "BUDGET", sum(sizes[: count + 1]) - 1)
        fewer = headscope.survey(str(models / "bert"), text, pieces=32, gradients=False, distances=False)
        assert sum(map(is_sentence, fewer.arrays)) == count
        assert fewer.notes[-1].startswith(f"{count} of 3 example sentences are kept")
        assert "examples" in fewer.arrays


def test_a_text_of_one_long_line_has_one_example(models: Path, tmp_path: Path) -> None:
    words = "the old ship keeper sleep every night " * 6
    (tmp_path / "long.txt").write_text(words)
    result = headscope.survey(str(models / "bert"), tmp_path / "long.txt", gradients=False, distances=False)
    (name,) = filter(is_sentence, result.arrays)
    assert words.startswith(result.arrays[name].attrs["text"])
    assert result.arrays[name].sizes["query"] == 15


@pytest.mark.slow  # `make wheel-check` runs it too
def test_the_demo_ends_with_a_report_of_less_than_three_megabytes(tmp_path: Path) -> None:
    done = command("demo", "--out", tmp_path / "demo run")
    path = tmp_path / "demo run" / "report.html"
    assert done.code == 0
    assert f"report  {path}" in done.out
    assert f"headscope serve '{tmp_path}/demo run'" in done.out
    assert path.stat().st_size < LARGEST
    found = report_of(headscope.open(tmp_path / "demo run"))
    assert found.atlas is not None
    assert (len(found.atlas.heads), len(found.atlas.places), len(found.sentences)) == (72, 72, 3)
    assert {figure.name for figure in found.figures} >= {"roles", "headmap", "examples"}
    told = [finding.text for finding in found.findings]
    assert {card.verb for card in found.verbs} == {"survey", "syntax", "finetune", "ablate", "train", "trust"}
    for begins in (
        "Head L0H2 gives",
        "Head L2H0 links objects",
        "Of 72 heads removed",
        "Here attention may be",
    ):
        assert any(text.startswith(begins) for text in told), begins
