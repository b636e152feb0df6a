"""The atlas of tables written by hand: every number is worked out on paper."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from headscope.drawing.palette import KINDS
from headscope.drawing.style import role_symbols
from headscope.heads import Head
from headscope.results.declaration import HEAD, Card, Column, Declaration
from headscope.results.vocabulary import LOCAL, ROLES, SYNTAX, partly
from headscope.web.look_wire import HeadName
from headscope.web.report import head_measures
from headscope.web.report.atlas import atlas_of
from headscope.web.report.tables import RunTable
from headscope.web.report_wire import Atlas, Bar, Categories, Fact, Level, Numbers, Place

HEADS = ["L0H0", "L0H1", "L1H0"]
PLACES = {"stack": ["encoder"] * 3, "layer": [0, 0, 1], "index": [0, 1, 0]}


def heads(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"head": HEADS, **PLACES, **columns})


def told(
    verb: str, name: str, table: pd.DataFrame, row: tuple[str, ...] = ("head",), **says: Any
) -> RunTable:
    """A table with what it says about itself; columns: only those whose names do not tell."""
    columns = {**HEAD, **says.pop("columns", {})}
    return RunTable(verb, name, table, Declaration(says.pop("title", name), row, columns, **says))


SHARE = Column("share", "share", error="se", baseline="uniform")


def atlas(*tables: RunTable, **options: Any) -> Atlas:
    found = atlas_of(tables, **options)
    assert found is not None
    return found


def measure(found: Atlas, name: str) -> Any:
    (one,) = [measure for measure in found.measures if measure.name == name]
    return one


def words(measure: Categories) -> list[str]:
    return [level.word for level in measure.levels]


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
    found = atlas(told("survey", "heads", table))
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
    found = atlas(told("mine", "gaps", table))
    assert found.heads == [HeadName("L0H0", "encoder", 0, 0), HeadName("cross:L1H2", "cross", 1, 2)]
    named = atlas(told("mine", "gaps", table), known={"L0H0": Head("decoder", 0, 0)})
    assert [head.stack for head in named.heads] == ["decoder", "cross"]


def test_a_table_with_places_tells_the_names_of_another() -> None:
    placed = pd.DataFrame({"head": ["L0H0"], "stack": ["decoder"], "layer": [0], "index": [0], "a": [1.0]})
    found = atlas(told("s", "b", pd.DataFrame({"head": ["L0H0"], "b": [2.0]})), told("s", "a", placed))
    assert found.heads == [HeadName("L0H0", "decoder", 0, 0)]


def test_heads_of_two_models_with_one_name_are_told_apart() -> None:
    places = {"layer": [0], "index": [0]}
    tables = [
        told(verb, verb, pd.DataFrame({"head": ["L0H0"], "stack": [stack], **places, "a": [1.0]}))
        for verb, stack in (("b", "decoder"), ("a", "encoder"))
    ]
    assert [head.name for head in atlas(*tables).heads] == ["L0H0", "decoder:L0H0"]


def test_a_head_is_of_the_model_that_has_its_role() -> None:
    """Both models have L0H0; only the second of the other, which gave no roles, has L0H1 and the pool's."""
    roles = pd.DataFrame({"head": ["L0H0"], "role": ["syntax"], "rule": ["a rule"], "a": [1.0]})
    other = pd.DataFrame({"head": ["L0H0", "L0H1"], "b": [1.0, 2.0]})
    tables = [
        told("ablate", "ablation", other, group="without the head"),
        told("survey", "heads", roles, role=("role", "rule")),
    ]
    found = atlas(*tables, models={"survey": "bert", "ablate": "gpt"})
    assert [card.model for card in found.cards] == ["bert", "gpt"]
    assert [one.group for one in found.measures] == [
        "ablate of gpt: without the head",
        "survey of bert: overview",
    ]
    of_one = atlas(*tables, models={"survey": "bert", "ablate": "bert"})
    assert [one.group for one in of_one.measures] == ["ablate: without the head", "survey: overview"]
    assert [card.model for card in atlas(*tables).cards] == ["", ""]


def test_standard_errors_give_intervals_and_even_attention_the_baseline() -> None:
    rows = [(head, target) for head in HEADS for target in ("previous", "next")]
    table = pd.DataFrame(rows, columns=["head", "target"]).assign(
        share=[0.5, 0.1, 0.2, 0.3, 0.4, np.nan],
        se=[0.1, 0.01, 0.02, 0.03, np.nan, np.nan],
        uniform=[0.05] * 5 + [np.nan],
    )
    says = {"columns": {"share": SHARE}, "group": "attention to"}
    found = atlas(told("survey", "shares", table, ("head", "target"), **says))
    assert [one.name for one in found.measures] == [
        "survey.shares.share.previous", "survey.shares.share.next",
    ]  # fmt: skip
    # 1.96 standard errors to both sides: 0.5 - 0.196, 0.2 - 0.0392.
    assert found.measures[0] == Numbers(
        "survey.shares.share.previous", "previous", "survey: attention to", "attention to", [0.5, 0.2, 0.4],
        [0.304, 0.1608, None], [0.696, 0.2392, None], [0.05, 0.05, 0.05], percent=True,
    )  # fmt: skip
    assert found.measures[1].values == [0.1, 0.3, None]


def test_intervals_go_with_the_number_that_names_them() -> None:
    table = heads(
        score=[0.8, 0.7, 0.9], effect=[-0.1, 0.0, 0.1], low=[-0.2, -0.1, 0.0], high=[0.0, 0.1, 0.2],
        loss=[1.0, 2.0, 3.0], loss_effect=[0.1, 0.2, 0.3], loss_low=[0.0, 0.1, 0.2],
        loss_high=[0.2, 0.3, 0.4],
    )  # fmt: skip
    columns = {
        "effect": Column("change of the score", low="low", high="high"),
        "loss_effect": Column("change of the loss", low="loss_low", high="loss_high"),
    }
    found = atlas(told("ablate", "ablation", table, columns=columns, group="without the head"))
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
    row = ("head", "relation", "reading")
    found = atlas(told("syntax", "head_relations", table, row, group="relation found"))
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
    found = atlas(told("compare", "differences", table, ("pair", "head", "measure"), group="difference"))
    assert [(one.group, one.label) for one in found.measures] == [
        ("compare: difference", "first"),
        ("compare: difference, significant", "first"),
        ("compare: difference", "next"),
        ("compare: difference, significant", "next"),
    ]
    assert isinstance(found.measures[1], Categories)
    assert (found.measures[1].values, words(found.measures[1])) == (["yes", "no"], ["no", "yes"])


def test_distances_are_keys_with_a_sign() -> None:
    rows = list(product(["L0H0", "L0H1"], [-1, 0, 1]))
    table = pd.DataFrame(rows, columns=["head", "distance"])
    table["share"], table["se"], table["uniform"] = [0.1, 0.2, 0.3, 0.4, 0.5, np.nan], 0.1, 0.05
    says = {"columns": {"share": SHARE, "distance": Column("distance", signed=True)}, "profile": True}
    found = atlas(told("survey", "offsets", table, ("head", "distance"), **says))
    assert [one.label for one in found.measures] == ["-1", "0", "+1"]
    assert found.cards[0].profile == [
        Bar(-1.0, 0.1, 0.196, 0.05), Bar(0.0, 0.2, 0.196, 0.05), Bar(1.0, 0.3, 0.196, 0.05),
    ]  # fmt: skip
    assert [bar.at for bar in found.cards[1].profile] == [-1.0, 0.0]


def test_other_whole_numbers_are_keys_without_a_sign_and_draw_no_profile() -> None:
    rows = list(product(["L0H0", "L0H1"], [0, 1, 12]))
    table = pd.DataFrame(rows, columns=["head", "length"])
    table["share"], table["se"], table["uniform"] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 0.1, 0.05
    says = {"columns": {"share": SHARE, "length": Column("length")}, "profile": True}
    found = atlas(told("survey", "lengths", table, ("head", "length"), **says))
    assert [one.label for one in found.measures] == ["0", "1", "12"]
    assert [card.profile for card in found.cards] == [[], []]


def test_the_interval_of_a_share_ends_at_0_and_at_1() -> None:
    """0.1 and 0.95, each 0.196 to both sides; another number may be below 0."""
    table = heads(share=[0.1, 0.95, 0.5], se=0.1, gain=[0.1, 0.2, 0.3])
    columns = {"share": Column("share", unit="share", error="se"), "gain": Column("gain", error="se")}
    share, gain = atlas(told("survey", "heads", table, columns=columns)).measures
    assert isinstance(share, Numbers) and isinstance(gain, Numbers)
    assert share.low == [0.0, 0.754, 0.304] and share.high == [0.296, 1.0, 0.696]
    assert gain.low == [-0.096, 0.004, 0.104]


def test_roles_stand_in_the_order_of_their_rules_and_verdicts_from_bad_to_good() -> None:
    table = heads(
        role=["mixed", "previous token", "mixed"],
        role_rule=["no rule holds", "at least 50 %", "no rule holds"],
        cluster=[10, 2, 2],
        verdict=["harmless", "worse", "undecided"],
    )
    columns = {
        "role": Column("role", kind="category", levels=("previous token", "local", "mixed")),
        "cluster": Column("cluster", kind="category"),
        "verdict": Column("verdict", kind="category", levels=("worse", "undecided", "harmless")),
    }
    found = atlas(told("survey", "heads", table, columns=columns, role=("role", "role_rule")))
    assert [words(one) for one in found.measures if isinstance(one, Categories)] == [
        ["previous token", "mixed"], ["2", "10"], ["worse", "undecided", "harmless"],
    ]  # fmt: skip
    assert (found.cards[1].role, found.cards[1].rule) == ("previous token", "at least 50 %")


def test_the_role_behind_another_one_is_told_with_it() -> None:
    frame = pd.DataFrame(
        {
            "head": ["L0H0", "L0H1"], "stack": "decoder", "layer": 0, "index": [0, 1],
            "role": ["first-token sink", "broad"], "rule": ["at least 50 %", "almost even"],
            "behind": ["induction", ""], "why": ["at least 25 %", ""],
        }
    )  # fmt: skip
    says = {"role": ("role", "rule"), "otherwise": ("behind", "why")}
    cards = atlas(told("survey", "heads", frame, ("head",), **says)).cards
    assert [card.rule for card in cards] == [
        "at least 50 %; otherwise: induction, at least 25 %", "almost even",
    ]  # fmt: skip


def test_roles_have_the_colours_of_the_figures_whatever_their_column_is_called() -> None:
    given = [SYNTAX, partly(LOCAL), "rare words"]
    table = heads(does=given, why="a rule", cluster=[1, 2, 2])
    columns = {
        "does": Column("what it does", kind="category", levels=tuple(given)),
        "cluster": Column("cluster", kind="category"),
    }
    found = atlas(told("survey", "heads", table, columns=columns, role=("does", "why")))
    roles, clusters = (one for one in found.measures if isinstance(one, Categories))
    assert roles.role and not clusters.role
    drawn = role_symbols([SYNTAX, LOCAL, "rare words"])
    assert roles.levels == [
        Level(SYNTAX, drawn[SYNTAX].colour),
        Level(partly(LOCAL), drawn[LOCAL].colour, whole=LOCAL),
        Level("rare words", drawn["rare words"].colour),
    ]
    assert clusters.levels == [Level("1", KINDS[0]), Level("2", KINDS[1])]


def test_a_measure_says_what_its_label_leaves_to_its_group() -> None:
    table = heads(share=[0.1, 0.2, 0.3], kind=["a", "b", "c"])
    alone = atlas(told("mine", "heads", table)).measures[0]
    assert (alone.group, alone.about) == ("mine: overview", "")
    grouped = atlas(told("mine", "heads", table, group="lost")).measures[0]
    assert (grouped.group, grouped.about) == ("mine: lost", "lost")
    keyed = pd.concat([table.assign(kind=kind, share=table["share"] * kind) for kind in (1, 2)])
    by_kind = atlas(told("mine", "heads", keyed, ("head", "kind"), title="Heads by kind")).measures[1]
    assert (by_kind.label, by_kind.group, by_kind.about) == ("2", "mine: Heads by kind", "Heads by kind")


def test_measures_of_checkpoints_follow_each_other_in_the_colours_of_roles() -> None:
    rows = [(step, head) for step in ("late", "b", "a") for head in HEADS]
    table = pd.DataFrame(rows, columns=["checkpoint", "head"]).assign(
        gain=range(9), role=[SYNTAX, LOCAL, LOCAL, LOCAL, LOCAL, LOCAL, LOCAL, LOCAL, SYNTAX]
    )
    columns = {
        "checkpoint": Column("checkpoint", ordered=True),
        "gain": Column("gain"),
        "role": Column("role", kind="category", levels=ROLES),
    }
    found = atlas(told("survey", "series", table, ("checkpoint", "head"), columns=columns))
    gains = [one for one in found.measures if one.along == "survey.series.gain"]
    assert [one.label for one in gains] == ["late", "b", "a"]
    assert gains[2].values == [6.0, 7.0, 8.0]
    roles = [one for one in found.measures if one.along == "survey.series.role"]
    colours = {level.word: {level.colour} for level in roles[0].levels}
    for one in roles:
        assert all({level.colour} == colours[level.word] for level in one.levels)
    plain = {**columns, "checkpoint": Column("checkpoint")}
    found = atlas(told("survey", "series", table, ("checkpoint", "head"), columns=plain))
    assert {one.along for one in found.measures} == {""}


def test_words_that_follow_each_other_keep_their_colours_and_look_like_roles_only_where_declared() -> None:
    """The second step lacks the first word, which would else hand its colour on; no word is declared."""
    rows = [(step, head) for step in ("a", "b") for head in HEADS]
    kinds = ["broad", "local", "local", "local", "mixed", "mixed"]
    table = pd.DataFrame(rows, columns=["checkpoint", "head"]).assign(kind=kinds)
    columns = {"checkpoint": Column("checkpoint", ordered=True), "kind": Column("kind", kind="category")}
    first, second = atlas(told("mine", "series", table, ("checkpoint", "head"), columns=columns)).measures
    assert isinstance(first, Categories) and isinstance(second, Categories)
    expected = [Level(word, colour) for word, colour in zip(["broad", "local", "mixed"], KINDS, strict=False)]
    assert first.levels == second.levels == expected
    assert second.values == ["local", "mixed", "mixed"]


def test_the_map_has_only_heads_with_a_place() -> None:
    table = heads(x=[0.5, np.nan, -1.0], y=[1.0, 2.0, 1 / 3], z=[1, 2, 3])
    found = atlas(told("survey", "heads", table, places=("x", "y")))
    assert found.places == [Place(0, 0.5, 1.0), Place(2, -1.0, 0.333333)]
    assert [one.label for one in found.measures] == ["z"]


def test_a_number_that_says_it_measures_nothing_is_left_out() -> None:
    summary = heads(self=[0.1, 0.2, 0.3], next=[0.4, 0.5, 0.7])
    found = atlas(told("survey", "heads", summary, columns={"self": Column("self", kind="note")}))
    assert [one.name for one in found.measures] == ["survey.heads.next"]


def test_a_card_tells_what_its_head_was_chosen_for() -> None:
    relations = pd.DataFrame(
        {
            "relation": ["all", "det", "obj", "nsubj"],
            "head": ["L1H0", "L0H0", "L1H0", "L0H0"],
            "other_head": ["L1H0", "L1H0", "L1H0", "L0H0"],
            "accuracy": [0.4, 0.3, 0.25, np.nan],
            "offset_accuracy": [0.3, 0.2, 0.125, 0.1],
            "found": [False, False, True, True],
        }
    )
    types = pd.DataFrame(
        {"type": ["all", "proper"], "chosen": ["L1H0", ""], "accuracy": [0.55, np.nan], "nearest": [0.5, 0.1]}
    )
    shares = {name: Column(name, "share") for name in ("accuracy", "offset_accuracy", "nearest")}
    right = Card(
        ("head", "other_head"), "{relation}", "{accuracy} right, a fixed offset {offset_accuracy}", "found"
    )
    linked = Card(
        ("chosen",), "antecedents of {type} mentions", "{accuracy} right, the nearest mention {nearest}"
    )
    found = atlas(
        told("survey", "heads", heads(entropy=[1.0, 2.0, 3.0])),
        told("syntax", "relations", relations, ("relation",), columns=shares, card=right),
        told("coref", "coref_types", types, ("type",), columns=shares, card=linked),
    )
    assert [card.facts for card in found.cards] == [
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
    assert atlas_of([told("mine", "table", table)]) is None


def test_nothing_is_guessed_of_a_table_that_says_nothing() -> None:
    assert (
        atlas_of([RunTable("mine", "heads", heads(entropy=[1.0, 2.0, 3.0]), Declaration("", (), {}))]) is None
    )


def test_columns_of_another_making_are_left_out() -> None:
    odd = heads(x=["a", "b", "c"], lists=[[1], [2], [3]], share=[0.1, 0.2, 0.3])
    found = atlas(told("survey", "heads", odd))
    assert [one.name for one in found.measures] == ["survey.heads.share"]
    assert found.places == [] and [card.profile for card in found.cards] == [[], [], []]


def test_whole_numbers_are_scores_too() -> None:
    offsets = heads(distance=[1, 1, 1], share=[0, 1, 1], se=[0, 0, 0])
    distance = Column("distance", signed=True)
    says = {"columns": {"share": Column("share", error="se"), "distance": distance}, "profile": True}
    cards = atlas(told("survey", "offsets", offsets, ("head", "distance"), **says)).cards
    assert cards[1].profile == [Bar(1.0, 1.0, 0.0, None)]


def test_a_table_of_very_many_parts_is_for_reading_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_measures, "MOST_GROUPS", 2)
    rows = list(product(HEADS, ["a", "b", "c"]))
    table = pd.DataFrame(rows, columns=["head", "kind"]).assign(share=np.arange(9))
    assert atlas(told("mine", "kinds", table, ("head", "kind"))).measures == []
    fewer = table[table["kind"] != "c"]
    assert len(atlas(told("mine", "kinds", fewer, ("head", "kind"))).measures) == 2
