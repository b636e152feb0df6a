"""Tables of the report: sorted, filtered and saved as CSV."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

import headscope
from headscope.questions import VERBS
from tests.browser.chromium import Visitor


@pytest.fixture
def heads(survey_run: Path) -> pd.DataFrame:
    """The table of heads as the library gives it."""
    return headscope.open(survey_run).table("heads")


@pytest.fixture
def page(visitor: Visitor, report_file: Path) -> Page:
    """The report with the table of heads chosen."""
    opened = visitor.open(report_file)
    choose(opened, "heads")
    return opened


def choose(page: Page, table: str) -> None:
    picker = page.get_by_test_id("table-select")
    names, title = picker.locator("option").all_inner_texts(), VERBS["survey"].tables[table].title
    picker.select_option(next(name for name in names if name.startswith(f"{title} (")))


def column(page: Page, place: int) -> list[str]:
    """What stands in a column of the shown rows."""
    return page.locator(f"[data-testid^=row-] td:nth-child({place + 1})").all_inner_texts()


def saved(page: Page, folder: Path) -> pd.DataFrame:
    with page.expect_download() as waiting:
        page.get_by_test_id("table-csv").click()
    assert waiting.value.suggested_filename == "heads.csv"
    waiting.value.save_as(folder / "heads.csv")
    return pd.read_csv(folder / "heads.csv")


def test_sorting_goes_up_down_and_back(page: Page, heads: pd.DataFrame) -> None:
    place = list(heads).index("head")
    expect(page.get_by_test_id("row-0")).to_be_visible()
    assert column(page, place) == list(heads["head"])
    header = page.get_by_test_id("th-entropy")
    rising = list(heads.sort_values("entropy", kind="stable")["head"])
    header.click()
    first = column(page, place)
    header.click()
    assert [first[0], column(page, place)[0]] in ([rising[0], rising[-1]], [rising[-1], rising[0]])
    expect(page.locator("th[aria-sort$=ending]")).to_have_count(1)
    header.click()
    assert column(page, place) == list(heads["head"])


def test_csv_of_a_filter_is_what_pandas_filters(page: Page, heads: pd.DataFrame, tmp_path: Path) -> None:
    limit = round(float(heads["entropy"].median()), 3)
    role = heads["role"].mode()[0]
    page.get_by_test_id("table-filter").fill(f'entropy > {limit}, role = "{role}"')
    expected = heads[(heads["entropy"] > limit) & (heads["role"] == role)].reset_index(drop=True)
    assert 0 < len(expected) < len(heads)
    expect(page.get_by_test_id("table-count")).to_contain_text(f"{len(expected)} of {len(heads)} rows")
    # The page is given six digits.
    pd.testing.assert_frame_equal(saved(page, tmp_path), expected, check_dtype=False, rtol=1e-5)


def test_text_is_found_in_any_column(page: Page, heads: pd.DataFrame) -> None:
    page.get_by_test_id("table-filter").fill("L4H1")
    place = list(heads).index("head")
    expect(page.get_by_test_id("table-count")).to_contain_text(f"3 of {len(heads)} rows")
    assert column(page, place) == ["L4H1", "L4H10", "L4H11"]


def test_head_in_a_table_leads_to_its_card(page: Page) -> None:
    page.get_by_test_id("table-filter").fill("L4H10")
    page.get_by_test_id("row-0").get_by_role("link", name="L4H10").click()
    expect(page.get_by_test_id("card-title")).to_have_text("L4H10")
