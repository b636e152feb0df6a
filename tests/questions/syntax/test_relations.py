"""Tables of relations from counts written by hand."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from headscope.questions.syntax.relations import (
    ALL,
    attachment_table,
    head_relations_table,
    readings_table,
    relations_table,
    scores,
    with_all,
)
from headscope.results.vocabulary import READINGS

DEP_TO_HEAD, HEAD_FROM_DEP, HEAD_TO_DEP = READINGS
Blocks = Sequence[float]


def dataset(
    relations: Mapping[str, Mapping[str, Mapping[str, Blocks]]], special: Mapping[str, object] | None = None
) -> xr.Dataset:
    """Counts of relations: for each, by reading, the blocks of `count`, of heads and of offsets.

    Heads are written L0H0, L0H1, offsets -1 and +1, and "+1 inside" where it is right more often when kept
    inside the sentence; what is not written is 0. `pairs` are the words of the reading dep->head and the
    head words of head->dep.
    """
    blocks = len(next(iter(next(iter(next(iter(relations.values())).values())).values())))
    names, heads, offsets = list(relations), ["L0H0", "L0H1"], [-1, 1]
    right = np.zeros((blocks, len(names), 2, 3))
    near, inside = np.zeros((2, blocks, len(names), 2, 3))
    count = np.zeros((blocks, len(names), 3))
    for row, by_reading in enumerate(relations.values()):
        for reading, numbers in by_reading.items():
            at = READINGS.index(reading)
            for item, values in numbers.items():
                if item == "count":
                    count[:, row, at] = values
                elif item in heads:
                    right[:, row, heads.index(item), at] = values
                else:
                    offset, _, kept = item.partition(" ")
                    for counted in (inside,) if kept else (near, inside):
                        counted[:, row, offsets.index(int(offset)), at] = values
    pairs = count.sum(0)[:, [0, 2]]
    given = {"special": np.zeros((len(names), 2, 2)), "special_all": np.zeros(2), "words": 1000.0} | (
        special or {}
    )
    return with_all(
        xr.Dataset(
            {
                "right": (("block", "relation", "head", "reading"), right),
                "offset_right": (("block", "relation", "offset", "reading"), near),
                "inside_right": (("block", "relation", "offset", "reading"), inside),
                "count": (("block", "relation", "reading"), count),
                "pairs": (("relation", "bearer"), pairs),
                "special": (("relation", "head", "bearer"), given["special"]),
                "special_all": (("head",), given["special_all"]),
            },
            coords={
                "relation": names, "head": heads, "offset": offsets, "reading": list(READINGS),
                "bearer": ["dependent", "head"], "block": range(blocks),
                "stack": ("head", ["encoder"] * 2), "layer": ("head", [0, 0]), "index": ("head", [0, 1]),
            },
            attrs={"documents": blocks, "words": given["words"]},
        )
    )  # fmt: skip


def table(found: xr.Dataset, twins: Sequence[xr.Dataset] = (), least: int = 1, **more) -> pd.DataFrame:
    return relations_table(found, twins, least, seed=0, **more).set_index("relation")


TEN = [10, 10, 10, 10]
DET = {DEP_TO_HEAD: {"count": TEN, "L0H0": [9, 4, 8, 5], "L0H1": [6, 7, 5, 9], "-1": [2] * 4, "+1": [5] * 4}}


def test_the_choice_of_one_half_is_scored_on_the_other() -> None:
    row = table(dataset({"det": DET})).loc["det"]
    # even blocks prefer L0H0 (17 to 11), odd ones L0H1 (16 to 9): scored are 6 + 5 and 4 + 5 of 40
    assert (row["head"], row["other_head"], row["accuracy"]) == ("L0H1", "L0H0", 0.5)
    assert row["reading"] == row["other_reading"] == DEP_TO_HEAD
    assert (row["offset"], row["offset_accuracy"]) == (1, 0.5)
    assert row["words"] == 40 and row["coverage"] == 1
    # on all data L0H1 has 27 of 40
    assert (row["same_data_head"], row["same_data_accuracy"]) == ("L0H1", 27 / 40)
    assert (row["same_data_offset"], row["same_data_offset_accuracy"]) == (1, 0.5)
    # differences by block are 1, -1, 0, 0; of the four patterns of signs, three reach their sum of 0
    assert row["p"] == 0.75 and row["p_holm"] == 0.75 and not row["found"]


TWICE = {DEP_TO_HEAD: {item: [*blocks] * 2 for item, blocks in DET[DEP_TO_HEAD].items()}}
"""The same in eight blocks, enough for an interval."""


def test_an_interval_holds_the_accuracy() -> None:
    row = table(dataset({"det": TWICE})).loc["det"]
    assert 0.4 <= row["low"] < 0.5 < row["high"] <= 0.6, "the blocks are right in 4 to 6 of 10"


SIX = [10] * 6
GOOD = {DEP_TO_HEAD: {"count": SIX, "L0H0": [9] * 6, "+1": [5] * 6}}
FAIR = {DEP_TO_HEAD: {"count": SIX, "L0H1": [6, 6, 6, 6, 6, 5], "+1": [5] * 6}}
POOR = {DEP_TO_HEAD: {"count": SIX, "L0H0": [1] * 6, "-1": [8] * 6}}


def test_holm_corrects_for_the_relations_that_are_tested() -> None:
    found = table(dataset({"good": GOOD, "fair": FAIR, "poor": POOR}))
    # six blocks: all larger is 1 of 64 patterns; a tie in one block doubles it; always smaller is all of them
    assert found["p"].drop(ALL).to_dict() == {"good": 1 / 64, "fair": 2 / 64, "poor": 1}
    assert found["p_holm"].drop(ALL).to_dict() == {"good": 3 / 64, "fair": 4 / 64, "poor": 1}
    assert found["found"].to_dict() == {ALL: False, "good": True, "fair": False, "poor": False}
    assert np.isnan(found.loc[ALL, "p"]) and np.isnan(found.loc[ALL, "p_holm"])


def test_rare_relations_are_neither_shown_nor_tested() -> None:
    rare = {DEP_TO_HEAD: {"count": [1] * 6, "L0H0": [1] * 6}}
    found = table(dataset({"good": GOOD, "rare": rare}), least=7)
    assert list(found.index) == [ALL, "good"]
    assert found.loc["good", "p_holm"] == 1 / 64, "a relation that is not tested costs nothing"
    assert table(dataset({"good": GOOD, "rare": rare}), least=6).loc["good", "p_holm"] == 2 / 64


def test_frequent_relations_come_first() -> None:
    more = {DEP_TO_HEAD: {"count": [20] * 6, "L0H0": [9] * 6}}
    assert list(table(dataset({"a": GOOD, "b": more, "c": FAIR})).index) == [ALL, "b", "a", "c"]


def twin_of(right: Blocks) -> xr.Dataset:
    return dataset({"good": {DEP_TO_HEAD: {"count": SIX, "L0H1": right, "+1": [5] * 6}}, "fair": FAIR})


def test_a_twin_that_does_as_well_takes_the_finding_away() -> None:
    found = dataset({"good": GOOD, "fair": FAIR})
    row = table(found, [twin_of([3] * 6), twin_of([6] * 6)]).loc["good"]
    assert row["twin"] == pytest.approx(0.45) and row["twin_high"] == 0.6 and row["found"]
    row = table(found, [twin_of([3] * 6), twin_of([9] * 6)]).loc["good"]
    assert row["twin_high"] == row["accuracy"] == 0.9 and not row["found"]
    assert row["p_holm"] == 2 / 64
    row = table(found).loc["good"]
    assert np.isnan(row["twin"]) and np.isnan(row["twin_high"]) and row["found"]


def test_a_twin_chooses_its_own_head_on_the_other_half() -> None:
    lucky = dataset(
        {"good": {DEP_TO_HEAD: {"count": SIX, "L0H0": [9, 0] * 3, "L0H1": [0, 9] * 3}}, "fair": FAIR}
    )
    row = table(dataset({"good": GOOD, "fair": FAIR}), [lucky]).loc["good"]
    assert row["twin"] == 0, "each half chooses what is never right on the other"


def test_the_reading_is_chosen_too_but_never_the_third() -> None:
    both = {
        DEP_TO_HEAD: {"count": TEN, "L0H0": [5, 4, 5, 4], "+1": [9] * 4},
        HEAD_FROM_DEP: {"count": TEN, "L0H1": [6, 3, 6, 3], "-1": [2] * 4},
        HEAD_TO_DEP: {"count": TEN, "L0H0": [10] * 4},
    }
    row = table(dataset({"det": both})).loc["det"]
    # even blocks choose head<-dep (12 to 10) for the odd ones, these dep->head (8 to 6) for the even ones
    assert (row["reading"], row["other_reading"]) == (DEP_TO_HEAD, HEAD_FROM_DEP)
    assert (row["head"], row["other_head"]) == ("L0H0", "L0H1")
    assert row["accuracy"] == (5 + 5 + 3 + 3) / 40
    # offsets are read as the head is: +1 is right in even blocks, -1 in odd ones
    assert (row["offset"], row["offset_accuracy"]) == (1, (9 + 9) / 40)
    # on the same data both have 18; of equals the first
    assert (row["same_data_reading"], row["same_data_head"]) == (DEP_TO_HEAD, "L0H0")
    assert (row["same_data_offset"], row["same_data_offset_accuracy"]) == (1, 0.9)


def test_an_offset_is_kept_inside_the_sentence_for_the_test_alone() -> None:
    """Off the end it is wrong for the papers; for the test it points at a word there, as a head does."""
    ends = {DEP_TO_HEAD: {"count": SIX, "L0H0": [6] * 6, "+1": [5] * 6, "+1 inside": [6, 6, 6, 6, 7, 7]}}
    row = table(dataset({"det": ends})).loc["det"]
    assert (row["offset"], row["offset_accuracy"]) == (1, 38 / 60)
    assert (row["same_data_offset"], row["same_data_offset_accuracy"]) == (1, 0.5)
    # differences of 0, 0, 0, 0, -1, -1: any signs reach their sum
    assert row["p"] == 1 and not row["found"]


def test_a_head_has_to_beat_every_offset() -> None:
    """Each half prefers an offset that is bad on the other; chosen so, it would be no opponent."""
    swinging = {DEP_TO_HEAD: {"count": SIX, "L0H0": [5] * 6, "-1": [8, 0] * 3, "+1": [0, 8] * 3}}
    row = table(dataset({"det": swinging})).loc["det"]
    assert (row["offset"], row["offset_accuracy"]) == (-1, 24 / 60)
    # Head less offset is -3, 5, -3, 5, -3, 5, in sum 6. So much is reached with three 5 whatever the 3 are
    # (15 - 9 and more: 8 patterns), and with two of three 5 if the 3 give 3 or 9 (5 + 3: 3 * 4 patterns).
    assert row["p"] == (8 + 12) / 64 and not row["found"]


def test_each_reading_by_itself() -> None:
    both = {
        DEP_TO_HEAD: {"count": TEN, "L0H0": [8] * 4, "+1": [4] * 4},
        HEAD_TO_DEP: {"count": [5] * 4, "L0H1": [3] * 4, "-1": [1] * 4},
    }
    found = readings_table(dataset({"det": both}), [], 1, 0).set_index(["reading", "relation"])
    row = found.loc[(HEAD_TO_DEP, "det")]
    assert (row["head"], row["accuracy"], row["offset_accuracy"]) == ("L0H1", 0.6, 0.2)
    assert row["words"] == 40 and row["coverage"] == 1, "20 head words are asked, each once"
    assert found.loc[(DEP_TO_HEAD, "det"), "accuracy"] == 0.8


def test_a_causal_model_covers_what_it_can_see() -> None:
    seen = {
        DEP_TO_HEAD: {"count": [3] * 4, "L0H0": [3] * 4, "+1": [0] * 4},
        HEAD_FROM_DEP: {"count": [7] * 4, "L0H1": [5] * 4, "+1": [2] * 4},
    }
    found = dataset({"det": seen})
    found["pairs"] = xr.full_like(found["pairs"], 40)
    row = table(found).loc["det"]
    # head<-dep is right more often, though not in a larger share
    assert (row["reading"], row["accuracy"], row["coverage"]) == (HEAD_FROM_DEP, 5 / 7, 28 / 40)
    assert row["same_data_accuracy"] == 5 / 7 and row["same_data_offset_accuracy"] == 2 / 7
    alone = readings_table(found, [], 1, 0).set_index(["reading", "relation"])
    assert alone.loc[(DEP_TO_HEAD, "det"), ["accuracy", "coverage"]].tolist() == [1, 12 / 40]


def test_one_half_without_words_has_no_accuracy_but_full_coverage() -> None:
    half = {DEP_TO_HEAD: {"count": [10, 0, 10, 0], "L0H0": [9, 0, 8, 0], "+1": [1, 0, 1, 0]}}
    found = table(dataset({"det": half, "other": DET}))
    row = found.loc["det"]
    assert np.isnan(row["accuracy"]) and np.isnan(row["low"]) and not row["found"]
    assert row["coverage"] == 1 and row["same_data_accuracy"] == 17 / 20
    assert np.isnan(row["p"]) and found.loc["other", "p_holm"] == 0.75, "nothing was compared"


@pytest.mark.parametrize("half", [0, 1])
def test_a_half_without_words_reads_as_the_other_does(half: int) -> None:
    """Its own reading would be the first one, as if the halves disagreed."""
    there = [10 * (block % 2 == half) for block in range(4)]
    alone = {
        DEP_TO_HEAD: {"count": there, "L0H0": [count * 0.3 for count in there]},
        HEAD_FROM_DEP: {"count": there, "L0H1": [count * 0.9 for count in there]},
    }
    row = table(dataset({"det": alone, "other": DET})).loc["det"]
    assert row["head"] == row["other_head"] == "L0H1"
    assert row["reading"] == row["other_reading"] == HEAD_FROM_DEP
    assert row["coverage"] == 1 and np.isnan(row["accuracy"])


def test_a_relation_that_never_comes_gives_no_warning() -> None:
    never = {DEP_TO_HEAD: {"count": [0] * 4}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = dataset({"never": never, "det": DET})
        assert list(table(found).index) == [ALL, "det"]
        readings_table(found, [found], 1, 0)
        attachment_table(found, 0)


def test_attention_to_special_tokens_from_bearers_and_others() -> None:
    special = {
        "special": np.array([[[0.0, 0.0], [12.0, 8.0]]]),  # L0H1, from 40 dependents and 20 head words
        "special_all": np.array([0.0, 60.0]),
        "words": 100.0,
    }
    by_dependents = {
        DEP_TO_HEAD: {"count": TEN, "L0H1": [9] * 4},
        HEAD_TO_DEP: {"count": [5] * 4},
    }
    row = table(dataset({"det": by_dependents}, special)).loc["det"]
    assert row["special_bearing"] == pytest.approx(12 / 40)
    assert row["special_others"] == pytest.approx((60 - 12) / (100 - 40))
    by_heads = {
        DEP_TO_HEAD: {"count": TEN},
        HEAD_FROM_DEP: {"count": TEN, "L0H1": [9] * 4},
        HEAD_TO_DEP: {"count": [5] * 4},
    }
    found = table(dataset({"det": by_heads}, special))
    assert found.loc["det", "special_bearing"] == pytest.approx(8 / 20)
    assert found.loc["det", "special_others"] == pytest.approx((60 - 8) / (100 - 20))
    assert found.loc[ALL, ["special_bearing", "special_others"]].isna().all()


def test_all_is_the_sum_of_the_relations() -> None:
    found = dataset({"det": DET, "det2": DET})
    assert list(found["relation"].values) == [ALL, "det", "det2"]
    for name in ("right", "offset_right", "inside_right", "count", "pairs", "special"):
        one = found[name].sel(relation="det").values
        assert np.array_equal(found[name].sel(relation=ALL).values, 2 * one)
    row = table(found).loc[ALL]
    assert row["words"] == 80 and row["accuracy"] == 0.5


def test_scores_of_every_head() -> None:
    found = dataset({"det": DET})
    shown = scores(found)
    assert shown["accuracy"].dims[0] == "head"
    assert shown["accuracy"].sel(relation="det", reading=DEP_TO_HEAD).values.tolist() == [26 / 40, 27 / 40]
    assert shown["offset_accuracy"].sel(relation="det", reading=DEP_TO_HEAD).values.tolist() == [0.2, 0.5]
    flat = head_relations_table(found).set_index(["head", "relation", "reading"])
    assert len(flat) == 2 * 2 * 3
    assert flat.loc[("L0H1", "det", DEP_TO_HEAD)].tolist() == [27 / 40, 0.5, 40], (
        "the better offset has 20 of 40"
    )


def test_attachment_of_every_head() -> None:
    found = attachment_table(dataset({"det": TWICE}), seed=0).set_index("head")
    assert found.loc["L0H0", DEP_TO_HEAD] == 26 / 40
    low, high = found.loc["L0H0", [f"{DEP_TO_HEAD} low", f"{DEP_TO_HEAD} high"]]
    assert 0.4 <= low < 26 / 40 < high <= 0.9
    assert found[HEAD_TO_DEP].isna().all(), "nothing was asked so"
    assert found["stack"].tolist() == ["encoder", "encoder"] and found["index"].tolist() == [0, 1]
