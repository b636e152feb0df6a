"""Cross-attention that follows links which are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.text import Text

import headscope
from benchmarks.planted_links import pairs, plant
from headscope.questions.align.pictures.error_rates import draw
from headscope.questions.align.screen import screen
from headscope.results.result import Result


def row(result: Result, table: str, **wanted: Any) -> dict[str, Any]:
    """The only row with these cells."""
    frame = result.table(table)
    for name, value in wanted.items():
        frame = frame[frame[name] == value]
    (only,) = frame.to_dict("records")
    return {str(name): value for name, value in only.items()}


def read(result: Result, token: str, measure: str = "weights") -> dict[str, Any]:
    return row(result, "alignment", unit="head", measure=measure, token=token, choice="argmax")


def test_links_are_found_at_the_token_that_is_written(result: Result) -> None:
    for measure in ("weights", "norms"):
        at_output, at_input = (read(result, token, measure) for token in ("output", "input"))
        assert (at_output["item"], at_output["other_item"]) == ("cross:L0H0",) * 2
        assert (at_output["error"], at_output["precision"], at_output["recall"]) == (0, 1, 1)
        assert at_output["found"] and at_output["p_adjusted"] < 0.01 and at_output["twin_low"] > 0.3
        assert at_input["error"] > 0.5 and not at_input["found"]
    best = row(result, "alignment", unit="head", measure="any")
    assert best["error"] == 0 and best["at"] == best["other_at"] == "output"
    # Every second word is one off the diagonal, to either side.
    assert best["fixed"] > 0.3


def test_links_are_found_at_the_token_that_is_read(tmp_path: Path, gold: Path) -> None:
    def one_later(step: int) -> int:
        return 1 + ((step - 2) ^ 1) if step > 1 else 0

    model = plant(tmp_path / "later", one_later)
    answer = headscope.align(model, pairs()[0], gold=gold, twins=0)
    assert read(answer, "input")["error"] == 0 and read(answer, "output")["error"] > 0.5
    effect = row(answer, "align_effects", change="input instead of output token")
    assert effect["effect"] < -0.5 and effect["p_adjusted"] < 0.01
    assert effect["effect_low"] <= effect["effect"] <= effect["effect_high"]
    assert effect["plain"] == read(answer, "output")["error"]


def test_a_constant_offset_is_told(tmp_path: Path) -> None:
    made = [(" ".join(f"w{3 + (number + place) % 40}" for place in range(5)),) * 2 for number in range(12)]
    gold = tmp_path / "gold"
    gold.write_text("1-1 2-2 3-3 4-4 5-5\n" * 12)
    beside = plant(tmp_path / "beside", lambda step: step + 1)
    answer = headscope.align(beside, made, gold=gold, twins=0)
    head = row(answer, "align_heads", head="cross:L0H0", measure="weights", token="output")
    # The last word looks at the special token behind, and with what is left at any word.
    assert head["error"] > 0.7 and head["move"] == -1 and head["moved_error"] < 0.25


def test_both_directions_are_joined(result: Result) -> None:
    joined = result.table("align_joined").set_index("joined")
    assert list(joined.index) == [
        "target to source", "source to target", "intersection", "union", "grow-diagonal",
    ]  # fmt: skip
    assert (joined["error"] == 0).all()
    links = result.table("align_links")
    assert len(links) == 24 and links["union"][0] == "1-0 0-1 3-2 2-3" == links["target_to_source"][0]


def test_what_is_kept_for_pictures(result: Result) -> None:
    shown = result.arrays["alignments"]
    assert shown.sizes["example"] == 4
    assert shown["source_word"].values[0, :4].tolist() == ["w3", "w8", "w13", "w18"]
    weights = shown["weights"].values[0, :4, :4]
    assert weights[0].argmax() == 1 and weights[1].argmax() == 0 and shown["sure"].values[0, 0, 1]
    assert shown["possible"].values[0, 2, 3] and not shown["sure"].values[0, 2, 3]


def test_without_gold_aligners_are_the_reference(without_gold: Result) -> None:
    table = without_gold.table("alignment")
    assert list(dict.fromkeys(table["reference"])) == ["HMM", "IBM 1"]
    both = table[(table["unit"] == "head") & (table["measure"] == "any")].set_index("reference")
    assert (both["error"] < 0.35).all()
    aligners = without_gold.table("aligners")
    forward = aligners[aligners["how"] == "target to source"]
    assert not (forward["aligner"] == forward["reference"]).any()
    beside = forward.set_index("reference")["error"]
    # Held against each other, links are sure on both sides, and the rate is the same both ways.
    assert beside["HMM"] == pytest.approx(beside["IBM 1"])


def test_findings_speak_of_what_was_found(result: Result, without_gold: Result) -> None:
    first, second, *_ = texts = [finding.text for finding in result.findings]
    assert first.startswith("Head cross:L0H0 links words as gold does, with an error rate of 0 %")
    assert second.startswith(
        "With input instead of output token, the error rate of the best head rises from 0 % to "
    )
    assert any("is open: it has an error rate of 0 %" in text for text in texts)
    assert "words as HMM does" in without_gold.findings[0].text
    assert any("IBM 1 (" in finding.text for finding in without_gold.findings)
    assert not any("HMM (" in finding.text for finding in without_gold.findings), "that is its own reference"
    assert any("learnt from these pairs alone" in note for note in result.notes)


def test_more_pairs_are_learnt_from(planted: Path, gold: Path) -> None:
    made, _ = pairs()
    answer = headscope.align(planted, made, gold=gold, more=made * 3, twins=0)
    assert any("learnt from them and 72 more pairs" in note for note in answer.notes)


def test_tables_are_of_heads_and_of_layers(result: Result) -> None:
    heads, layers = result.table("align_heads"), result.table("align_layers")
    assert set(heads["head"]) == {f"cross:L{layer}H{head}" for layer in range(2) for head in range(3)}
    assert set(layers["layer_name"]) == {"cross:L0", "cross:L1"}
    assert len(heads) == 6 * 2 * 2 and len(layers) == 2 * 2 * 2
    assert isinstance(heads, pd.DataFrame) and heads["error"].between(0, 1).all()


def test_of_layers_and_of_a_second_reference_the_best_reading_is_printed(without_gold: Result) -> None:
    first, second = (shown.table for shown in list(screen(without_gold))[:2])
    assert first is not None and second is not None
    assert first["of"].tolist() == ["head", "layer", *["head"] * 8]
    assert second["reading"].tolist() == ["any", "any"]


def test_tables_on_a_narrow_screen_part_no_word(result: Result) -> None:
    (first, *_) = screen(result)
    assert first.table is not None
    words = {
        name: max(len(word) for cell in (name, *column.astype(str)) for word in cell.split())
        for name, column in first.table.items()
    }
    assert sum(words.values()) + 2 * len(words) <= 60


@pytest.mark.parametrize("heads", [(0,), (0, 1)])
def test_a_layer_of_one_head_is_not_drawn_over_it(planted: Path, gold: Path, heads: tuple[int, ...]) -> None:
    answer = headscope.align(planted, pairs()[0], gold=gold, twins=0, heads=heads)
    named = {text.get_text() for text in draw(answer).findobj(Text)}
    assert "head" in named and ("whole layer" in named) == (len(heads) > 1)
