"""Drawings and figures saved as PNG, SVG and PDF."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.chromium import Visitor
from tests.sampling import sampled


@pytest.fixture
def page(visitor: Visitor, report_file: Path) -> Page:
    """The report in dark colours, which must not reach the files."""
    return visitor.open(report_file, dark=True)


def save(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.get_by_test_id(button).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


@pytest.mark.parametrize("drawing", sampled(["grid", "map"], ["grid"]))
def test_svg_is_a_drawing_of_all_heads(page: Page, drawing: str, tmp_path: Path) -> None:
    path = save(page, f"save-{drawing}-svg", tmp_path)
    assert path.name == f"{drawing}.svg"
    root = ElementTree.fromstring(path.read_bytes())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    titles = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    named = {title.partition(":")[0] for title in titles}
    assert {f"L{layer}H{head}" for layer in range(6) for head in range(12)} <= named
    assert "#14171b" not in path.read_text("utf-8")


@pytest.mark.parametrize("drawing", sampled(["grid", "map"], ["map"]))
def test_pdf_has_one_page_with_text(page: Page, drawing: str, tmp_path: Path) -> None:
    path = save(page, f"save-{drawing}-pdf", tmp_path)
    content = path.read_bytes()
    assert content.startswith(b"%PDF-1.4\n") and content.endswith(b"%%EOF\n")
    start = int(content.split()[-2])
    assert content[start : start + 5] == b"xref\n"
    if shutil.which("pdftotext"):
        told = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
        assert told.stderr == ""
        assert "head" in told.stdout if drawing == "grid" else told.stdout


def test_png_is_three_times_the_drawing(page: Page, tmp_path: Path) -> None:
    svg = ElementTree.fromstring(save(page, "save-grid-svg", tmp_path).read_bytes())
    with Image.open(save(page, "save-grid-png", tmp_path)) as image:
        expected = (3 * float(svg.attrib["width"]), 3 * float(svg.attrib["height"]))
        assert image.size == pytest.approx(expected, abs=1)
        # Paper, and the colours of cells.
        assert image.getpixel((1, 1))[:3] == (255, 255, 255)
        assert len(image.convert("RGB").getcolors(1 << 20) or []) > 20


def test_figures_are_the_files_of_the_run(page: Page, survey_run: Path, tmp_path: Path) -> None:
    figure = page.get_by_test_id("figure-roles")
    figure.scroll_into_view_if_needed()
    expect(figure.locator("img")).to_have_js_property("complete", True)
    for suffix in ("svg", "pdf"):
        saved = save(page, f"figure-roles-{suffix}", tmp_path)
        assert saved.read_bytes() == (survey_run / "plots" / saved.name).read_bytes()
    with Image.open(save(page, "figure-roles-png", tmp_path)) as image:
        assert image.width > 900


def test_figures_are_dark_where_the_page_is(page: Page) -> None:
    figure = page.get_by_test_id("figure-roles").locator("img")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_js_property("complete", True)
    for theme, paper in (("dark", 20), ("light", 255)):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        with Image.open(io.BytesIO(figure.screenshot())) as shown:
            grey = shown.convert("L")
            assert abs(grey.getpixel((2, 2)) - paper) < 8
            # What is written on it stands out.
            darkest, lightest = grey.getextrema()
            assert lightest - darkest > 180
