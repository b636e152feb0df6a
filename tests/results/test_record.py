from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headscope.errors import RunError
from headscope.results.record import Entry, Record, difference


def test_round_trip(tmp_path: Path, asked: dict[str, Any]) -> None:
    record = Record({"survey": Entry.begin(asked)})
    record.verbs["survey"].notes.append("長")
    record.write(tmp_path)
    assert Record.read(tmp_path) == record


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 1.0}, None),
        ({"a": 1}, {"a": True}, ("a", "1", "true")),
        ({"a": 1}, {}, ("a", "1", "not given")),
        ({}, {"a": "ü"}, ("a", "not given", '"ü"')),
        ({"a": {"b": {"c": [1]}}}, {"a": {"b": {"c": [1, 2]}}}, ("a.b.c", "[1]", "[1, 2]")),
        ({"a": {"b": 1}}, {"a": 1}, ("a", '{"b": 1}', "1")),
        ({"a": None, "b": 1}, {"b": 2}, ("a", "null", "not given")),
    ],
)
def test_the_first_difference_is_named(old: Any, new: Any, expected: Any) -> None:
    assert difference(old, new) == expected


GOOD: dict[str, Any] = {
    "asked": {"identity": {}},
    "started": "",
    "ended": "",
    "finished": False,
    **{key: [] for key in ("notes", "arrays", "plots", "findings")},
    **{key: {} for key in ("tables", "captions", "checksums")},
}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"run.json:1: is not JSON \(Expecting value\); restore the file, or choose another folder"),
        ('{"format": 2,\n', r"run.json:2: is not JSON"),
        ("[]", "it should be a dict, found list"),
        ('{"format": 3}', "has format 3, newer than the 2 known here; update headscope"),
        ("{}", "has format None, expected 2"),
        ('{"format": 2}', "verbs should be a dict, found NoneType"),
        ('{"format": 2, "verbs": {"a/b": {}}}', "verb name 'a/b'"),
        ('{"format": 2, "verbs": {"survey": 3}}', "verbs.survey should be a dict, found int"),
        ({**GOOD, "asked": {}}, "verbs.survey.asked.identity should be a dict"),
        ({**GOOD, "finished": "yes"}, "verbs.survey.finished should be a bool, found str"),
        ({**GOOD, "notes": [1]}, "verbs.survey.notes should be a str, found int"),
        ({**GOOD, "tables": {"../../secret": {}}}, "table name"),
        ({**GOOD, "tables": {"heads": 3}}, "verbs.survey.tables.heads: .*cannot be read"),
        ({**GOOD, "checksums": None}, "verbs.survey.checksums should be a dict, found NoneType"),
        ({**GOOD, "captions": {"heads": 1}}, "verbs.survey.captions.heads should be a str, found int"),
        ({**GOOD, "findings": [{"says": 3}]}, "verbs.survey.findings: "),
    ],
)
def test_a_broken_record_is_explained(tmp_path: Path, content: Any, message: str) -> None:
    if isinstance(content, dict):
        content = json.dumps({"format": 2, "verbs": {"survey": content}})
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(RunError, match=message):
        Record.read(tmp_path)


def test_bytes_that_are_no_text_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"is not a run folder: it has no run.json"):
        Record.read(tmp_path)
    (tmp_path / "run.json").write_bytes(b'{"\xff')
    with pytest.raises(RunError, match=r"is not UTF-8 \(byte 2\)"):
        Record.read(tmp_path)
    (tmp_path / "run.json").unlink()
    (tmp_path / "run.json").mkdir()
    with pytest.raises(RunError, match=r"run.json: cannot be read \(Is a directory\)"):
        Record.read(tmp_path)


def test_a_run_of_an_older_version_is_told_apart_from_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": 1, "verbs": {}}')
    with pytest.raises(RunError, match="was written by an older version of headscope"):
        Record.read(tmp_path)
