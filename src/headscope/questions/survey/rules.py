"""The rules that give heads their roles, as data. docs/roles.md is written from this table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.questions.survey.surface import PUNCTUATION
from headscope.results.vocabulary import COREFERENCE, SYNTAX


@dataclass(frozen=True)
class Rule:
    """A head has the role when its score reaches `at_least` and `LIFT` times what even attention gives.

    Failing that, it has the role partly when the score reaches `partly` and `PARTLY_LIFT` times that.
    The lifts keep short texts honest, where even attention alone may reach a threshold.
    """

    role: str
    score: str
    at_least: float
    partly: float | None
    says: str


RULES: tuple[Rule, ...] = (
    Rule("previous token", "previous", 0.5, 0.25, "on the previous token"),
    Rule("next token", "next", 0.5, 0.25, "on the next token"),
    Rule("same token", "self", 0.5, 0.25, "on the token itself"),
    Rule("first-token sink", "first", 0.5, 0.25, "on the first token, special or not"),
    Rule("separator", "separator", 0.5, 0.25, "on special tokens that part or close the text"),
    Rule("punctuation", "punctuation", 0.5, 0.25, "on punctuation"),
    Rule("local", "near", 0.6, 0.4, "on the three tokens before and after"),
    Rule("broad", "evenness", 0.8, None, "of the entropy of even attention"),
)
LIFT, PARTLY_LIFT = 2.0, 3.0
MIXED = "mixed"
KNOWING: tuple[tuple[str, str], ...] = (
    (SYNTAX, "right about a relation more often than any fixed offset, on documents that did not choose it"),
    (
        COREFERENCE,
        "right about antecedents more often than the nearest mention, on documents that did not choose it",
    ),
)
"""Roles that other verbs find; a survey gives them where it is told of such a run."""

NEAR = 3


def scores(dataset: xr.Dataset) -> xr.Dataset:
    """What the rules look at, (head,) each, with `_uniform` twins, from the surface analysis' arrays."""
    found: dict[str, xr.DataArray] = {}
    for suffix in ("", "_uniform"):
        share, offset = dataset["share" + suffix], dataset["offset" + suffix]
        # A special token that opens the text is the first token; the others close or part it.
        closing = [name for name in dataset.attrs["closing"] if name in share.target]
        around = offset.sel(distance=[d for d in range(-NEAR, NEAR + 1) if d])
        found |= {
            "previous" + suffix: share.sel(target="previous", drop=True),
            "next" + suffix: share.sel(target="next", drop=True),
            "self" + suffix: share.sel(target="self", drop=True),
            "first" + suffix: share.sel(target="first", drop=True),
            "separator" + suffix: share.sel(target=closing).sum("target"),
            "punctuation" + suffix: share.sel(target=PUNCTUATION, drop=True),
            "near" + suffix: around.sum("distance", min_count=1),
            "evenness" + suffix: dataset["entropy" + suffix] / dataset["entropy_uniform"],
        }
    return xr.Dataset(found)


def assign(dataset: xr.Dataset) -> xr.Dataset:
    """role, role_score and role_rule of each head.

    Of the rules that hold the one passed by most gives the role; only if none holds, the weaker tier.
    """
    seen = scores(dataset)
    values = np.stack([seen[rule.score].values for rule in RULES])
    even = np.stack([_even(seen, rule) for rule in RULES])
    strong = _margins(values, even, [rule.at_least for rule in RULES], LIFT)
    partly = _margins(values, even, [rule.partly or np.inf for rule in RULES], PARTLY_LIFT)
    heads = range(values.shape[1])
    chosen = [_choose(strong[:, head], partly[:, head]) for head in heads]
    found = [
        (MIXED, np.nan, "no rule holds")
        if rule is None
        else (name_of(rule, weak), values[rule, head], word(rule, weak))
        for head, (rule, weak) in zip(heads, chosen, strict=True)
    ]
    roles, score, says = (list(column) for column in zip(*found, strict=True))
    return xr.Dataset(
        {"role": ("head", np.array(roles, object)), "role_score": ("head", np.array(score, float)),
         "role_rule": ("head", np.array(says, object))},
        coords={"head": dataset["head"]},
    )  # fmt: skip


def name_of(rule: int, weak: bool) -> str:
    """The role that a rule gives.

    >>> name_of(0, weak=True)
    'partly previous token'
    """
    return f"partly {RULES[rule].role}" if weak else RULES[rule].role


def word(rule: int, weak: bool) -> str:
    """The rule in words; docs/roles.md tells the lift that goes with it.

    >>> word(0, weak=False)
    'at least 50 % on the previous token'
    """
    threshold = RULES[rule].partly if weak else RULES[rule].at_least
    return f"at least {100 * (threshold or 0):g} % {RULES[rule].says}"


def roles_in_order() -> list[tuple[str, str]]:
    """Every role with its rule in words: what heads know, then strong rules, then weak ones."""
    strong = [(name_of(number, False), word(number, False)) for number in range(len(RULES))]
    weak = [(name_of(n, True), word(n, True)) for n, rule in enumerate(RULES) if rule.partly is not None]
    return [*KNOWING, *strong, *weak, (MIXED, "no rule holds")]


def _even(seen: xr.Dataset, rule: Rule) -> np.ndarray:
    """What even attention scores; nothing for a score that is itself relative to it."""
    even: np.ndarray = np.nan_to_num(seen[rule.score + "_uniform"].values)
    return even if rule.partly is not None else np.zeros_like(even)


def _margins(values: np.ndarray, even: np.ndarray, thresholds: list[float], lift: float) -> np.ndarray:
    """By how much each rule is passed, (rule, head); 0 where it fails."""
    limits = np.array(thresholds)[:, None]
    with np.errstate(invalid="ignore"):
        holds = (values >= limits) & (values >= lift * even)
    return np.where(holds, values / limits, 0.0)


def _choose(strong: np.ndarray, partly: np.ndarray) -> tuple[int | None, bool]:
    if strong.any():
        return int(strong.argmax()), False
    return (int(partly.argmax()), True) if partly.any() else (None, False)
