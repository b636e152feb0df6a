"""Bad input: one clear message on standard error, exit code 2, and nothing written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import FAST, Outcome, command, contents
from tests.cli.test_startup import told_of

SURVEYS = {
    "missing text": ("bert", "missing.txt", (), "missing.txt: no such file or folder"),
    "empty text": ("bert", "empty.txt", (), "empty.txt: empty: no document with a word in it"),
    "a text in place of its file": ("bert", "A ship.", (), "A ship.: no such file or folder; write a text"),
    "empty target": ("t5", "pairs.tsv", ("--target", "de"), "pairs.tsv:3: 'de' is empty; every row needs"),
    "no tokenizer": ("speechless", "good.txt", (), "speechless holds no tokenizer; save it there\n"),
    "binary text": ("bert", "binary.txt", (), "binary.txt:1: a zero byte"),
    "no text column": ("bert", "table.csv", (), "table.csv:1: no column called text or sentence or words"),
    "unknown column": ("bert", "table.csv", ("--column", "c"), "table.csv:1: unknown column 'c'. Available"),
    "column of plain text": ("bert", "good.txt", ("--target", "de"), "this source has no columns"),
    "no such folder": ("./nothing", "good.txt", (), "there is no folder ./nothing"),
    "folder without a model": ("nomodel", "good.txt", (), "nomodel is not a model: it has no config.json"),
    "file as model": ("good.txt", "good.txt", (), "good.txt is a file; a model is a folder"),
    "no attention": ("mamba", "good.txt", (), "MambaModel has no attention: it mixes pieces"),
    "NaN weights": ("broken", "good.txt", (), "1 weights of BertForMaskedLM hold NaN or infinity (cls."),
    "too large a tokenizer": ("narrow", "good.txt", (), "the tokenizer has pieces up to number"),
    "too many pieces": ("bert", "good.txt", ("--pieces", "65"), "65 is above the model's limit of 64"),
    "too few pieces": ("bert", "good.txt", ("--pieces", "3"), "--pieces 3 leaves no room beside 3 special"),
    "unknown layer": ("bert", "good.txt", ("--layers", "1-2"), "no layer 2: the model has layers 0 to 1"),
    "unknown head": ("bert", "good.txt", ("--heads", "9"), "no head 9: the model has heads 0 to 3"),
    "malformed layers": ("bert", "good.txt", ("--layers", "1;2"), "--layers '1;2': write numbers from 0"),
    "backwards": ("bert", "good.txt", ("--layers", "1-0"), "--layers '1-0': 1-0 counts backwards"),
    "unknown device": ("bert", "good.txt", ("--device", "abacus"), "device 'abacus' cannot be used here"),
    "unknown precision": ("bert", "good.txt", ("--dtype", "float7"), "unknown --dtype 'float7'"),
    "masking everything": ("bert", "good.txt", ("--masking", "1"), "--masking must be between 0 and 1, not"),
}  # fmt: skip

MAPS = {
    "empty text": ("bert", "", (), "the text is empty"),
    "blank text": ("bert", " \n ", (), "the text is empty"),
    "too long": ("bert", "word " * 100, (), "the text is longer than the 64 pieces that the model takes"),
    "encoder that should generate": ("bert", "A ship.", ("--generate", "3"), "bert is an encoder"),
    "too much to generate": ("llama", "A ship.", ("--generate", "64"), "the model takes 64 in all"),
    "unknown stack": ("bert", "A ship.", ("--stack", "decoder"), "unknown stack 'decoder'"),
    "unknown layer": ("bert", "A ship.", ("--layers", "2"), "no layer 2: the model has layers 0 to 1"),
    "target of an encoder": ("bert", "A ship.", ("--target", "x"), "bert is no encoder-decoder"),
    "target and more": ("t5", "A ship.", ("--target", "x", "--generate", "2"), "the model writes its own"),
    "text before the model": ("A ship.", "default", (), "comes first: headscope maps default 'A ship.'"),
    "text before a folder": ("A ship.", "bert", (), "MODEL comes first: headscope maps bert 'A ship.'"),
    "maps into a folder": ("bert", "A ship.", ("--save", "nomodel"), "nomodel is a folder; name the file"),
}  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path, models: Path) -> Path:
    """A working folder with good and bad files."""
    (tmp_path / "good.txt").write_text("A ship passed by.\n\nHe wrote its name.\n")
    (tmp_path / "empty.txt").write_text("\n \n")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)))
    (tmp_path / "table.csv").write_text("a,b\nx,y\n")
    (tmp_path / "nomodel").mkdir()
    (tmp_path / "nomodel" / "x").write_text("no model")
    (tmp_path / "pairs.tsv").write_text("text\tde\nA ship.\tEin Schiff.\nHe wrote.\t \n")
    for name in ("bert", "llama", "t5", "mamba", "broken", "narrow"):
        (tmp_path / name).symlink_to(models / name)
    shutil.copytree(models / "bert", tmp_path / "speechless", ignore=shutil.ignore_patterns("*token*"))
    return tmp_path


def refused(done: Outcome, message: str) -> None:
    """One message, no traceback, no advice for Python, nothing on standard output."""
    assert done.code == 2
    assert "Python" not in done.err and "(model" not in done.err
    assert done.out == ""
    assert message in done.err
    assert done.err.startswith("headscope: ") and done.err.count("\n") == 1


@pytest.mark.parametrize("case", SURVEYS)
def test_survey_refuses(case: str, desk: Path) -> None:
    model, text, options, message = SURVEYS[case]
    before = contents(desk)
    refused(command("survey", model, text, "--no-plots", *_sized(options), cwd=desk), message)
    assert contents(desk) == before
    assert not (desk / "runs").exists()


@pytest.mark.parametrize("case", MAPS)
def test_maps_refuses(case: str, desk: Path) -> None:
    model, text, options, message = MAPS[case]
    before = contents(desk)
    refused(command("maps", model, text, *options, cwd=desk), message)
    assert contents(desk) == before


def test_nothing_else_is_printed_by_a_process_of_its_own(desk: Path) -> None:
    """Libraries have their own ways to complain."""
    messages = {
        "nobody/nothing": "there is no folder nobody/nothing here, and no such model in the cache",
        "mamba": "MambaModel has no attention",
    }
    told, errors = told_of([["survey", model, "good.txt"] for model in messages], [], desk)
    assert [code for _, code, _ in told] == [2, 2]
    for said, message in zip(errors.splitlines(), messages.values(), strict=True):
        assert said.startswith("headscope: ") and message in said
    assert not (desk / "runs").exists()


def test_compare_refuses(run_of: Callable[[str], Path], models: Path, text: Path, tmp_path: Path) -> None:
    good, decoder = run_of("bert"), run_of("llama")
    subset = tmp_path / "subset"
    assert command("survey", models / "bert", text, *FAST, "--layers", "1", "--out", subset, "-q").code == 0
    (tmp_path / "plain").mkdir()
    before = contents(tmp_path)
    cases = [
        ((good,), "compare needs at least two runs"),
        ((good, tmp_path / "nowhere"), "there is no such run folder"),
        ((good, tmp_path / "plain"), "plain is not a run folder: it has no run.json"),
        ((good, subset), "do not have the same heads (8 of the encoder, and 4 of the encoder)"),
        ((good, decoder), "do not have the same heads (8 of the encoder, and 8 of the decoder)"),
        ((good, good, "--measure", "entropi"), "unknown measure 'entropi'; did you mean 'entropy'?"),
        ((decoder, decoder, "--measure", "offset:1"), "says nothing about the heads of"),
    ]
    for arguments, message in cases:
        refused(command("compare", *arguments, cwd=tmp_path), message)
    assert contents(tmp_path) == before
    assert not list(tmp_path.glob("runs/*"))


def _sized(options: tuple[str, ...]) -> tuple[str, ...]:
    return options if "--pieces" in options else (*options, "--pieces", "32")
