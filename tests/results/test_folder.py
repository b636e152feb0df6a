from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from headscope.errors import RunError
from headscope.results.folder import Plot, RunFolder
from headscope.results.result import Result

Make = Callable[[], Result]


def finish(path: Path, asked: dict[str, Any], result: Result) -> RunFolder:
    with RunFolder.claim(path, result.verb, asked) as folder:
        folder.write_result(result)
    return folder


def test_a_result_comes_back(tmp_path: Path, asked: dict[str, Any], make_result: Make, same: Any) -> None:
    folder = finish(tmp_path / "new" / "run", asked, make_result())
    assert folder.finished("survey")
    same(folder.read_result("survey"), make_result())
    assert folder.read_result("survey").asked == {**asked, "seconds": 1.5}


def test_an_empty_result_comes_back(tmp_path: Path, asked: dict[str, Any], same: Any) -> None:
    folder = finish(tmp_path, asked, Result("survey"))
    same(folder.read_result("survey"), Result("survey"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json"]


def test_the_folder_has_the_promised_files(tmp_path: Path, asked: dict[str, Any], make_result: Make) -> None:
    with RunFolder.claim(tmp_path, "survey", asked) as folder:
        folder.part("survey").write(0, {"sum": np.zeros(1)}, {})
        assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "run.json", "shards"]
        plot = Plot("Heads", lambda path: path.write_text("<svg/>") and None)
        folder.write_result(make_result(), {"heads.svg": plot})
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {part for part in found if not part.startswith("arrays.zarr/")} == {
        *(
            "run.json",
            "plots/heads.svg",
            "tables/survey/heads.csv",
            "tables/survey/heads.parquet",
            "tables/survey/heads.tex",
        )
    }
    written = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert written["format"] == 2
    assert written["verbs"]["survey"]["finished"] is True
    assert written["verbs"]["survey"]["plots"] == ["heads.svg"]
    assert written["verbs"]["survey"]["captions"] == {"heads": "Heads"}
    assert written["verbs"]["survey"]["asked"]["identity"] == asked["identity"]


def test_the_folder_is_readable_without_headscope(
    tmp_path: Path, asked: dict[str, Any], make_result: Make
) -> None:
    finish(tmp_path, asked, make_result())
    code = (
        "import sys, json, pandas, xarray\n"
        "asked = json.load(open('run.json', encoding='utf-8'))['verbs']['survey']['asked']\n"
        "assert asked['identity']['model'] == 'tiny'\n"
        "assert pandas.read_parquet('tables/survey/heads.parquet')['count'].tolist() == [3, 2**60]\n"
        "arrays = xarray.open_zarr('arrays.zarr', group='survey/heads', consolidated=False, chunks=None)\n"
        "assert arrays['count'].sel(head='L0H0').values.tolist() == [0, 2]\n"
        "assert 'headscope' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=tmp_path, check=True)
    with (tmp_path / "tables/survey/heads.csv").open(encoding="utf-8", newline="") as file:
        assert next(iter(csv.DictReader(file))) == {
            **{"head": "L0H0", "entropy": "0.30000000000000004", "count": "3", "kept": "True"}
        }


def test_two_verbs_share_a_folder(
    tmp_path: Path, asked: dict[str, Any], make_result: Make, same: Any
) -> None:
    finish(tmp_path, asked, make_result())
    other = Result("syntax", make_result().arrays, {"relations": pd.DataFrame({"x": [1]})})
    folder = finish(tmp_path, {"identity": {"model": "other"}}, other)
    same(folder.read_result("survey"), make_result())
    same(folder.read_result("syntax"), other)


def test_the_same_command_continues(tmp_path: Path, asked: dict[str, Any]) -> None:
    with RunFolder.claim(tmp_path, "survey", {**asked, "started": 1}) as folder:
        folder.part("survey").write(5, {"sum": np.ones(2)}, {"documents": 7})
    before = (tmp_path / "run.json").read_bytes()
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / ".tmp-left").touch()
    with RunFolder.claim(tmp_path, "survey", {**asked, "started": 2}) as folder:
        assert not folder.finished("survey")
        assert folder.part("survey").numbers() == [5]
        found = folder.part("survey").read(5)
        assert found is not None
        assert (found[0]["sum"].tolist(), found[1]) == ([1.0, 1.0], {"documents": 7})
    assert (tmp_path / "run.json").read_bytes() == before
    assert list((tmp_path / "tables").iterdir()) == []


def test_a_finished_command_is_not_locked_or_repeated(
    tmp_path: Path, asked: dict[str, Any], make_result: Make
) -> None:
    finish(tmp_path, asked, make_result())
    again = RunFolder.claim(tmp_path, "survey", asked)
    assert again.finished("survey")
    assert not (tmp_path / ".lock").exists()
    with pytest.raises(RunError, match="survey has finished here; its result is not written twice"):
        again.write_result(make_result())


def test_shards_left_by_a_finished_verb_go_with_the_next_claim(
    tmp_path: Path, asked: dict[str, Any], make_result: Make
) -> None:
    folder = finish(tmp_path, asked, make_result())
    folder.part("survey").write(0, {}, {})
    RunFolder.claim(tmp_path, "syntax", asked).release()
    assert folder.part("survey").numbers() == []


@pytest.mark.parametrize("done", [True, False])
def test_other_options_are_refused(
    tmp_path: Path, asked: dict[str, Any], make_result: Make, done: bool
) -> None:
    if done:
        finish(tmp_path, asked, make_result())
    else:
        RunFolder.claim(tmp_path, "survey", asked).release()
    other = {"identity": {"model": "tiny", "options": {"layers": (0, 1), "seed": 4}}}
    with pytest.raises(RunError) as caught:
        RunFolder.claim(tmp_path, "survey", other)
    assert str(caught.value) == (
        f"{tmp_path} has a survey run with other options: options.seed was 3, now 4; "
        "repeat the old options, or choose another folder with --out"
    )
    assert not (tmp_path / ".lock").exists()


@pytest.mark.parametrize(("verb", "told"), [("explain", "an explain run"), ("trust", "a trust run")])
def test_a_run_has_its_article(tmp_path: Path, asked: dict[str, Any], verb: str, told: str) -> None:
    RunFolder.claim(tmp_path, verb, asked).release()
    with pytest.raises(RunError, match=f"has {told} "):
        RunFolder.claim(tmp_path, verb, {"identity": {"options": {"seed": 4}}})


def test_a_folder_of_other_files_is_refused_and_left_alone(tmp_path: Path, asked: dict[str, Any]) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(RunError, match=r"holds other files \(thesis.tex, \.\.\.\) and no run.json"):
        RunFolder.claim(tmp_path, "survey", asked)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_in_the_way_is_refused(tmp_path: Path, asked: dict[str, Any]) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(RunError, match=r"a is a file, so no run can be written there; choose another --out"):
        RunFolder.claim(tmp_path / "a", "survey", asked)
    with pytest.raises(RunError, match=r"b: cannot be written \(Not a directory\)"):
        RunFolder.claim(tmp_path / "a" / "b", "survey", asked)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(RunError, match="link is a file"):
        RunFolder.claim(tmp_path / "link", "survey", asked)


def test_a_broken_record_is_refused(tmp_path: Path, asked: dict[str, Any]) -> None:
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(RunError, match=r"run.json:1: is not JSON"):
        RunFolder.claim(tmp_path, "survey", asked)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root may write anywhere, so the refusal is played.
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with (
        monkeypatch.context() as patch,
        pytest.raises(RunError, match=r"cannot be written \(Permission denied\)"),
    ):
        patch.setattr(os, "open", refuse)
        RunFolder.claim(tmp_path, "survey", asked)
    with (
        monkeypatch.context() as patch,
        pytest.raises(RunError, match=r"cannot be written \(Permission denied\)"),
    ):
        patch.setattr(os, "mkdir", refuse)
        RunFolder.claim(tmp_path / "new", "survey", asked)


def test_two_claims_at_once_are_refused(tmp_path: Path, asked: dict[str, Any]) -> None:
    with (
        RunFolder.claim(tmp_path, "survey", asked),
        pytest.raises(RunError, match=rf"another headscope is writing to {tmp_path} \(pid {os.getpid()}\)"),
    ):
        RunFolder.claim(tmp_path, "syntax", asked)
    RunFolder.claim(tmp_path, "syntax", asked).release()


def test_no_verb_overwrites_a_plot_of_another(
    tmp_path: Path, asked: dict[str, Any], make_result: Make
) -> None:
    def draw(path: Path) -> None:
        path.write_text("drawn")

    plot = Plot("Heads", draw)

    with RunFolder.claim(tmp_path, "survey", asked) as folder:
        folder.write_result(make_result(), {"heads.png": plot})
    with RunFolder.claim(tmp_path, "syntax", asked) as folder:
        with pytest.raises(RunError, match=r"syntax would overwrite the plot 'heads.png' of survey"):
            folder.write_result(Result("syntax"), {"heads.png": plot})
        with pytest.raises(RunError, match="plot name"):
            folder.write_result(Result("syntax"), {"../heads.png": plot})


def test_what_is_not_there_is_explained(tmp_path: Path, asked: dict[str, Any]) -> None:
    with RunFolder.claim(tmp_path, "survey", asked) as folder:
        with pytest.raises(RunError, match="survey has not finished; run the same command again"):
            folder.read_result("survey")
        with pytest.raises(RunError, match="unknown verb 'survy'; did you mean 'survey'"):
            folder.read_result("survy")
        with pytest.raises(RunError, match="syntax was not claimed here"):
            folder.write_result(Result("syntax"))


PART = "survey/twin-1"


def test_one_state_takes_the_place_of_shards(tmp_path: Path) -> None:
    with RunFolder.claim(tmp_path / "run", "survey", {"identity": {}}) as folder:
        assert folder.part("survey").read_merged() is None
        for part, number in (*(("survey", number) for number in (0, 1, 2, 5)), (PART, 0), (PART, 1)):
            folder.part(part).write(number, {"sum": np.full(1, number)}, {})
        folder.part("survey").write_merged(2, {"sum": np.ones(1)}, {"documents": 7})
        folder.part(PART).write_merged(1, {"sum": np.zeros(1)}, {})
        assert folder.part("survey").numbers() == [2, 5] and folder.part(PART).numbers() == [1]
        (arrays, meta), past = folder.part("survey").read_merged()
        assert (arrays["sum"].tolist(), meta, past) == ([1], {"documents": 7}, 2)
        assert folder.part(PART).read_merged()[1] == 1
        folder.part("survey").drop()
        assert folder.part("survey").read_merged() is None and folder.part(PART).read_merged() is None
