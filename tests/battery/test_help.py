"""`--help` of every verb and command: 80 columns, an example that runs as it stands, every option once."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections import Counter

import pytest

from headscope.cli.main import COMMANDS, command_options
from headscope.cli.parsing import flags_of, parse
from headscope.questions import VERBS
from headscope.questions.marks import Argument, InPython
from headscope.questions.options import complete, fields_of
from tests.cli.conftest import ENVIRONMENT, Outcome, child, command

NAMES = [*VERBS, *COMMANDS]


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def help_of(*name: str) -> list[str]:
    done = command(*name, "--help")
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], *([name, "--help"] for name in NAMES)])
def test_it_fits_into_80_columns_and_is_plain(words: list[str]) -> None:
    done = command(*words)
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.out)
    assert all(line == line.rstrip() for line in done.out.splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_the_usage_names_what_is_needed(name: str) -> None:
    usage = help_of(name)[0]
    assert usage.startswith(f"Usage: headscope {name}") and usage.endswith(" [options]")
    words = usage.split()
    for field in command_options(name)[1]:
        if field.required:
            mark = field.mark(Argument)
            assert set(mark.name.split() if mark else [field.flag]) <= set(words)


def test_numbers_are_shown_as_they_are_written() -> None:
    assert any(line.startswith("  --lengths 512,2048 ") for line in help_of("retrieve"))
    assert any(line.startswith("  --layers 0,2,5-7 ") for line in help_of("retrieve"))
    assert "[default: 50,200]" in " ".join(" ".join(help_of("sentences")).split())


@pytest.mark.parametrize("name", NAMES)
def test_the_example_can_be_pasted(name: str) -> None:
    lines = help_of(name)
    program, verb, *words = shlex.split(lines[lines.index("Example:") + 1])
    assert (program, verb) == ("headscope", name)
    options, fields = command_options(name)
    given = parse(name, words, fields)
    own = {field.name for field in fields_of(options)}
    complete(name, options, {key: value for key, value in given.items() if key in own})


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_a_command_is_listed_once_with_its_help(name: str) -> None:
    lines = help_of(name)
    rows = [line for line in lines if re.match(r"  -", line)]
    listed = Counter(flag for row in rows for flag in written_in(row))
    fields = command_options(name)[1]
    said = [field for field in fields if field.mark(InPython) is None and field.mark(Argument) is None]
    assert listed == Counter(flag for field in said for flag in flags_of(field))
    text = " ".join(" ".join(lines).split())
    for field in fields:
        assert (" ".join(field.help.split()) in text) == (field.mark(InPython) is None), field.name


def written_in(row: str) -> list[str]:
    """The flags of a row, such as `-q, --quiet` or `--[no-]plots`."""
    names = re.match(r"  ((?:--?[\w\[\]-]+(?:, )?)+)", row)
    assert names is not None
    flags = []
    for name in names[1].split(", "):
        flags += [name.replace("[no-]", ""), name.replace("[no-]", "no-")] if "[" in name else [name]
    return flags


@pytest.mark.parametrize(
    "words", [["-h"], ["default", "-h"], ["--bath-size", "3", "x", "--help"], ["-q", "-h"]]
)
def test_it_is_printed_wherever_it_is_asked_for(words: list[str]) -> None:
    assert command("survey", *words) == command("survey", "--help")


def test_behind_the_end_of_options_it_is_a_word() -> None:
    done = command("maps", "./nowhere", "--", "-h")
    assert done.code == 2 and "there is no folder ./nowhere" in done.err


def test_all_verbs_and_commands_are_listed_with_what_they_answer() -> None:
    done = command("--help")
    assert done == command() == command("-h")
    text = " ".join(done.out.split())
    for name, sentence in {**{verb.name: verb.question for verb in VERBS.values()}, **COMMANDS}.items():
        assert f" {name} {sentence}" in text


def test_the_version() -> None:
    import headscope

    assert command("--version") == Outcome(0, f"headscope {headscope.__version__}\n", "")


def test_a_reader_who_has_enough_is_left_in_peace() -> None:
    environment = {key: value for key, value in ENVIRONMENT.items() if key != "PYTHONUNBUFFERED"}
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        words = child("survey", "--help")
        done = subprocess.run(words, stdout=pipe, stderr=subprocess.PIPE, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_screen_that_is_too_narrow_still_has_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    assert any("--layers" in line for line in help_of("survey"))


@pytest.mark.parametrize("width", [60, 100, 300])
def test_other_widths_are_used(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(len, help_of())) <= min(width, 100)
    prose = [line for line in help_of("survey") if "headscope" not in line]
    assert max(map(len, prose)) <= min(width, 100)
    assert max(map(len, prose)) > min(width, 100) - 12
