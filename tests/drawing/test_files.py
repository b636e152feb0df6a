"""Files of pictures: whole, repeatable, with their fonts inside."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from headscope.drawing.files import save
from headscope.errors import OptionError
from headscope.questions.pictures import draw
from tests.drawing.texts import ODD
from tests.questions.survey.results import build_survey
from tests.sampling import sampled

pytestmark = pytest.mark.filterwarnings("error")


def _pdf_text(path: Path) -> bytes:
    """The file with its compressed parts laid open."""
    content = path.read_bytes()
    parts = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    opened = [zlib.decompress(part) for part in parts if part[:1] == b"x"]
    return content + b"".join(opened)


def test_three_formats_are_written_whole(tmp_path: Path) -> None:
    paths = save(draw("entropy", build_survey()), tmp_path / "new", "entropy")
    assert [path.name for path in paths] == ["entropy.png", "entropy.svg", "entropy.pdf"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(path.name for path in paths)
    with Image.open(paths[0]) as image:
        assert image.size[0] == 660  # 3.3 inches of 200 dots
    assert ElementTree.parse(paths[1]).getroot().tag.endswith("svg")
    assert paths[2].read_bytes().rstrip().endswith(b"%%EOF")


@pytest.mark.parametrize("name", sampled(["examples", "headmap", "roles", "offsets"], ["roles"]))
def test_the_same_result_gives_the_same_bytes(tmp_path: Path, name: str) -> None:
    shape = {"encoder": [3, 3]}
    first = save(draw(name, build_survey(shape)), tmp_path / "a", name)
    second = save(draw(name, build_survey(shape)), tmp_path / "b", name)
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()


def test_saving_one_figure_again_gives_the_same_bytes(tmp_path: Path) -> None:
    figure = draw("shares", build_survey({"encoder": [3, 3]}))
    first = [path.read_bytes() for path in save(figure, tmp_path, "shares")]
    assert first == [path.read_bytes() for path in save(figure, tmp_path, "shares")]


def test_pdf_embeds_true_type_fonts(tmp_path: Path) -> None:
    (path,) = save(draw("examples", build_survey(tokens=ODD)), tmp_path, "examples", ["pdf"])
    text = _pdf_text(path)
    assert b"FontFile2" in text
    assert b"/Type3" not in text and b"/Subtype /Type3" not in text


def test_unknown_format_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    figure = draw("roles", build_survey({"encoder": [2]}))
    with pytest.raises(OptionError, match=r"unknown picture format 'gif'.*png, svg, pdf"):
        save(figure, tmp_path, "roles", ["png", "gif"])
    assert list(tmp_path.iterdir()) == []
