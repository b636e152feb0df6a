"""A disk that another program fills during a run: told, nothing broken, and with room made it goes on."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import headscope
from tests.disks import small_disk_at
from tests.faults.commands import SMALL_SHARDS, Commands, left

PLACES = {
    "lock": ("open /.tmp-", 0),
    "begin": ("open /.tmp-*.json", 0),
    "shards": ("open /shards/", -1),
    "arrays": ("open /arrays.zarr/.tmp-*/heads/", 5),
    "tables": ("open /tables/", 7),
    "end": ("open /.tmp-*.json", -1),
}
"""What is written when the disk is found full: the beginning of a point, and which one of those."""

TOLD = "headscope: no space left on {}.*; free some and run the same command again: finished work is kept\n"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk_at(tmp_path / "disk", "8m") as disk:
        yield disk


def test_a_full_disk(small_disk: Path, commands: Commands, models: Path, small_text: Path) -> None:
    path, filler = small_disk / "run", small_disk / "filler"
    options = ["--pieces", "32", "--no-gradients", "--no-distances", "--no-plots", "--quiet", *SMALL_SHARDS]
    survey = ["survey", models / "bert", small_text, *options, "--out", path]
    done = commands.run(survey, path)
    assert done.code == 0, done.said
    whole = left(path)
    for place, (kind, which) in PLACES.items():
        shutil.rmtree(path)
        full = commands.run(survey, path, fill_at=(number_of(done.points, kind, which), str(filler)))
        assert full.code == 2, (place, full.said)
        assert re.fullmatch(TOLD.format(small_disk), full.said), (place, full.said)
        assert not [one for one in path.rglob("*") if one.name.startswith((".tmp-", ".old-", ".lock"))], place
        if place in ("lock", "begin"):
            assert not path.exists()
        else:
            assert headscope.open(path).unfinished == ["survey"]
        filler.unlink()
        again = commands.run(["resume", path] if path.exists() else survey, path)
        assert again.code == 0, (place, again.said)
        assert left(path) == whole, place


def number_of(points: list[str], kind: str, which: int) -> int:
    start, _, end = kind.partition("*")
    found = [
        number
        for number, point in enumerate(points, start=1)
        if point.startswith(start) and end in point.removeprefix(start)
    ]
    return found[which]
