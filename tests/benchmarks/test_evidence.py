"""Parts run one by one and keep what they measure; what is fresh is not measured again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import evidence, kept
from benchmarks.evidence import Places, main
from benchmarks.kept import read
from benchmarks.parts import Part
from benchmarks.rows import Row, at_most, told


class House:
    """Three parts that count how often they run, their code, and where they write."""

    def __init__(self, folder: Path) -> None:
        self.complete = Places(folder / "docs" / "evidence.md", folder / "docs" / "measured")
        self.reduced = Places(folder / "build" / "evidence.md", folder / "build" / "measured")
        self.code = {"first": "1", "second": "1", "third": "1"}
        self.ran: list[str] = []
        self.growth = 1.0
        self.broken: set[str] = set()

    def load(self, name: str) -> Part:
        data = ("no/such.txt",) if name == "third" else ()
        return Part(name, name.title(), f"The {name}.", data, self.job(name), {"size": 1})

    def job(self, name: str) -> Callable[..., list[Row]]:
        def run(size: int = 100) -> list[Row]:
            self.ran.append(f"{name} {size}")
            if name in self.broken:
                raise RuntimeError(f"{name} is broken")
            return [told("size", size), at_most("growth", self.growth, "%", 10)]

        return run


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    house = House(tmp_path)
    monkeypatch.setattr(evidence, "PARTS", tuple(house.code))
    monkeypatch.setattr(evidence, "load", house.load)
    monkeypatch.setattr("benchmarks.page.load", house.load)
    monkeypatch.setattr(evidence, "COMPLETE", house.complete)
    monkeypatch.setattr(evidence, "REDUCED", house.reduced)
    for module in (evidence, kept):
        monkeypatch.setattr(module, "code_of", lambda name, root=None: house.code[name])
    return house


def test_what_is_fresh_is_not_measured_again(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0 and house.ran == ["first 100", "second 100"]
    assert main([]) == 0 and house.ran == ["first 100", "second 100"]
    assert "First: fresh, not measured again" in capsys.readouterr().out
    house.code["second"] = "2"
    main([])
    assert house.ran == ["first 100", "second 100", "second 100"]


def test_a_part_is_measured_alone_and_again_when_asked(house: House) -> None:
    main(["--part", "second"])
    main(["--part", "second"])
    assert house.ran == ["second 100"] and read("first", house.complete.kept) is None
    main(["--part", "second", "--again"])
    assert house.ran == ["second 100", "second 100"]


def test_what_is_kept_tells_the_run(house: House) -> None:
    main(["--part", "first"])
    found = read("first", house.complete.kept)
    assert found is not None and found.complete and found.code == "1" and found.title == "First"
    assert found.rows[0]["value"] == 100 and {"commit", "date", "torch"} <= found.machine.keys()


def test_the_page_holds_all_parts_and_marks_the_stale(house: House) -> None:
    main(["--part", "first"])
    house.code["first"] = "2"
    main(["--part", "second"])
    first, second, third = house.complete.page.read_text().split("\n## ")[1:]
    assert "| size | 100 |" in first and "**Stale**: the code has changed since." in first
    assert "| size | 100 |" in second and "Stale" not in second
    assert third == "Third\n\nThe third.\n\nNo measurement is kept yet.\n"


def test_a_reduced_run_goes_elsewhere_and_always_measures(house: House) -> None:
    main(["--part", "first"])
    before = {path: path.read_bytes() for path in house.complete.page.parent.rglob("*") if path.is_file()}
    for _ in range(2):
        assert main(["--reduced"]) == 0
    assert house.ran == ["first 100", *["first 1", "second 1"] * 2]
    after = {path: path.read_bytes() for path in house.complete.page.parent.rglob("*") if path.is_file()}
    assert before == after and len(before) == 2
    found = read("second", house.reduced.kept)
    assert found is not None and not found.complete
    assert house.reduced.page.read_text().startswith("# Evidence, reduced")


def test_a_limit_that_is_not_kept_fails_until_it_is(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.growth = 11
    assert main(["--part", "first"]) == 1
    assert "not kept: First: growth" in capsys.readouterr().out
    assert main(["--page"]) == 1, "what is kept still fails"
    house.growth = 9
    assert main(["--part", "first", "--again"]) == 0


def test_a_part_that_breaks_off_loses_nothing_of_others(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    main([])
    house.broken.add("first")
    assert main(["--again"]) == 1
    captured = capsys.readouterr()
    assert "First broke off" in captured.out and "RuntimeError: first is broken" in captured.err
    assert house.ran[-1] == "second 100"
    found = read("first", house.complete.kept)
    assert found is not None and found.rows[0]["value"] == 100, "what it had measured before stays"


def test_data_that_are_missing_are_named(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--part", "third"]) == 0
    assert "Third: not measured, no/such.txt not found; set HEADSCOPE_DATA" in capsys.readouterr().out
    assert house.ran == []


def test_the_list_of_parts_tells_their_states(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--part", "first", "--part", "second"])
    house.code["second"] = "2"
    capsys.readouterr()
    assert main(["--parts"]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.split()[:3] == ["first", "fresh", "measured"]
    assert second.split()[:2] == ["second", "stale"] and second.endswith("; the code has changed since")
    assert third == "third        never run"


def test_nothing_is_measured_for_the_page_alone(house: House) -> None:
    assert main(["--page"]) == 0 and house.ran == [] and house.complete.page.exists()


def test_an_unknown_part_is_refused(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--part", "fourth"])
    assert stopped.value.code == 2 and "'fourth'" in capsys.readouterr().err
