"""Files of pictures: whole, repeatable, with their fonts inside."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from headscope import plots
from headscope.errors import OptionError

ODD = ["$x_1$", "<script>", "中文", "שלום", "🙂", "x" * 200, "\n", "_a_", "a\x00b", "\u202e", "&amp;", "$"]

pytestmark = pytest.mark.filterwarnings("error")


def _pdf_text(path: Path) -> bytes:
    """The file with its compressed parts laid open."""
    content = path.read_bytes()
    parts = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    opened = [zlib.decompress(part) for part in parts if part[:1] == b"x"]
    return content + b"".join(opened)


def test_three_formats_are_written_whole(survey, tmp_path: Path) -> None:
    paths = plots.save(plots.draw("entropy", survey()), tmp_path / "new", "entropy")
    assert [path.name for path in paths] == ["entropy.png", "entropy.svg", "entropy.pdf"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(path.name for path in paths)
    with Image.open(paths[0]) as image:
        assert image.size[0] == 660  # 3.3 inches of 200 dots
    assert ElementTree.parse(paths[1]).getroot().tag.endswith("svg")
    assert paths[2].read_bytes().rstrip().endswith(b"%%EOF")


@pytest.mark.parametrize("name", ["examples", "headmap", "roles", "offsets"])
def test_the_same_result_gives_the_same_bytes(survey, tmp_path: Path, name: str) -> None:
    shape = {"encoder": [3, 3]}
    first = plots.save(plots.draw(name, survey(shape)), tmp_path / "a", name)
    second = plots.save(plots.draw(name, survey(shape)), tmp_path / "b", name)
    third = plots.save(plots.draw(name, survey(shape)), tmp_path / "b", name)
    for one, two, three in zip(first, second, third, strict=True):
        assert one.read_bytes() == two.read_bytes() == three.read_bytes()


def test_saving_one_figure_again_gives_the_same_bytes(survey, tmp_path: Path) -> None:
    figure = plots.draw("shares", survey({"encoder": [3, 3]}))
    first = [path.read_bytes() for path in plots.save(figure, tmp_path, "shares")]
    assert first == [path.read_bytes() for path in plots.save(figure, tmp_path, "shares")]


def test_pdf_embeds_true_type_fonts(survey, tmp_path: Path) -> None:
    (path,) = plots.save(plots.draw("examples", survey(tokens=ODD)), tmp_path, "examples", ["pdf"])
    text = _pdf_text(path)
    assert b"FontFile2" in text
    assert b"/Type3" not in text and b"/Subtype /Type3" not in text


def test_odd_tokens_are_shown_as_text(survey, tmp_path: Path) -> None:
    figure = plots.draw("examples", survey(tokens=ODD))
    plots.save(figure, tmp_path, "examples")
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    shown = [text.get_text() for text in texts]
    assert all(not text.get_parse_math() for text in texts)
    assert shown.count("$x_1$") == shown.count("<script>") == 2
    assert shown.count("x" * 9 + "…") == 2
    assert "aU+0000b" in shown and "U+202E" in shown
    svg = (tmp_path / "examples.svg").read_text()
    assert "<script" not in svg
    ElementTree.fromstring(svg)


def test_odd_names_are_shown_as_text_everywhere(survey, compare, tmp_path: Path) -> None:
    result = survey({"encoder": [2, 2]}, special=["$a_1$", "_b_", "中"])
    heads = result.arrays["heads"]
    heads["role"] = ("head", ["$r$", "_hidden", "中文", "broad"])
    for name in ("shares", "gradients", "headmap", "roles"):
        figure = plots.draw(name, result)
        plots.save(figure, tmp_path, name)
        legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
        labels = [text for legend in legends for text in legend.get_texts()]
        assert len([text for text in labels if text.get_text().startswith("_")]) >= 1
        assert not any(text.get_parse_math() for text in labels)
    runs = compare(heads=3, measures=1, pairs=1, runs=2)
    curves = runs.arrays["curves"].assign_coords(run=["$s_1$", "🙂"], measure=["$m_2$"])
    runs.arrays["curves"] = curves
    figure = plots.draw("curves", runs)
    plots.save(figure, tmp_path, "curves")
    ticks = figure.axes[0].get_xticklabels()
    assert ticks[0].get_text() == "$s_1$" and not ticks[0].get_parse_math()


def test_unknown_format_is_refused_before_anything_is_written(survey, tmp_path: Path) -> None:
    figure = plots.draw("roles", survey({"encoder": [2]}))
    with pytest.raises(OptionError, match=r"unknown picture format 'gif'.*png, svg, pdf"):
        plots.save(figure, tmp_path, "roles", ["png", "gif"])
    assert list(tmp_path.iterdir()) == []
