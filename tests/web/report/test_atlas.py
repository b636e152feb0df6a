"""The atlas of tables written by hand: every number is worked out on paper."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from headscope.heads import Head
from headscope.web.report import head_measures
from headscope.web.report.atlas import atlas_of
from headscope.web.report.tables import RunTable
from headscope.web.wire import Atlas, Bar, Categories, Fact, HeadName, Numbers, Place

HEADS = ["L0H0", "L0H1", "L1H0"]
PLACES = {"stack": ["encoder"] * 3, "layer": [0, 0, 1], "index": [0, 1, 0]}


def heads(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"head": HEADS, **PLACES, **columns})


def atlas(*tables: RunTable, **options: Any) -> Atlas:
    found = atlas_of(tables, **options)
    assert found is not None
    return found


def measure(found: Atlas, name: str) -> Any:
    (one,) = [measure for measure in found.measures if measure.name == name]
    return one


def test_heads_stand_by_stack_layer_and_index() -> None:
    table = pd.DataFrame(
        {
            "head": ["cross:L0H1", "decoder:L0H0", "encoder:L1H0", "encoder:L0H10", "encoder:L0H9"],
            "stack": ["cross", "decoder", "encoder", "encoder", "encoder"],
            "layer": [0, 0, 1, 0, 0],
            "index": [1, 0, 0, 10, 9],
            "entropy": [5.0, 4.0, 3.0, 2.0, 1.0],
        }
    )
    found = atlas(RunTable("survey", "heads", table))
    assert found.heads == [
        HeadName("encoder:L0H9", "encoder", 0, 9),
        HeadName("encoder:L0H10", "encoder", 0, 10),
        HeadName("encoder:L1H0", "encoder", 1, 0),
        HeadName("decoder:L0H0", "decoder", 0, 0),
        HeadName("cross:L0H1", "cross", 0, 1),
    ]
    assert measure(found, "survey.heads.entropy").values == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_names_alone_tell_the_heads_too() -> None:
    table = pd.DataFrame({"head": ["cross:L1H2", "L0H0"], "gap": [0.5, 0.25]})
    found = atlas(RunTable("mine", "gaps", table))
    assert found.heads == [HeadName("L0H0", "encoder", 0, 0), HeadName("cross:L1H2", "cross", 1, 2)]
    named = atlas(RunTable("mine", "gaps", table), known={"L0H0": Head("decoder", 0, 0)})
    assert [head.stack for head in named.heads] == ["decoder", "cross"]


def test_a_table_with_places_tells_the_names_of_another() -> None:
    placed = pd.DataFrame({"head": ["L0H0"], "stack": ["decoder"], "layer": [0], "index": [0], "a": [1.0]})
    found = atlas(
        RunTable("s", "b", pd.DataFrame({"head": ["L0H0"], "b": [2.0]})), RunTable("s", "a", placed)
    )
    assert found.heads == [HeadName("L0H0", "decoder", 0, 0)]


def test_standard_errors_give_intervals_and_even_attention_the_baseline() -> None:
    rows = [(head, target) for head in HEADS for target in ("previous", "next")]
    table = pd.DataFrame(rows, columns=["head", "target"]).assign(
        share=[0.5, 0.1, 0.2, 0.3, 0.4, np.nan],
        se=[0.1, 0.01, 0.02, 0.03, np.nan, np.nan],
        uniform=[0.05] * 5 + [np.nan],
    )
    found = atlas(RunTable("survey", "shares", table))
    assert [one.name for one in found.measures] == [
        "survey.shares.share.previous", "survey.shares.share.next",
    ]  # fmt: skip
    # 1.96 standard errors to both sides: 0.5 - 0.196, 0.2 - 0.0392.
    assert found.measures[0] == Numbers(
        "survey.shares.share.previous", "previous", "survey: attention to", [0.5, 0.2, 0.4],
        [0.304, 0.1608, None], [0.696, 0.2392, None], [0.05, 0.05, 0.05], percent=True,
    )  # fmt: skip
    assert found.measures[1].values == [0.1, 0.3, None]


def test_intervals_go_with_the_number_before_them() -> None:
    table = heads(
        score=[0.8, 0.7, 0.9], effect=[-0.1, 0.0, 0.1], low=[-0.2, -0.1, 0.0], high=[0.0, 0.1, 0.2],
        loss=[1.0, 2.0, 3.0], loss_effect=[0.1, 0.2, 0.3], loss_low=[0.0, 0.1, 0.2],
        loss_high=[0.2, 0.3, 0.4],
    )  # fmt: skip
    found = atlas(RunTable("ablate", "ablation", table))
    assert [one.label for one in found.measures] == [
        "score", "change of the score", "loss", "change of the loss",
    ]  # fmt: skip
    edges = [(one.low, one.high) for one in found.measures if isinstance(one, Numbers)]
    assert edges == [
        (None, None), ([-0.2, -0.1, 0.0], [0.0, 0.1, 0.2]), (None, None), ([0.0, 0.1, 0.2], [0.2, 0.3, 0.4]),
    ]  # fmt: skip
    assert {one.group for one in found.measures} == {"ablate: without the head"}


def test_of_two_keys_the_longer_names_and_the_other_groups() -> None:
    rows = list(product(HEADS, ["nsubj", "obj", "det"], ["dep->head", "head->dep"]))
    table = pd.DataFrame(rows, columns=["head", "relation", "reading"])
    table["accuracy"] = np.arange(18) / 18
    table["count"] = 40.0
    found = atlas(RunTable("syntax", "head_relations", table))
    # The count is the same for all heads, so it colours nothing.
    assert len(found.measures) == 6
    one = measure(found, "syntax.head_relations.accuracy.head->dep.obj")
    assert (one.group, one.label) == ("syntax: relation found, head->dep", "obj")
    # Row 6 h + 3: the fourth of each head's six.
    assert one.values == [0.166667, 0.5, 0.833333]


def test_a_key_of_one_value_is_none() -> None:
    table = pd.DataFrame(
        {"pair": "old → new", "head": ["L0H0", "L0H0", "L0H1", "L0H1"], "measure": ["first", "next"] * 2,
         "difference": [0.1, 0.2, 0.3, 0.4], "significant": [True, False, False, False]}
    )  # fmt: skip
    found = atlas(RunTable("compare", "differences", table))
    assert [(one.group, one.label) for one in found.measures] == [
        ("compare: difference", "first"),
        ("compare: difference, significant", "first"),
        ("compare: difference", "next"),
        ("compare: difference, significant", "next"),
    ]
    assert isinstance(found.measures[1], Categories)
    assert (found.measures[1].values, found.measures[1].levels) == (["yes", "no"], ["no", "yes"])


def test_distances_are_keys_with_a_sign() -> None:
    rows = list(product(["L0H0", "L0H1"], [-1, 0, 1]))
    table = pd.DataFrame(rows, columns=["head", "distance"])
    table["share"], table["se"], table["uniform"] = [0.1, 0.2, 0.3, 0.4, 0.5, np.nan], 0.1, 0.05
    found = atlas(RunTable("survey", "offsets", table))
    assert [one.label for one in found.measures] == ["-1", "0", "+1"]
    assert found.cards[0].offsets == [
        Bar(-1.0, 0.1, 0.196, 0.05), Bar(0.0, 0.2, 0.196, 0.05), Bar(1.0, 0.3, 0.196, 0.05),
    ]  # fmt: skip
    assert [bar.at for bar in found.cards[1].offsets] == [-1.0, 0.0]


def test_roles_stand_in_the_order_of_their_rules_and_verdicts_from_bad_to_good() -> None:
    table = heads(
        role=["mixed", "previous token", "mixed"],
        role_rule=["no rule holds", "at least 50 %", "no rule holds"],
        cluster=[10, 2, 2],
        verdict=["harmless", "worse", "undecided"],
    )
    roles = pd.DataFrame({"role": ["previous token", "mixed"], "heads": [1, 2]})
    found = atlas(RunTable("survey", "heads", table), RunTable("survey", "roles", roles))
    assert [one.levels for one in found.measures if isinstance(one, Categories)] == [
        ["previous token", "mixed"], ["2", "10"], ["worse", "undecided", "harmless"],
    ]  # fmt: skip
    assert (found.cards[1].role, found.cards[1].rule) == ("previous token", "at least 50 %")


def test_the_map_has_only_heads_with_a_place() -> None:
    found = atlas(RunTable("survey", "heads", heads(x=[0.5, np.nan, -1.0], y=[1.0, 2.0, 1 / 3], z=[1, 2, 3])))
    assert found.places == [Place(0, 0.5, 1.0), Place(2, -1.0, 0.333333)]
    assert [one.label for one in found.measures] == ["z"]


def test_of_equal_measures_the_one_with_an_interval_stays() -> None:
    shares = pd.DataFrame({"head": HEADS * 2, "target": ["self"] * 3 + ["next"] * 3}).assign(
        share=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], se=0.01
    )
    summary = heads(self=[0.1, 0.2, 0.3], next=[0.4, 0.5, 0.7])
    tables = [RunTable("survey", "heads", summary), RunTable("survey", "shares", shares)]
    again = RunTable("ablate", "shares", shares)
    for given in (tables, [*tables, again]):
        assert [one.name for one in atlas(*given).measures] == [
            "survey.shares.share.self", "survey.heads.next", "survey.shares.share.next",
        ]  # fmt: skip


def test_scores_stand_beside_what_is_simple() -> None:
    relations = pd.DataFrame(list(product(HEADS, ["det", "obj"])), columns=["head", "relation"])
    relations = relations.assign(reading="dep->head", accuracy=np.arange(6) / 10)
    readings = pd.DataFrame(
        {"relation": ["det"], "reading": ["dep->head"], "head": ["L0H0"], "same_data_offset_accuracy": [0.25]}
    )
    mentions = heads(all=[0.1, 0.2, 0.3], proper=[0.3, 0.2, 0.1])
    types = pd.DataFrame({"type": ["all"], "nearest": [0.4]})
    found = atlas(
        RunTable("syntax", "head_relations", relations), RunTable("syntax", "readings", readings),
        RunTable("coref", "coref_heads", mentions), RunTable("coref", "coref_types", types),
    )  # fmt: skip
    baselines = {one.name: one.baseline for one in found.measures if isinstance(one, Numbers)}
    assert baselines == {
        "syntax.head_relations.accuracy.det": [0.25] * 3,
        "syntax.head_relations.accuracy.obj": [None] * 3,
        "coref.coref_heads.all": [0.4] * 3,
        "coref.coref_heads.proper": None,
    }


def test_a_card_tells_what_its_head_was_chosen_for() -> None:
    relations = pd.DataFrame(
        {
            "relation": ["all", "det", "obj", "nsubj"],
            "head": ["L1H0", "L0H0 / L1H0", "L1H0", "L0H0"],
            "accuracy": [0.4, 0.3, 0.25, np.nan],
            "offset_accuracy": [0.3, 0.2, 0.125, 0.1],
            "found": [False, False, True, True],
        }
    )
    types = pd.DataFrame(
        {"type": ["all", "proper"], "chosen": ["L1H0", ""], "accuracy": [0.55, np.nan], "nearest": [0.5, 0.1]}
    )
    found = atlas(
        RunTable("survey", "heads", heads(entropy=[1.0, 2.0, 3.0])),
        RunTable("syntax", "relations", relations),
        RunTable("coref", "coref_types", types),
    )
    assert [card.relations for card in found.cards] == [
        [Fact("det", "30 % right, a fixed offset 20 %")],
        [],
        [
            Fact("obj", "25 % right, a fixed offset 12 %, more than chance"),
            Fact("all", "40 % right, a fixed offset 30 %"),
            Fact("det", "30 % right, a fixed offset 20 %"),
            Fact("antecedents of all mentions", "55 % right, the nearest mention 50 %"),
        ],
    ]
    # Neither is about heads: each row is about a relation or a type.
    assert [one.name for one in found.measures] == ["survey.heads.entropy"]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"head": ["L0H0 / L1H1"], "share": [0.5]}),
        pd.DataFrame({"head": [], "share": []}),
        pd.DataFrame({"head": ["L0H0", "L0H0"], "share": [0.5, 0.25]}),
        pd.DataFrame({"layer": [0], "share": [0.5]}),
        pd.DataFrame([["L0H0", 0.5, 0.5]], columns=["head", "share", "share"]),
        pd.DataFrame({"head": ["a"], "stack": ["none"], "layer": [0], "index": [0], "share": [0.5]}),
        pd.DataFrame({"head": ["a"], "stack": ["cross"], "layer": [np.nan], "index": [0], "share": [0.5]}),
        pd.DataFrame({"head": ["a"], "stack": ["cross"], "layer": ["0"], "index": [0], "share": [0.5]}),
        pd.DataFrame({"head": [None, "L0H1"], "share": [0.5, 0.6]}),
    ],
    ids=[
        *("two heads", "no rows", "no key", "no head", "one name twice"),
        *("no stack", "no layer", "text", "no name"),
    ],
)
def test_a_table_that_is_not_about_heads_makes_no_atlas(table: pd.DataFrame) -> None:
    assert atlas_of([RunTable("mine", "table", table)]) is None


def test_columns_of_another_making_are_left_out() -> None:
    odd = heads(x=["a", "b", "c"], y=[1.0, 2.0, 3.0], lists=[[1], [2], [3]], share=[0.1, 0.2, 0.3])
    offsets = heads(distance=["near", "near", "near"], share=[0, 1, 1])
    found = atlas(RunTable("survey", "heads", odd), RunTable("survey", "offsets", offsets))
    assert [one.name for one in found.measures] == ["survey.heads.share", "survey.offsets.share"]
    assert found.places == [] and [card.offsets for card in found.cards] == [[], [], []]


def test_whole_numbers_are_scores_too() -> None:
    offsets = heads(distance=[1, 1, 1], share=[0, 1, 1], se=[0, 0, 0])
    cards = atlas(RunTable("survey", "offsets", offsets)).cards
    assert cards[1].offsets == [Bar(1.0, 1.0, 0.0, None)]


def test_a_table_of_very_many_parts_is_for_reading_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_measures, "MOST_GROUPS", 2)
    rows = list(product(HEADS, ["a", "b", "c"]))
    table = pd.DataFrame(rows, columns=["head", "kind"]).assign(share=np.arange(9))
    assert atlas(RunTable("mine", "kinds", table)).measures == []
    fewer = table[table["kind"] != "c"]
    assert len(atlas(RunTable("mine", "kinds", fewer)).measures) == 2
