"""Roles by hand: one synthetic head for each way a rule can hold or fail."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from headscope.measures.surface import OFFSETS
from headscope.questions.survey.rules import LAST, RULES, assign, roles_in_order
from headscope.results.vocabulary import KNOWING_ROLES, MIXED, ROLES

TARGETS = ["self", "previous", "next", "first", "[CLS]", "[SEP]", "all punctuation"]
EVEN = 0.01


def one_head(even: float = EVEN, entropy: float = 2.0, near: float = 0.0, **shares: float) -> xr.Dataset:
    """Arrays of a survey with a single head; shares not given are those of even attention."""
    share = [shares.get(target, even) for target in TARGETS]
    offset = [near / 6 if 0 < abs(distance) <= 3 else 0.0 for distance in OFFSETS]
    data = {
        "share": (("head", "target"), [share]),
        "share_uniform": (("head", "target"), [[even] * len(TARGETS)]),
        "offset": (("head", "distance"), [offset]),
        "offset_uniform": (("head", "distance"), [[even] * len(OFFSETS)]),
        "entropy": ("head", [entropy]),
        "entropy_uniform": ("head", [4.0]),
    }
    labels = {"head": ["L0H0"], "target": TARGETS, "distance": list(OFFSETS)}
    return xr.Dataset(data, coords=labels, attrs={"closing": ["[SEP]"]})


def role_of(dataset: xr.Dataset) -> tuple[str, float]:
    found = assign(dataset)
    return str(found["role"].values[0]), float(found["role_score"].values[0])


@pytest.mark.parametrize(
    ("target", "role"),
    [
        ("previous", "previous token"),
        ("next", "next token"),
        ("self", "same token"),
        ("first", "first-token sink"),
        ("[SEP]", "separator"),
        ("all punctuation", "punctuation"),
    ],
)
def test_half_of_the_attention_gives_the_role_and_a_quarter_gives_it_partly(target: str, role: str) -> None:
    assert role_of(one_head(**{target: 0.5})) == (role, 0.5)
    assert role_of(one_head(**{target: 0.49})) == (f"partly {role}", 0.49)
    assert role_of(one_head(**{target: 0.25})) == (f"partly {role}", 0.25)
    assert role_of(one_head(**{target: 0.24}))[0] == MIXED


def test_what_even_attention_gets_stands_beside_the_score() -> None:
    found = assign(one_head(previous=0.6))
    assert (found["role_score"].item(), found["role_uniform"].item()) == (0.6, EVEN)
    assert assign(one_head(entropy=3.2))["role_uniform"].item() == 1.0, "even attention is all broad"
    assert np.isnan(assign(one_head())["role_uniform"].item()), "no rule holds"


def test_near_attention_is_local_and_even_attention_is_broad() -> None:
    assert role_of(one_head(near=0.66)) == ("local", pytest.approx(0.66))
    assert role_of(one_head(near=0.42)) == ("partly local", pytest.approx(0.42))
    assert role_of(one_head(entropy=3.2)) == ("broad", pytest.approx(0.8))
    assert role_of(one_head(entropy=3.1))[0] == MIXED


def test_a_share_that_even_attention_would_reach_too_is_no_role() -> None:
    assert role_of(one_head(even=0.3, next=0.5))[0] == MIXED  # 0.5 is not twice 0.3
    assert role_of(one_head(even=0.25, next=0.5))[0] == "next token"
    assert role_of(one_head(even=0.1, next=0.29))[0] == MIXED  # 0.29 is not three times 0.1


def test_the_rule_passed_by_most_wins_and_a_strong_one_beats_a_weak_one() -> None:
    assert role_of(one_head(previous=0.6, first=0.9))[0] == "first-token sink"
    # 0.9 of even entropy passes its rule by 1.125; 0.49 on the first token is but a partial role.
    assert role_of(one_head(first=0.49, entropy=3.6))[0] == "broad"


def test_an_undefined_share_gives_no_role() -> None:
    assert role_of(one_head(next=np.nan))[0] == MIXED


def test_a_head_without_a_role_has_no_score_and_says_so() -> None:
    found = assign(one_head())
    assert np.isnan(found["role_score"].values[0])
    assert found["role_rule"].values[0] == "no rule holds"


def test_every_role_that_can_be_given_is_listed_once() -> None:
    names = [name for name, _ in roles_in_order()]
    # broad has no weaker tier; mixed is added
    assert len(names) == len(set(names)) == 2 * len(RULES) - 1 + len(LAST) + len(KNOWING_ROLES) + 1
    assert set(names) == set(ROLES)
    assert "partly broad" not in names


def causal_head(
    behind: dict[str, float] | None = None,
    copying: float = 0.0,
    chance: float = 0.1,
    taken: float = EVEN,
    **shares: float,
) -> xr.Dataset:
    """The same of a causal model: shares by name, on made text too; behind: of what the first leaves.

    chance: of copying. taken: of the first token, by length.
    """
    names = {"made": ["induction", "duplicate", "previous"], "running": [
        "sink", "outside", "previous", "self", "near", "punctuation", "separator"]}  # fmt: skip
    of_head = {
        "copying": copying,
        "copying_chance": chance,
        "first_taken": taken,
        "first_taken_uniform": EVEN,
    }
    arrays = {name: ("head", [value]) for name, value in of_head.items()}
    for kind, patterns in names.items():
        for way, own in (("", shares), ("_behind", behind or {})):
            values = [own.get(name, EVEN if name != "outside" else 0.3) for name in patterns]
            arrays[kind + way] = (("head", f"{kind}_pattern"), [values])
            even = [EVEN if name != "outside" else 0.3 for name in patterns]
            arrays[f"{kind}{way}_uniform"] = (("head", f"{kind}_pattern"), [even])
    labels = {f"{kind}_pattern": patterns for kind, patterns in names.items()}
    surface = {name: share for name, share in shares.items() if name in TARGETS}
    return one_head(**surface).assign(arrays).assign_coords(labels)


def test_roles_of_made_text_stand_beside_those_of_running_text() -> None:
    assert role_of(causal_head(induction=0.5)) == ("induction", 0.5)
    assert role_of(causal_head(duplicate=0.3)) == ("partly duplicate token", 0.3)
    assert role_of(causal_head(induction=0.6, first=0.7))[0] == "first-token sink"
    assert role_of(one_head())[0] == MIXED, "an encoder reads no made text"


def test_what_is_tried_last_holds_only_where_nothing_else_does() -> None:
    assert role_of(causal_head(copying=0.9)) == ("copying", 0.9)
    assert role_of(causal_head(copying=-0.95)) == ("copy suppression", 0.95)
    assert role_of(causal_head(outside=0.01)) == ("streaming", pytest.approx(1 - 1 / 30))
    assert role_of(causal_head(copying=1.0, previous=0.3))[0] == "partly previous token"
    assert role_of(causal_head(copying=0.89, outside=0.02))[0] == MIXED


def test_what_is_copied_as_much_by_chance_is_no_role() -> None:
    assert role_of(causal_head(copying=0.95, chance=0.47))[0] == "copying"
    assert role_of(causal_head(copying=0.95, chance=0.48))[0] == MIXED  # not twice that
    assert role_of(causal_head(copying=-0.95, chance=0.48))[0] == MIXED
    assert assign(causal_head(copying=0.95))["role_uniform"].item() == 0.1


def test_sinks_and_previous_tokens_in_copies_are_roles_too() -> None:
    assert role_of(causal_head(sink=0.3)) == ("early sink", 0.3)
    assert role_of(causal_head(sink=0.29))[0] == MIXED
    assert role_of(causal_head(taken=0.5)) == ("first token by length", 0.5)
    assert role_of(causal_head(taken=0.49))[0] == MIXED
    in_copies = causal_head()
    in_copies["made"].loc[{"made_pattern": "previous"}] = 0.5
    assert role_of(in_copies) == ("previous token in copies", 0.5)


def test_of_what_is_tried_last_the_first_that_holds_gives_the_role() -> None:
    assert role_of(causal_head(copying=0.9, sink=0.9, taken=0.9))[0] == "copying"
    assert role_of(causal_head(sink=0.3, taken=0.9))[0] == "early sink"
    resting = assign(causal_head(first=0.9, sink=0.9, taken=0.9))
    assert resting["otherwise"].item() == MIXED, "a sink is none behind the first token"


def test_a_head_that_rests_on_the_first_token_has_another_role_behind_it() -> None:
    found = assign(causal_head({"induction": 0.8, "previous": 0.6}, first=0.9, induction=0.1))
    assert found["role"].item() == "first-token sink"
    assert (found["otherwise"].item(), found["otherwise_score"].item()) == ("induction", 0.8)
    assert found["otherwise_uniform"].item() == EVEN
    partial = assign(causal_head({"previous": 0.3}, first=0.3))
    assert (partial["role"].item(), partial["otherwise"].item()) == (
        "partly first-token sink",
        "partly previous token",
    )
    assert assign(causal_head({"induction": 0.8}, previous=0.9))["otherwise"].item() == ""
    assert "otherwise" not in assign(one_head(first=0.9))
