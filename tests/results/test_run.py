from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import xarray as xr

from headscope.errors import RunError
from headscope.results import run
from headscope.results.folder import RunFolder
from headscope.results.result import Result


@pytest.fixture
def path(tmp_path: Path, asked: dict[str, Any], make_result: Callable[[], Result]) -> Path:
    folder = tmp_path / "<run>"
    syntax = Result(
        "syntax",
        make_result().arrays,
        {"relations": pd.DataFrame({"x": [1]}), "heads": pd.DataFrame({"y": [2]})},
    )
    for result in (make_result(), syntax):
        with RunFolder.claim(folder, result.verb, asked) as claimed:
            claimed.write_result(result)
    RunFolder.claim(folder, "prune", asked).release()
    return folder


def test_everything_can_be_read(path: Path, make_result: Callable[[], Result], same: Any) -> None:
    opened = run.open(str(path))
    assert opened.path == path
    assert opened.verbs == ["survey", "syntax", "prune"]
    assert opened.unfinished == ["prune"]
    assert opened.tables == ["heads", "relations", "heads"]
    pd.testing.assert_frame_equal(opened.table("heads", "survey"), make_result().table("heads"))
    assert opened.table("heads", "syntax")["y"].tolist() == [2]
    xr.testing.assert_identical(opened.arrays("heads", "syntax"), make_result().arrays["heads"])
    assert opened.asked("survey")["seconds"] == 1.5
    assert opened.notes("survey") == ["One text was empty."]
    same(opened.result("survey"), make_result())


def test_what_is_not_there_is_explained(path: Path) -> None:
    opened = run.open(path)
    with pytest.raises(
        RunError, match=r"unknown table 'head'; .*: heads, relations, heads \(unfinished: prune\)"
    ):
        opened.table("head")
    with pytest.raises(RunError, match=r"survey, syntax each have the table 'heads'; name the verb"):
        opened.table("heads")
    with pytest.raises(RunError, match=r"survey, syntax each have the array 'heads'; name the verb"):
        opened.arrays("heads")
    with pytest.raises(RunError, match=r"unknown array 'prune/heads'.*survey/heads, syntax/heads"):
        opened.arrays("heads", "prune")
    with pytest.raises(RunError, match=r"unknown verb 'surve'; did you mean 'survey'"):
        opened.notes("surve")
    with pytest.raises(RunError, match="prune has not finished"):
        opened.result("prune")
    with pytest.raises(RunError, match="there is no such run folder"):
        run.open(path / "missing")
    with pytest.raises(RunError, match=r"is not a run folder: it has no run.json"):
        run.open(path / "tables")


def test_it_describes_itself_in_short_and_escapes_names(path: Path) -> None:
    opened = run.open(path)
    assert repr(opened) == (
        f"Run({str(path)!r}: survey, syntax, prune (unfinished); tables: heads, relations, heads)"
    )
    html = opened._repr_html_()
    assert "&lt;run&gt;" in html
    assert "<run>" not in html
    assert "<li>prune (unfinished)</li>" in html
