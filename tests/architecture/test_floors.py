"""A room imports only rooms on lower floors (and the exceptions, which all share), some never torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE, ROOT, files, imports_of, name_of, room_of

FLOORS = {
    0: ("errors", "heads", "blocks"),
    1: ("measures", "tallies", "text"),
    2: ("attention", "aligners"),
    3: ("nets",),
    4: ("models",),
    5: ("tasks", "results"),
    6: ("probes", "explainers", "analyses"),
    7: ("engine", "drawing"),
    8: ("questions",),
    9: ("web",),
    10: ("cli",),
}
FLOOR_OF = {room: floor for floor, rooms in FLOORS.items() for room in rooms}
DATA_ONLY = "demo"  # holds texts and no code, so it stands on no floor
LIGHT = ("results", "drawing", "web", "cli")
LIGHT_FILES = ("options", "declared", "findings", "screen", "pictures")
HEAVY = ("torch", "transformers")


def rooms() -> set[str]:
    return {room_of(path) for path in files()} - {"__init__"}


def test_every_room_is_on_the_plan() -> None:
    assert rooms() - FLOOR_OF.keys() == {DATA_ONLY}
    assert {name_of(path) for path in files() if room_of(path) == DATA_ONLY} == {"demo/__init__.py"}


MAY_IMPORT_ALL = {"results/provenance.py"}
"""Who looks up the version."""


def upward(path: Path) -> list[str]:
    """What a file imports that is not below it, one message each."""
    own = room_of(path)
    wrong = []
    for line, name in imports_of(path):
        parts = name.split(".")
        if name == PACKAGE and name_of(path) not in MAY_IMPORT_ALL:
            wrong.append(f"{name_of(path)}:{line}: imports the whole package, and so every room")
        if parts[0] != PACKAGE or len(parts) < 2 or parts[1] in (own, "errors", "__version__"):
            continue
        floor = FLOOR_OF.get(parts[1])
        if floor is None or floor >= FLOOR_OF[own]:
            wrong.append(
                f"{name_of(path)}:{line}: {own} (floor {FLOOR_OF[own]}) imports {name} (floor {floor})"
            )
    return wrong


def test_imports_go_down() -> None:
    assert [wrong for path in files() if room_of(path) in FLOOR_OF for wrong in upward(path)] == []


def test_the_top_of_the_package_imports_the_table_of_verbs_alone() -> None:
    own = [name for _, name in imports_of(ROOT / "__init__.py") if name.startswith(PACKAGE)]
    assert own == ["headscope.questions.VERBS"]


def is_light(path: Path) -> bool:
    """Whether a file must do without torch: a light room's, or one that a question shows its answer with."""
    inside = path.relative_to(ROOT).with_suffix("").parts
    return inside[0] in LIGHT or (inside[0] == "questions" and inside[2:3] and inside[2] in LIGHT_FILES)


def test_light_files_do_not_name_torch() -> None:
    light = [path for path in files() if is_light(path)]
    named = [(name_of(path), line, name) for path in light for line, name in imports_of(path)]
    assert [each for each in named if each[-1].split(".")[0] in HEAVY] == []


def module_names(paths: Iterable[Path]) -> list[str]:
    inside = [path.relative_to(ROOT.parent).with_suffix("") for path in paths]
    return [".".join(path.parts).removesuffix(".__init__") for path in inside]


def light_in(room: str) -> list[str]:
    return module_names(path for path in files() if room_of(path) == room and is_light(path))


STEPS = {
    "the package": "import headscope",
    "the command line": "import headscope.cli.main",
    "reading": "headscope.open; headscope.Head",
    **{room: "".join(f"import {name}; " for name in light_in(room)) for room in (*LIGHT, "questions")},
}
"""Done one after the other in a fresh interpreter: what a step imports is there in all later ones."""


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """The top-level packages that are imported after each step."""
    told = "; import sys; print(*{name.split('.')[0] for name in sys.modules})"
    program = "\n".join(step.rstrip("; ") + told for step in STEPS.values())
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {step: set(line.split()) for step, line in zip(STEPS, done.stdout.splitlines(), strict=True)}


@pytest.mark.parametrize("step", STEPS)
def test_torch_is_never_loaded(step: str, loaded: dict[str, set[str]]) -> None:
    assert "headscope" in loaded[step] and loaded[step].isdisjoint(HEAVY)


def test_importing_the_package_costs_nothing(loaded: dict[str, set[str]]) -> None:
    assert loaded["the package"].isdisjoint({"numpy", "pandas", "xarray", "matplotlib"})


def test_no_light_room_is_forgotten() -> None:
    assert all(len(light_in(room)) > 5 for room in (*LIGHT, "questions"))
