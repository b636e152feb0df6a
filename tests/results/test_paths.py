from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headscope.errors import RunError
from headscope.results.folder import RunFolder
from headscope.results.paths import next_run_path, safe_name
from headscope.results.result import Result


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("default", "default"),
        ("google/bert-base_uncased", "bert-base_uncased"),
        ("/models/tiny v2/", "tiny-v2"),
        ("model.Q4.gguf", "model.Q4.gguf"),
        ("../..", Path("../..").resolve().name or "model"),
        ("/", "model"),
        ("a:*?b", "a-b"),
        ("...", "model"),
        ("x" * 90, "x" * 40),
        ("modèle", "modèle"),
    ],
)
def test_a_model_name_becomes_a_file_name(name: str, expected: str) -> None:
    assert safe_name(name) == expected


def test_numbers_count_up(tmp_path: Path, asked: dict[str, Any]) -> None:
    root = tmp_path / "runs"
    first = next_run_path(root, "survey", "org/tiny", asked)
    second = next_run_path(root, "survey", "org/tiny", asked)
    assert (first, second) == (root / "survey-tiny-1", root / "survey-tiny-2")
    (root / "survey-tiny-9").touch()
    (root / "survey-tiny-large-40").mkdir()
    assert next_run_path(root, "survey", "tiny", asked).name == "survey-tiny-10"
    assert next_run_path(root, "syntax", "tiny", asked).name == "syntax-tiny-1"


def test_the_same_unfinished_command_is_found_again(tmp_path: Path, asked: dict[str, Any]) -> None:
    first = next_run_path(tmp_path, "survey", "tiny", asked)
    RunFolder.claim(first, "survey", asked).release()
    other = {"identity": {"model": "tiny", "options": {}}}
    second = next_run_path(tmp_path, "survey", "tiny", other)
    assert second.name == "survey-tiny-2"
    RunFolder.claim(second, "survey", other).release()
    assert next_run_path(tmp_path, "survey", "tiny", asked) == first
    assert next_run_path(tmp_path, "survey", "tiny", other) == second
    with RunFolder.claim(first, "survey", asked) as folder:
        folder.write_result(Result("survey"))
    assert next_run_path(tmp_path, "survey", "tiny", asked).name == "survey-tiny-3"


def test_a_broken_run_is_left_alone(tmp_path: Path, asked: dict[str, Any]) -> None:
    (tmp_path / "survey-tiny-1").mkdir()
    (tmp_path / "survey-tiny-1" / "run.json").write_text("{")
    assert next_run_path(tmp_path, "survey", "tiny", asked).name == "survey-tiny-2"


def test_a_file_in_the_way_is_refused(tmp_path: Path, asked: dict[str, Any]) -> None:
    (tmp_path / "runs").touch()
    with pytest.raises(RunError, match="runs is a file"):
        next_run_path(tmp_path / "runs", "survey", "tiny", asked)
