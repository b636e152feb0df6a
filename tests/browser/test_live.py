"""The live page in Chromium, its numbers beside the library's."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import headscope
from headscope.heads import Head
from headscope.questions.maps.live import Models
from headscope.results.look import SPECIAL, Output
from headscope.results.rows import is_scant
from tests.browser.chromium import Visitor, reach
from tests.browser.live_page import (
    ask,
    choose_head,
    eventually,
    expect_tokens,
    expect_values,
    is_blank,
    numbers,
    wait,
)
from tests.web.live.serving import serving

TEXT = "The unflappable sailor sold her boat, but kept its compass."


@pytest.fixture
def page(visitor: Visitor, live: str) -> Page:
    """The live page with its sample sentence."""
    opened = visitor.open(live)
    expect(opened.get_by_test_id("lines")).to_be_visible()
    wait(opened)
    return opened


def test_sample_sentence_is_there_at_once(page: Page) -> None:
    expect(page.get_by_test_id("token-query-2")).to_have_text("lighthouse")
    assert not is_blank(page.get_by_test_id("lines"))


def test_a_percentage_stands_beside_its_word(page: Page) -> None:
    page.get_by_test_id("token-query-3").hover()
    token = page.get_by_test_id("token-key-5")
    word, value = (token.locator(part).bounding_box() for part in ("bdi", "[data-testid^=value-]"))
    assert word is not None and value is not None
    assert 0 <= value["x"] - (word["x"] + word["width"]) < 20


def test_all_heads_of_a_typed_sentence_are_shown(page: Page) -> None:
    ask(page, TEXT)
    expect(page.get_by_test_id("token-key-2")).to_have_text("unflappable")
    page.get_by_test_id("view-all").click()
    expect(page.locator("[data-testid^=head-L] canvas")).to_have_count(72)
    for head in ("L0H0", "L2H8", "L5H11"):
        assert not is_blank(page.get_by_test_id(f"head-{head}").locator("canvas"))
    page.get_by_test_id("head-L2H8").click()
    expect(page.get_by_test_id("told").locator("strong")).to_have_text("L2H8")


@pytest.mark.parametrize("words", [True, False], ids=["words", "pieces"])
def test_values_are_the_library_s(page: Page, models: Models, words: bool) -> None:
    head = Head("encoder", 3, 7)
    ask(page, TEXT)
    choose_head(page, head.layer, head.index)
    page.get_by_test_id("tokens").select_option("words" if words else "pieces")
    look = models.look("default", TEXT)
    for special in SPECIAL:
        page.get_by_test_id("special").select_option(special)
        expected = look.map(head, words, special)
        if special == "renormalised":
            assert expected.weights.sum(1) == pytest.approx(1)
        expect_tokens(page, "query", expected.query)
        for query in (1, 4):
            expect_values(page, query, expected.weights[query])


def test_rows_of_which_little_is_left_say_so(page: Page, models: Models) -> None:
    look = models.look("default", TEXT)
    maps = {head: look.map(head, True, "renormalised") for head in headscope.load("default").heads()}
    # A weight is a byte on the page, so that a share near the limit may lie on its other side.
    clear = {head: one for head, one in maps.items() if not ((one.left > 0.04) & (one.left < 0.06)).any()}
    rows = {head: is_scant(one.left) for head, one in clear.items()}
    head = max(rows, key=lambda head: rows[head].sum() * ~rows[head].all())
    scant = rows[head]
    assert 0 < scant.sum() < len(scant)
    ask(page, TEXT)
    choose_head(page, head.layer, head.index)
    expect(page.get_by_test_id("scant")).to_have_count(0)
    page.get_by_test_id("special").select_option("renormalised")
    told = f"Grey: {scant.sum()} of {len(scant)} rows, of which under 5 % is left."
    expect(page.get_by_test_id("scant")).to_have_text(told)
    for query, is_grey in enumerate(scant):
        said = page.get_by_test_id(f"token-query-{query}").get_by_text("% left")
        expect(said).to_have_count(int(is_grey))
    page.get_by_test_id("view-matrix").click()
    expect(page.get_by_test_id("scant")).to_have_text(told)


def test_the_first_token_is_hidden_where_none_is_special(page: Page, models: Models) -> None:
    expect(page.get_by_test_id("first-token")).to_have_count(0)
    with page.expect_response("**/api/look"):
        page.get_by_test_id("model-0").select_option("llama")
    ask(page, TEXT)
    look = models.look("llama", TEXT)
    page.get_by_test_id("special").select_option("renormalised")
    expect(page.get_by_test_id("told")).to_contain_text("no special tokens here, so nothing is hidden")
    expect_tokens(page, "key", look.map("L0H0").key)
    page.get_by_test_id("first-token").check()
    expect(page.get_by_test_id("told")).to_contain_text("Hidden: the first token; rows rescaled to 100 %.")
    expected = look.map("L0H0", True, "renormalised", first_token=True)
    expect_tokens(page, "key", expected.key)
    expect_values(page, 3, expected.weights[3])


def test_matrix_tells_the_weight_under_its_cursor(page: Page, models: Models) -> None:
    ask(page, TEXT)
    choose_head(page, 1, 4)
    page.get_by_test_id("view-matrix").click()
    assert not is_blank(page.get_by_test_id("matrix"))
    page.get_by_role("application").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    readout = page.get_by_test_id("readout")
    expect(readout).to_contain_text("→")
    expected = models.look("default", TEXT).map(Head("encoder", 1, 4))
    query, rest = readout.inner_text().split("→")
    row = expected.query.index(query.strip())
    (column,) = [place for place, name in enumerate(expected.key) if rest.strip().startswith(f"{name} ")]
    assert numbers(rest)[-1] == pytest.approx(100 * expected.weights[row, column], abs=0.5)


def test_heads_off_change_the_output_as_the_library_says(page: Page, models: Models) -> None:
    ask(page, TEXT)
    choose_head(page, 2, 8)
    with page.expect_response("**/api/look"):
        page.get_by_test_id("off-picked").click()
    wait(page)
    off = [Head("encoder", 2, 8)]
    expected = models.look("default", TEXT, off=off)
    check_output(page, expected.output)
    # The maps are those of the model without that head.
    choose_head(page, 4, 3)
    expect_values(page, 2, expected.map(Head("encoder", 4, 3)).weights[2])
    with page.expect_response("**/api/look"):
        page.get_by_test_id("all-on").click()
    expect(page.get_by_test_id("off-list")).to_have_count(0)


def check_output(page: Page, output: Output | None) -> None:
    """The rows shown are the largest changes, largest first, with the numbers of an output."""
    assert output is not None
    rows = sorted(output.rows, key=lambda row: -abs(row.after - row.before))
    scale, digits = (100, 0.05) if output.unit == "probability" else (1, 0.0005)
    expect(page.get_by_test_id("output-row-0")).to_contain_text("→")
    for place, row in enumerate(rows[:5]):
        shown = page.get_by_test_id(f"output-row-{place}")
        before, after, change = numbers(shown.locator(".numbers").inner_text())
        expected = [scale * value for value in (row.before, row.after, abs(row.after - row.before))]
        assert [before, after, change] == pytest.approx(expected, abs=1.01 * digits)


def test_decoder_continues_and_loses_a_head(page: Page, models: Models) -> None:
    with page.expect_response("**/api/look"):
        page.get_by_test_id("model-0").select_option("llama")
    wait(page)
    page.get_by_test_id("generate").fill("3")
    ask(page, TEXT)
    plain = models.look("llama", TEXT, generate=3)
    expect_tokens(page, "query", plain.stacks[0].query.names)
    for place, row in enumerate(plain.output.rows):
        shown = page.get_by_test_id(f"output-row-{place}")
        assert numbers(shown.locator(".numbers").inner_text()) == pytest.approx([100 * row.before], abs=0.06)
    page.get_by_test_id("view-all").click()
    page.get_by_test_id("click-switch").click()
    with page.expect_response("**/api/look"):
        page.get_by_test_id("head-L1H2").click()
    wait(page)
    check_output(page, models.look("llama", TEXT, generate=3, off=[Head("decoder", 1, 2)]).output)


def test_source_and_target_have_a_stack_between_them(page: Page, models: Models) -> None:
    with page.expect_response("**/api/look"):
        page.get_by_test_id("model-0").select_option("t5")
    wait(page)
    page.get_by_test_id("target").fill("A small boat")
    ask(page, TEXT)
    page.get_by_test_id("stack").select_option("cross")
    expect(page.get_by_test_id("told").locator("strong")).to_have_text("cross:L0H0")
    cross = models.look("t5", TEXT, target="A small boat").stack("cross")
    assert cross.query.names != cross.key.names
    expect_tokens(page, "query", cross.query.names)
    expect_tokens(page, "key", cross.key.names)


def test_pair_of_texts_can_be_parted(page: Page, models: Models) -> None:
    page.get_by_test_id("two").check()
    page.get_by_test_id("second").fill("She rows now.")
    ask(page, TEXT)
    expected = models.look("default", TEXT, second="She rows now.").map(Head("encoder", 0, 0))
    expect_tokens(page, "key", expected.key)
    expect_values(page, 3, expected.weights[3])
    lines = page.get_by_test_id("lines")
    everything = lines.evaluate("canvas => canvas.toDataURL()")
    page.get_by_test_id("pair-AB").click()

    def check() -> None:
        assert lines.evaluate("canvas => canvas.toDataURL()") != everything

    eventually(check)
    assert not is_blank(lines)
    # The numbers are those of the lines: from a word of the first text to those of the second alone.
    page.get_by_test_id("token-query-3").hover()
    shown = page.locator("[data-testid^=token-key-] [data-testid^=value-]")
    second = expected.key.index("She")
    expect(shown).to_have_count(len(expected.key) - second)
    found = [numbers(text)[0] for text in shown.all_inner_texts()]
    assert found == pytest.approx(100 * expected.weights[3, second:], abs=0.5)
    page.get_by_test_id(f"token-query-{second}").hover()
    expect(shown).to_have_count(0)


def test_parts_of_a_long_text_with_a_head_off(page: Page, models: Models) -> None:
    long = f"{TEXT} " * 50
    ask(page, long)
    choose_head(page, 0, 1)
    for button, window in (("Switch off L0H1", 0), ("Next", 1), ("Previous", 0)):
        with page.expect_response("**/api/look"):
            page.get_by_role("button", name=button).click()
        wait(page)
        expect(page.get_by_test_id("pager")).to_contain_text(f"part {window + 1} of 2")
        expect(page.get_by_test_id("off-list")).to_contain_text("L0H1")
        expected = models.look("default", long, off=[Head("encoder", 0, 1)], window=window)
        expect_tokens(page, "query", expected.stacks[0].query.names)
        check_output(page, expected.output)


def test_model_that_was_not_loaded_is_asked_all_that_it_can_be(visitor: Visitor, tiny: Path) -> None:
    """What it is, only its first answer tells."""
    fresh = Models({"bert": str(tiny / "bert"), "llama": str(tiny / "llama")})
    with serving(fresh, text="She rows") as client:
        page = visitor.open(str(client.base_url))
        wait(page)
        page.get_by_test_id("two").check()
        page.get_by_test_id("second").fill("He sleeps")
        ask(page, "She rows")
        page.get_by_test_id("model-0").select_option("llama")
        expect(page.get_by_test_id("note")).to_have_text(
            "This model is given one text; the second is left out."
        )
        wait(page)
        expect_tokens(page, "query", ["She", "rows"])


def test_keyboard_alone_asks_and_chooses(page: Page) -> None:
    reach(page, "text")
    page.keyboard.press("Control+a")
    page.keyboard.type("Keys are enough")
    with page.expect_response("**/api/look"):
        page.keyboard.press("Control+Enter")
    wait(page)
    expect_tokens(page, "key", ["[CLS]", "Keys", "are", "enough", "[SEP]"])
    reach(page, "layer-0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    reach(page, "pick-0")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("told").locator("strong")).to_have_text("L2H1")


def test_refusal_is_told_and_the_page_goes_on(page: Page, visitor: Visitor) -> None:
    page.get_by_test_id("text").fill("")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("problem")).to_contain_text("empty")
    ask(page, "Better now")
    expect(page.get_by_test_id("problem")).to_have_count(0)
    # Chromium puts every refused request on the console.
    visitor.problems = [problem for problem in visitor.problems if "status of 400" not in problem]
