"""The words of a command: options anywhere, in every spelling, and mistakes told in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from headscope.cli.main import command_options
from headscope.cli.parsing import parse
from headscope.errors import OptionError
from tests.cli.conftest import command


def parsed(name: str, *words: str) -> dict[str, Any]:
    return parse(name, words, command_options(name)[1])


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["default", "a.txt"], {}),
        (["default", "a.txt", "--seed", "1", "--limit=3"], {"seed": "1", "limit": "3"}),
        (["--seed", "1", "default", "--limit=3", "a.txt", "-q"], {"seed": "1", "limit": "3", "quiet": True}),
        (["default", "a.txt", "--seed", "1", "--seed=2"], {"seed": "2"}),
        (["default", "a.txt", "--known", "x", "--known=y"], {"known": ["x", "y"]}),
        (["default", "a.txt", "--no-plots", "--plots"], {"plots": True}),
        (["default", "a.txt", "--plots", "--no-plots"], {"plots": False}),
        (["default", "a.txt", "--quiet", "-q"], {"quiet": True}),
        (["default", "a.txt", "--seed", "-1"], {"seed": "-1"}),
        (["default", "a.txt", "--masking", "-1e-3"], {"masking": "-1e-3"}),
        (["default", "a.txt", "--masking=-.5"], {"masking": "-.5"}),
        (["default", "a.txt", "--out", "a=b"], {"out": "a=b"}),
        (["default", "a.txt", "--out=a=b"], {"out": "a=b"}),
        (["default", "a.txt", "--column="], {"column": ""}),
        (["default", "a.txt", "--column", "-x"], {"column": "-x"}),
        (["--out", "run", "--", "default", "a.txt"], {"out": "run"}),
        (["default", "--", "-a.txt"], {"text": "-a.txt"}),
        (["--", "default", "--seed"], {"text": "--seed"}),
        (["--", "default", "--"], {"text": "--"}),
        (["default", "-"], {"text": "-"}),
    ],
)  # fmt: skip
def test_every_spelling(words: list[str], given: dict[str, Any]) -> None:
    assert parsed("survey", *words) == {"model": "default", "text": "a.txt"} | given


@pytest.mark.parametrize("text", ["-5", "-5 degrees", "- a point", "--- cut here", "", "a=b", "-1e3"])
def test_a_text_may_begin_with_a_dash(text: str) -> None:
    assert parsed("maps", "default", text) == {"model": "default", "text": text}


def test_options_between_arguments_that_take_all_that_come() -> None:
    words = ("a", "--measure", "x", "b", "--measure=y", "--", "c", "-d")
    assert parsed("compare", *words) == {"runs": ["a", "b", "c", "-d"], "measure": ["x", "y"]}
    assert parsed("compare", "--seed", "2") == {"seed": "2"}


def test_what_is_decided_by_others_unless_it_is_asked_for_can_be_asked_for_or_not() -> None:
    given = {(): {}, ("--freeze-vectors",): {"freeze_vectors": True}}
    given[("--no-freeze-vectors",)] = {"freeze_vectors": False}
    for words, values in given.items():
        assert parsed("train", "tagger", "a.iob", *words) == {"net": "tagger", "data": "a.iob"} | values


def test_nothing_need_be_given() -> None:
    assert parsed("serve") == {}
    assert parsed("serve", "run", "--model", "a", "--model", "b") == {"run": "run", "model": ["a", "b"]}


ALL = "headscope survey --help lists all"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--bath-size", "3"], f"unknown option '--bath-size'; did you mean '--batch-size'? {ALL}"),
        (["--bath-size=3"], f"unknown option '--bath-size'; did you mean '--batch-size'? {ALL}"),
        (["--bath-size=3 or 4"], f"unknown option '--bath-size'; did you mean '--batch-size'? {ALL}"),
        (["--batch_size", "3"], f"unknown option '--batch_size'; did you mean '--batch-size'? {ALL}"),
        (["--no-plot"], f"unknown option '--no-plot'; did you mean '--no-plots'? {ALL}"),
        (["--no-quiet"], f"unknown option '--no-quiet'; did you mean '--quiet'? {ALL}"),
        (["--batch", "3"], f"unknown option '--batch'; did you mean '--batch-size'? {ALL}"),
        (["--loss", "x"], f"unknown option '--loss'; did you mean '--plots'? {ALL}"),
        (["--model", "x"], f"unknown option '--model'; did you mean '--made'? {ALL}"),
        (["--xyzzy"], f"unknown option '--xyzzy'; {ALL}"),
        (["-v"], f"unknown option '-v'; put -- before a word that begins with a dash; {ALL}"),
        (["-x.txt"], f"unknown option '-x.txt'; put -- before a word that begins with a dash; {ALL}"),
        (["--seed"], "--seed needs a value: Seed of everything that is drawn at random."),
        (["--seed", "--quiet"], "--seed needs a value: Seed of everything that is drawn at random."),
        (["--seed", "-q"], "--seed needs a value: Seed of everything that is drawn at random."),
        (["--seed", "--", "1"], "--seed needs a value: Seed of everything that is drawn at random."),
        (["--quiet=yes"], "--quiet takes no value, so not 'yes'"),
        (["--no-plots="], "--no-plots takes no value, so not ''"),
        (["b.txt"], "'b.txt' is one word too many; put a text of several words into quotes"),
        (["--", "--seed"], "'--seed' is one word too many; put a text of several words into quotes"),
    ],
)
def test_mistakes(words: list[str], message: str) -> None:
    with pytest.raises(OptionError) as told:
        parsed("survey", "default", "a.txt", *words)
    assert str(told.value) == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["survey"], "survey needs TEXT: Plain text (documents parted by blank lines), .csv"),
        (["survey", "my.txt"], "survey needs TEXT: Plain text"),
        (["show", "default", "A ship."], "show needs --head: Head to show, such as `L2H8`"),
        (["prune"], "prune needs DATA and --train: Labelled examples"),
        (["prune", "default", "a.tsv"], "prune needs --train: Training data"),
        (["report"], "report needs RUN: Run folder"),
        (["resume", "--quiet"], "resume needs RUN: The folder of a run that was stopped."),
        (
            ["compare"],
            "compare needs RUN RUN ...: Folders of finished surveys, or one with --checkpoints.",
        ),
        (["info", "default", "x"], "'x' is one word too many"),
        (["demo", "x"], "'x' is one word too many"),
        (["survey", "default", "a.txt", "--pieces", "x"], "--pieces takes a whole number, not 'x'"),
        (["survey", "default", "a.txt", "--pieces", "1.5"], "--pieces takes a whole number, not '1.5'"),
        (["survey", "default", "a.txt", "--masking", "half"], "--masking takes a number, not 'half'"),
        (["survey", "default", "a.txt", "--masking", "nan"], "--masking must be between 0 and 1, not nan"),
        (["survey", "default", "a.txt", "--seed", "-1"], "--seed must be at least 0 and below"),
        (["survey", "default", "a.txt", "--workers", "0"], "--workers must be at least 1, not 0"),
        (["resume", "a", "--workers", "0"], "--workers must be at least 1, not 0"),
        (["survye"], "unknown verb 'survye'; did you mean 'survey'? Available: survey, syntax"),
        (["attention", "default", "A ship."], "unknown verb 'attention'"),
        (["--quiet", "survey"], "unknown verb '--quiet'"),
    ],
)
def test_mistakes_are_one_line(words: list[str], message: str, tmp_path: Path) -> None:
    done = command(*words, cwd=tmp_path)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"headscope: {message}")
    assert list(tmp_path.iterdir()) == []
