"""What is printed: JSON and nothing else, nothing at all, or tables that are pleasant at any width."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

import headscope
from headscope.cli import screen
from headscope.engine.effort import Step
from headscope.questions.findings import findings_of
from headscope.questions.screens import Shown
from headscope.results.result import Finding, Result
from tests.cli.conftest import FAST, Outcome, command

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def strictly(text: str) -> dict:
    """Read JSON as a strict reader does, which knows no NaN."""

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_only_numbers_that_are_none_become_null(capsys: pytest.CaptureFixture[str]) -> None:
    screen.print_json({"words": ["nan", "NaN"], "share": float("nan"), "most": float("inf")})
    assert strictly(capsys.readouterr().out) == {"words": ["nan", "NaN"], "share": None, "most": "inf"}


@pytest.fixture
def finished(models: Path, text: Path, run_of: Callable[[str], Path]) -> Callable[..., Outcome]:
    """The survey that has finished, asked for again."""

    def ask(*options: str) -> Outcome:
        return command("survey", models / "bert", text, "--pieces", "32", "--out", run_of("bert"), *options)

    return ask


def test_json_alone_is_on_standard_output(
    finished: Callable[..., Outcome], models: Path, text: Path, run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    told = strictly(finished("--json").out)
    opened = headscope.open(run_of("bert"))
    assert list(told) == ["run", "findings", "notes", *opened.tables] and {"roles", "heads"} <= set(told)
    assert all(len(told[name]) == len(opened.table(name)) for name in opened.tables)
    assert [row["head"] for row in told["heads"]][:5] == ["L0H0", "L0H1", "L0H2", "L0H3", "L1H0"]
    maps = command("maps", models / "bert", "A ship.", "--json")
    shape = {"layer": 2, "head": 4, "query": 5, "key": 5}
    assert strictly(maps.out)["arrays"]["maps"]["shape"] == shape
    about = command("info", models / "llama", "--json")
    assert strictly(about.out)["shape"] == "decoder"
    runs = run_of("bert"), run_of("bert-later")
    compared = command("compare", *runs, "--no-plots", "--out", tmp_path / "c", "--json")
    assert len(strictly(compared.out)["differences"]) == 56
    decoder = command("survey", models / "llama", text, *FAST, "--out", run_of("llama"), "--json")
    assert {row["next"] for row in strictly(decoder.out)["heads"]} == {None}
    assert maps.err == about.err == compared.err == finished("--json").err == ""


def test_a_run_that_had_finished_says_so(
    finished: Callable[..., Outcome], models: Path, text: Path, run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    path = run_of("bert") / "run.json"
    written = json.loads(path.read_text())["verbs"]["survey"]["asked"]["provenance"]["finished"]
    line = f"done    before, at {written}: read, not computed anew"
    assert line in finished().out.splitlines()
    new = command("survey", models / "bert", text, "--pieces", "32", "--out", tmp_path / "new", *FAST)
    assert "done    before" not in new.out


def test_quiet_prints_nothing(
    finished: Callable[..., Outcome], run_of: Callable[[str], Path], tmp_path: Path
) -> None:
    assert finished("--quiet") == Outcome(0, "", "")
    runs = run_of("bert"), run_of("bert-later")
    assert command("compare", *runs, "--out", tmp_path / "c", "--no-plots", "-q") == Outcome(0, "", "")


def test_piped_output_is_plain_and_80_columns_wide(finished: Callable[..., Outcome], models: Path) -> None:
    for done in (
        finished(),
        command("maps", models / "bert", "The old ship."),
        command("info", models / "t5"),
        command("survey", "--help"),
    ):
        assert (done.code, done.err) == (0, "")
        assert not CONTROL.search(done.out)
        lines = [line for line in done.out.splitlines() if not line.startswith(("plots ", "tables "))]
        assert max(map(len, lines)) <= 80


def test_a_survey_says_what_heads_do_and_where_everything_is(
    finished: Callable[..., Outcome], run_of: Callable[[str], Path]
) -> None:
    lines = [line.rstrip() for line in finished().out.splitlines()]
    found = findings_of(headscope.open(run_of("bert")).result("survey"))
    told = " ".join(lines[: lines.index("")])
    assert 3 <= len(found) <= 5 and told.count("•") == len(found)
    assert all(" ".join(one.text.split()) in " ".join(told.split()) for one in found)
    roles = lines.index("What the heads do")
    assert lines[roles + 1].split() == ["role", "heads", "best", "score", "%", "rule"]
    assert "Are heads of one layer alike?" in lines
    run = run_of("bert")
    assert lines[-4:-2] == [f"plots   {run}/plots", f"tables  {run}/tables"]
    assert lines[-1] == f"next    headscope report {run}"


def test_a_run_without_plots_names_no_folder_of_plots(models: Path, text: Path, tmp_path: Path) -> None:
    done = command("survey", models / "bert", text, *FAST, "--out", tmp_path / "run")
    assert done.out.splitlines()[-2] == f"tables  {tmp_path}/run/tables"
    assert "plots   " not in done.out


def test_a_comparison_lists_what_changed(run_of: Callable[[str], Path], tmp_path: Path) -> None:
    runs = [run_of(name) for name in ("bert", "bert-later", "bert-last")]
    done = command("compare", *runs, "--measure", "entropy", "--no-plots", "--out", tmp_path / "c")
    assert done.err == ""
    assert re.match(r"• \d of 8 heads \(\d+ %\) changed in entropy", done.out)
    assert "\n\nHow many heads changed\n" in done.out
    for later in ("bert-later", "bert-last"):
        assert f"bert → {later}, entropy: the largest of " in done.out
    assert "significant  " not in done.out
    same = command(
        "compare", runs[0], runs[0], "--measure", "entropy", "--no-plots", "--out", tmp_path / "same"
    )
    assert same.out.startswith("• In entropy none of 8 heads is shown to have changed (")
    assert ": the largest" not in same.out


@pytest.mark.parametrize("width", [80, 120])
def test_tables_and_notes_keep_their_rows_whole(
    width: int, run_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(screen, "console", Console(file=shown, width=width, highlight=False))
    opened = headscope.open(run_of("bert"))
    roles = opened.table("roles")
    title = "A title that is as wide as the screen is not broken to the width of its table"
    screen.print_table(roles, title)
    screen.print_table(opened.table("layers"))
    lines = shown.getvalue().splitlines()
    assert lines[0] == title
    assert max(map(len, lines[1:])) <= width
    assert width == 80 or len(lines) == 1 + 1 + len(roles) + 1 + 1
    printed = " ".join(lines).split()
    assert all(word in printed for rule in roles["rule"] for word in rule.split())
    shown.truncate(0)
    screen.print_notes(opened.result("survey"))
    told = shown.getvalue().strip("\0").splitlines()
    assert all(line.startswith(("· ", "  ")) and len(line) <= width for line in told)


def test_sentences_and_titles_keep_to_the_width_and_numbers_to_their_units(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(screen, "console", Console(file=shown, width=40, highlight=False))
    sentence = (
        "The model is right in exactly 98 % of all cases, without the head in 12.5 % (-3 to +4.5 points)."
    )
    found = Finding(sentence, "made", 0, True, None, (), ())
    result = Result("made", findings=[found], notes=[sentence])
    screen.print_answer([Shown(sentence), Shown(sentence, pd.DataFrame({"head": ["L0H0"]}))], result, {})
    lines = shown.getvalue().splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 40
    assert not any(line.strip().startswith(("%", "points")) for line in lines)
    assert " ".join(shown.getvalue().replace("•", "").replace("·", "").split()).count(sentence) == 4


@pytest.mark.parametrize(("width", "bands"), [(80, 2), (60, 3)])
def test_tables_break_inside_no_name_and_no_number(
    width: int, bands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not fit stands in a band below, behind the first column again."""
    shown = io.StringIO()
    monkeypatch.setattr(screen, "console", Console(file=shown, width=width, highlight=False))
    names = [
        "relative_accuracy_low",
        "same_data_offset",
        "offset_accuracy",
        "published_vectors",
        "entropy_se",
    ]
    table = pd.DataFrame({"head": ["L0H0", "L11H7"], **{name: [12345.0, 0.125] for name in names}})
    screen.print_table(table.assign(rule="at least 50 % on special tokens"))
    lines = shown.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    printed = " ".join(lines).split()
    assert all(printed.count(name) == 1 for name in names) and printed.count("12,345") == len(names)
    assert printed.count("head") == printed.count("L0H0") == printed.count("L11H7") == bands
    assert all(line.startswith(("head ", "L0H0 ", "L11H7 ", "     ")) for line in lines)


def test_columns_of_one_name_are_printed_both(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(screen, "console", Console(file=shown, width=80))
    screen.print_table(pd.DataFrame([[1, 2.5]], columns=["score", "score"]))
    assert [line.split() for line in shown.getvalue().splitlines()] == [["score", "score"], ["1", "2.5"]]


def test_progress_goes_to_standard_error_in_plain_lines(
    models: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "SECONDS_BETWEEN_LINES", 0.0)
    done = command("survey", models / "bert", text, *FAST, "--out", tmp_path / "run")
    words = sum(len(re.findall(r"\w+|\.", line)) for line in text.read_text().splitlines())
    assert "words" not in done.out
    assert not CONTROL.search(done.err)
    assert re.fullmatch(rf"survey: {words:,} of {words:,} words, \d+ segments", done.err.splitlines()[-1])


def test_progress_on_a_terminal_is_a_bar_that_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(screen, "errors", Console(file=shown, force_terminal=True, width=100))
    with screen.progress_bar("survey", 10, quiet=False) as advance:
        assert advance is not None
        advance(3, 10)
    assert "10/10" in shown.getvalue() and "words, 3 segments" in shown.getvalue()
    assert shown.getvalue().endswith("\x1b[2K")


def test_a_plan_is_announced_above_the_bar_and_not_where_it_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    times, shown = iter([0.0, 10.0]), io.StringIO()  # at the end of two batches
    monkeypatch.setattr(screen, "errors", Console(file=shown, width=60))
    steps = [Step("3 [big] models x 2 epochs", 900)]
    quick = [Step("fewer", 90)]
    with screen.announced("adversary", steps, quick, False, lambda: next(times)) as progress:
        assert progress is not None
        progress(1, 0)
        progress(1, 10)
    assert shown.getvalue() == "adversary: 3 [big] models x 2 epochs: about 15 min; --quick: about 2 min\n"
    with screen.announced("adversary", steps, [], quiet=True) as progress:
        assert progress is None


def test_square_brackets_are_text_and_not_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(screen, "console", Console(file=shown, width=80))
    screen.print_table(pd.DataFrame({"to": ["[SEP]", "[red]"], "share": [0.12345, float("nan")]}), "of [CLS]")
    assert [line.split() for line in shown.getvalue().splitlines()] == [
        ["of", "[CLS]"], ["to", "share"], ["[SEP]", "0.123"], ["[red]"],
    ]  # fmt: skip
