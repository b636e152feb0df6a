"""Figures of a run: from its folder alone, with a title that says what they show."""

from __future__ import annotations

import zlib
from base64 import b64decode
from pathlib import Path

import pytest

from headscope.errors import RunError
from headscope.results.record import Entry
from headscope.web.report.figures import figure_wire


def entry(*plots: str) -> Entry:
    captions = {"roles": "What each head does"}
    return Entry({"identity": {}}, "", finished=True, plots=list(plots), captions=captions)


def drawn(folder: Path, **files: bytes) -> Path:
    (folder / "plots").mkdir(parents=True)
    for kind, content in files.items():
        (folder / "plots" / f"roles.{kind}").write_bytes(content)
    return folder


def test_both_formats_travel(tmp_path: Path) -> None:
    folder = drawn(tmp_path, svg=b"<svg/>", pdf=b"%PDF-1")
    wire = figure_wire(folder, "survey", "roles", entry("roles.svg", "roles.pdf"))
    assert (wire.name, wire.verb) == ("roles", "survey")
    assert wire.title == "What each head does"
    assert zlib.decompress(b64decode(wire.svg)) == b"<svg/>"
    assert wire.pdf is not None and zlib.decompress(b64decode(wire.pdf)) == b"%PDF-1"


def test_a_figure_without_pdf_has_none(tmp_path: Path) -> None:
    assert figure_wire(drawn(tmp_path, svg=b"<svg/>"), "survey", "roles", entry("roles.svg")).pdf is None


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"plots/roles\.pdf: cannot be read \(No such file"):
        figure_wire(drawn(tmp_path, svg=b"<svg/>"), "survey", "roles", entry("roles.svg", "roles.pdf"))


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = drawn(tmp_path / "run")
    (folder / "plots" / "roles.svg").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(RunError, match=r"roles\.svg: leads out of the run folder"):
        figure_wire(folder, "survey", "roles", entry("roles.svg"))


def test_links_in_a_circle_are_told(tmp_path: Path) -> None:
    folder = drawn(tmp_path)
    (folder / "plots" / "roles.svg").symlink_to(folder / "plots" / "roles.svg")
    with pytest.raises(RunError, match=r"roles\.svg: cannot be read \(Too many levels"):
        figure_wire(folder, "survey", "roles", entry("roles.svg"))


def test_a_figure_without_a_caption_is_called_as_its_file(tmp_path: Path) -> None:
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "my_own.svg").write_bytes(b"<svg/>")
    assert figure_wire(tmp_path, "survey", "my_own", entry("my_own.svg")).title == "my own"
