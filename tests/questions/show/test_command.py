"""show: one picture from the shell, in four formats, or a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from PIL import Image

import headscope
from headscope.heads import Head
from headscope.questions.groups import Special
from headscope.questions.maps.looking import look
from headscope.results.look import SPECIAL
from tests.cli.conftest import command
from tests.cli.test_startup import HEAVY, told_of

SENTENCE = "The old lighthouse keeper couldn't sleep."


@pytest.mark.parametrize("view", ["lines", "matrix"])
def test_pictures_are_written_in_the_format_of_the_name(view: str, models: Path, tmp_path: Path) -> None:
    for suffix, start in ((".pdf", b"%PDF"), (".svg", b"<?xml"), (".PNG", b"\x89PNG")):
        path = tmp_path / "new" / f"{view}{suffix}"
        done = command("show", models / "bert", SENTENCE, "--head", "L1H2", "--view", view, "--save", path)
        assert (done.code, done.err, done.out.splitlines()[-1]) == (0, "", f"saved   {path}")
        assert "--save FILE" not in done.out
        assert path.read_bytes().startswith(start)
    with Image.open(tmp_path / "new" / f"{view}.PNG") as image:
        assert image.size[0] == 660
    assert len(list((tmp_path / "new").iterdir())) == 3


def test_two_pictures_of_the_same_are_the_same(models: Path, tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        command("show", models / "bert", SENTENCE, "--head", "L1H2", "--save", tmp_path / name)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def page_of(path: Path) -> dict:
    """The data that a page holds."""
    text = path.read_text()
    start = text.index(">", text.index('id="page"')) + 1
    return json.loads(text[start : text.index("</script>", start)])


def test_a_page_holds_the_layers_of_the_heads(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    text = "The <script>alert(1)</script> ship."
    done = command(
        "show", models / "bert", text, "--head", "L1H2", "--head", "L0H1", "--head", "L1H3", "--save", path,
        "--special", "hidden", "--scale", "log", "--view", "matrix", "--pieces",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    assert "<script>alert" not in path.read_text()
    page = page_of(path)
    view = page["view"]
    assert page["title"] == text
    assert (view["stack"], view["layer"], view["heads"]) == ("encoder", 1, [2, 3])
    assert (view["special"], view["scale"], view["drawing"], view["words"]) == (
        "hidden",
        "log",
        "matrix",
        False,
    )
    (part,) = view["look"]["parts"]
    assert [layer["layer"] for layer in part["layers"]] == [0, 1]
    assert all(layer["heads"] == [0, 1, 2, 3] and layer["data"] for layer in part["layers"])


def test_what_mattered_is_drawn_and_told(models: Path, tmp_path: Path) -> None:
    text = "The [MASK] <script>alert(1)</script> ship."
    page, picture = tmp_path / "page.html", tmp_path / "picture.pdf"
    asked = ("show", models / "bert", text, "--head", "L1H2", "--by", "rollout,occlusion")
    done = command(*asked, "--save", page)
    assert (done.code, done.err) == (0, "") and "part of each word in %" in done.out
    assert "<script>alert" not in page.read_text()
    explanation = page_of(page)["view"]["explanation"]
    assert [way["name"] for way in explanation["ways"]] == ["rollout", "occlusion"]
    assert explanation["axes"][0]["names"][1:3] == ["The", "[MASK]"]
    assert command(*asked, "--view", "words", "--save", picture).code == 0
    assert picture.read_bytes().startswith(b"%PDF")


def test_without_a_file_links_are_printed(models: Path) -> None:
    done = command("show", models / "bert", SENTENCE, "--head", "L1H2", "--special", "renormalised")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    one = look(str(models / "bert"), SENTENCE).map(Head("encoder", 1, 2), True, "renormalised")
    assert lines[0].startswith("• In this text, the strongest link of head L1H2 is from")
    title = lines.index("Strongest link of each word")
    for line, word, row, left in zip(lines[title + 2 :], one.query, one.weights, one.left, strict=False):
        head, from_, to, weight, told = line.split()
        assert float(told) == pytest.approx(100 * left, abs=0.06)
        assert (head, from_, to) == ("L1H2", word, one.key[int(row.argmax())])
        assert float(weight) == pytest.approx(100 * row.max(), abs=0.06)
    assert lines[-1] == "next    draw it: --save FILE.pdf, .svg, .png or .html"
    assert "robability" not in done.out, "the output is told where heads are off"


def test_a_text_that_is_also_the_name_of_a_file_is_told(models: Path, tmp_path: Path) -> None:
    (tmp_path / "ship.txt").write_text("A ship.")
    note = "“ship.txt” is taken for the text itself; there is a file of this name, which is not read"
    for verb, options in (("show", ("--head", "L1H2")), ("maps", ())):
        done = command(verb, models / "bert", "ship.txt", *options, cwd=tmp_path)
        assert done.code == 0 and note in " ".join(done.out.split())
        assert "is not read" not in command(verb, models / "bert", "A ship.", *options, cwd=tmp_path).out
        assert "is not read" not in command(verb, models / "bert", "a/" * 20, *options, cwd=tmp_path).out


def test_heads_off_are_told_with_what_they_change(models: Path) -> None:
    arguments = (
        "show",
        models / "bert",
        "The [MASK] ship.",
        "--head",
        "L1H2",
        "--off",
        "L0H1",
        "--off",
        "L0H2",
    )
    done = command(*arguments)
    assert "Likeliest fillings of the first [MASK]" in done.out
    assert done.out.count("after") == 1
    told = json.loads(command(*arguments, "--json").out)
    off = [Head("encoder", 0, 1), Head("encoder", 0, 2)]
    output = look(str(models / "bert"), "The [MASK] ship.", off=off).output
    assert output is not None
    rows = [{"label": row.label, "before": row.before, "after": row.after} for row in output.rows]
    assert told["output"] == [{"place": place, **row} for place, row in enumerate(rows)]
    about = told["arrays"]["maps"]
    assert (about["measured"], about["measured_in"]) == (output.title, "probability")
    assert "saved" not in told


def test_source_target_and_continuation(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "cross.svg"
    done = command(
        "show", models / "t5", SENTENCE, "--target", "He wrote.", "--head", "cross:L0H1", "--save", path
    )
    assert (done.code, done.err) == (0, "") and path.exists()
    done = command("show", models / "llama", SENTENCE, "--generate", "3", "--head", "L0H1", "--json")
    links = json.loads(done.out)["links"]
    assert len(links) >= len(headscope.maps(str(models / "llama"), SENTENCE, words=True)["query"])


def test_a_pair_has_both_texts(models: Path) -> None:
    done = command(
        "show", models / "bert", "The ship.", "--second", "He wrote.", "--head", "L0H1", "--pieces", "--json"
    )
    links = json.loads(done.out)["links"]
    assert {"[SEP] (1)", "[SEP] (2)"} <= {link["from"] for link in links}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--head", "L9H9"], "the model has no head L9H9 in its encoder; it has layers 0 to 1"),
        (["--head", "decoder:L0H0"], "the model has no head L0H0 in its decoder; it has encoder"),
        (["--head", "L0H0", "--off", "L7H0"], "the model has no head L7H0"),
        (["--head", "L0H0", "--target", "x"], "no target can be given"),
        (["--head", "L0H0", "--second", " "], "the second text is empty"),
        (["--head", "L0H0", "--generate", "3"], "is an encoder; it does not generate"),
    ],
)
def test_mistakes_about_the_model(arguments: list[str], message: str, models: Path) -> None:
    done = command("show", models / "bert", SENTENCE, *arguments)
    assert done.code == 2 and message in done.err and "Traceback" not in done.err


def test_words_steer_no_terminal_and_are_cut(models: Path) -> None:
    text = f"x \x1b[31mred\x07 \u202etold\u202c {'w' * 10_000}"
    done = command("show", models / "t5", text, "--head", "L0H0")
    assert done.code == 0 and done.out.count("w") < 1000
    pieces = command("show", models / "llama", text[:12], "--head", "L0H0", "--pieces")
    assert pieces.code == 0 and r"\x1b" in pieces.out
    assert not {"\x1b", "\x07", "\u202e"} & set(done.out + pieces.out)


def test_a_text_that_is_too_long_to_draw_is_refused_with_a_hint(models: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    done = command("show", models / "t5", "ship " * 70, "--head", "L0H0", "--save", path)
    assert done.code == 2 and "or save as .html" in done.err
    assert list(tmp_path.iterdir()) == []


def test_wrong_arguments_are_told_before_torch_is_imported(tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    cases = [
        ["show", "default", " ", "--head", "L0H0"],
        ["show", "default", "a"],
        ["show", "default", "a", "--head", "3-7"],
        ["show", "default", "a", "--head", "L0H0", "--off", "all"],
        ["show", "default", "a", "--head", "L0H0", "--save", "x.gif"],
        ["show", "default", "a", "--head", "L0H0", "--save", "folder.pdf"],
        ["show", "default", "a", "--head", "L0H0", "--view", "cube"],
        ["show", "default", "a", "--head", "L0H0", "--special", "gone"],
    ]
    told, errors = told_of(cases, HEAVY, tmp_path)
    assert told == [[words, 2, []] for words in cases]
    assert "--save x.gif: the name must end with .png or .svg or .pdf or .html" in errors
    assert "'3-7' is not a head; write L3H7" in errors
    assert "folder.pdf is a folder; name the file to write" in errors


def test_the_ways_to_treat_special_tokens_are_those_of_looks() -> None:
    assert get_args(Special) == tuple(SPECIAL)
