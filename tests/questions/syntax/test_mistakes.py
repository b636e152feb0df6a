"""syntax with bad treebanks and options: one message that names file and line, and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import command, contents
from tests.cli.test_mistakes import refused
from tests.text.treebanks import tree
from tests.trees import conllu, treebank

GOOD = conllu(treebank(3))
LINES = GOOD.splitlines()
ROOT = next(number for number, line in enumerate(LINES) if "\troot\t" in line)


def changed(line: int, column: int, value: str) -> str:
    """The good treebank with one field replaced."""
    fields = LINES[line].split("\t")
    fields[column] = value
    return "\n".join([*LINES[:line], "\t".join(fields), *LINES[line + 1 :]]) + "\n"


# Name, content, and the message; lines are counted from 1, and line 1 is a comment.
TREEBANKS = {
    "cut in a line": (GOOD[: GOOD.index("\t", len(GOOD) // 2)], "a.conllu:{last}: "),
    "too many columns": (GOOD.replace("\t_\n", "\t_\t_\n", 1), "a.conllu:2: 11 columns, but CoNLL-U has 10"),
    "spaces for tabs": (GOOD.replace("\t", " "), "a.conllu:2: 1 columns, but CoNLL-U has 10"),
    "head out of range": (changed(1, 6, "99"), "a.conllu:2: head 99 of word 1 is outside its sentence"),
    "head that is no number": (changed(1, 6, "x"), "a.conllu:2: a head is expected, a whole number, not 'x'"),
    "no root": (changed(ROOT, 6, "1"), "no word of this sentence is the root"),
    "two roots": (changed(1, 6, "0"), "is a second root"),
    "own head": (changed(1, 6, "1"), "a.conllu:2: word 1 is its own head"),
    "cycle": (tree(0, 3, 2), "a.conllu:2: word 2 depends on itself"),
    "wrong order": (changed(1, 0, "7"), "a.conllu:2: number '7' is out of order"),
    "twice the same document": (GOOD + GOOD, "id 'd0' was already used in line 1"),
    "empty": ("", "a.conllu: empty: no document with a word in it"),
    "comments alone": ("# newdoc id = d\n\n", "a.conllu: empty: no document with a word in it"),
    "roots alone": ("".join(tree(0) * 3).replace("\t0\t_", "\t0\troot"), "has no relation to score"),
    "a relation called all": (GOOD.replace("\tnsubj\t", "\tall\t"), "the treebank is called 'all'"),
}  # fmt: skip

OPTIONS = {
    "unknown layer": (("--layers", "2"), "no layer 2: the model has layers 0 to 1"),
    "unknown head": (("--heads", "4"), "no head 4: the model has heads 0 to 3"),
    "too many pieces": (("--pieces", "65"), "--pieces 65 is above the model's limit of 64"),
    "too few pieces": (("--pieces", "2"), "--pieces 2 leaves no room beside 2 special tokens"),
    "no sentence fits": (("--pieces", "3"), "the text gives no segment: "),
    "negative seed": (("--seed", "-1"), "--seed must be at least 0 and below 4,294,967,296, not -1"),
    "endless seed": (
        ("--seed", str(2**70)),
        "--seed must be at least 0 and below 4,294,967,296, not 11",
    ),
    "no reach": (("--reach", "0"), "--reach must be at least 1, not 0"),
    "negative twins": (("--twins", "-1"), "--twins must be at least 0, not -1"),
    "unknown parser": (
        ("--parse", "--parser", "xx_nothing"),
        "the spaCy pipeline 'xx_nothing' cannot be loaded",
    ),
}


@pytest.fixture
def desk(tmp_path: Path, models: Path) -> Path:
    (tmp_path / "bert").symlink_to(models / "bert")
    (tmp_path / "good.conllu").write_text(GOOD)
    return tmp_path


@pytest.mark.parametrize("case", TREEBANKS)
def test_bad_treebanks(case: str, desk: Path) -> None:
    content, message = TREEBANKS[case]
    (desk / "a.conllu").write_text(content)
    before = contents(desk)
    last = len(content.splitlines())
    refused(command("syntax", "bert", "a.conllu", "--no-plots", cwd=desk), message.format(last=last))
    assert contents(desk) == before and not list(desk.glob("runs/*"))


@pytest.mark.parametrize("case", OPTIONS)
def test_bad_options(case: str, desk: Path) -> None:
    options, message = OPTIONS[case]
    before = contents(desk)
    arguments = ("--least", "1", "--twins", "0", *options)
    refused(command("syntax", "bert", "good.conllu", "--no-plots", *arguments, cwd=desk), message)
    assert contents(desk) == before and not list(desk.glob("runs/*"))


def test_a_sentence_too_long_is_named_as_the_reason(desk: Path) -> None:
    done = command("syntax", "bert", "good.conllu", "--no-plots", "--pieces", "4", cwd=desk)
    refused(done, "words are skipped, in a sentence of more than 4 pieces")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_wrong_encodings(encoding: str, desk: Path) -> None:
    content = "".join(f"{line}\n" for line in LINES).replace("\tthe\t", "\tthé\t").replace("\ta\t", "\tá\t")
    (desk / "a.conllu").write_bytes(content.encode(encoding))
    done = command("syntax", "bert", "a.conllu", "--no-plots", cwd=desk)
    refused(done, "is not UTF-8" if encoding == "latin-1" else "text in UTF-8 is expected")
    assert "a.conllu:" in done.err and not (desk / "runs").exists()


def test_text_without_trees_is_told_of_parsing(desk: Path) -> None:
    (desk / "a.txt").write_text("A ship passed by.\n\nHe wrote its name.\n")
    done = command("syntax", "bert", "a.txt", "--no-plots", cwd=desk)
    refused(done, "document 'a.txt:1' has no trees; give a treebank (.conllu, .dep), or add --parse")
    assert not (desk / "runs").exists()


def test_a_mistake_at_the_end_is_found_before_any_work(desk: Path) -> None:
    (desk / "a.conllu").write_text(GOOD + "1\tw\t_\n")
    done = command("syntax", desk / "no-such-model", "a.conllu", cwd=desk)
    refused(done, f"a.conllu:{len(LINES) + 1}: 3 columns, but CoNLL-U has 10")
