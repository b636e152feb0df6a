"""The rules that give heads their roles, as data. docs/roles.md is written from this table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.questions.survey.surface import PUNCTUATION as ALL_PUNCTUATION
from headscope.results.vocabulary import (
    BROAD,
    COREFERENCE,
    FIRST_TOKEN,
    KEYWORDS,
    LOCAL,
    MIXED,
    NEXT_TOKEN,
    PREVIOUS_TOKEN,
    PUNCTUATION,
    SAME_TOKEN,
    SEPARATOR,
    SYNTAX,
    partly,
)


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

    def in_words(self, weak: bool) -> tuple[str, str]:
        """The role that the rule gives, and the rule; docs/roles.md tells the lift that goes with it.

        >>> RULES[0].in_words(weak=True)
        ('partly previous token', 'at least 25 % on the previous token')
        """
        threshold = self.partly if weak else self.at_least
        role = partly(self.role) if weak else self.role
        return role, f"at least {100 * (threshold or 0):g} % {self.says}"


RULES: tuple[Rule, ...] = (
    Rule(PREVIOUS_TOKEN, "previous", 0.5, 0.25, "on the previous token"),
    Rule(NEXT_TOKEN, "next", 0.5, 0.25, "on the next token"),
    Rule(SAME_TOKEN, "self", 0.5, 0.25, "on the token itself"),
    Rule(FIRST_TOKEN, "first", 0.5, 0.25, "on the first token, special or not"),
    Rule(SEPARATOR, "separator", 0.5, 0.25, "on special tokens that part or close the text"),
    Rule(PUNCTUATION, "punctuation", 0.5, 0.25, "on punctuation"),
    Rule(LOCAL, "near", 0.6, 0.4, "on the three tokens before and after"),
    Rule(BROAD, "evenness", 0.8, None, "of the entropy of even attention"),
)
LIFT, PARTLY_LIFT = 2.0, 3.0
UNRULED = (MIXED, "no rule holds")
KNOWING: tuple[tuple[str, str], ...] = (
    (SYNTAX, "right about a relation more often than any fixed offset, on documents that did not choose it"),
    (
        COREFERENCE,
        "right about antecedents more often than the nearest mention, on documents that did not choose it",
    ),
    (KEYWORDS, "finds keywords better than TF-IDF, on documents that did not choose it"),
)
"""Roles that other verbs find; a survey gives them where it is told of such a run."""

NEAR = 3


def scores(dataset: xr.Dataset) -> xr.Dataset:
    """What the rules look at, (head,) each, with `_uniform` twins, from the surface analysis' arrays."""
    arrays: dict[str, xr.DataArray] = {}
    for suffix in ("", "_uniform"):
        share, offset = dataset["share" + suffix], dataset["offset" + suffix]
        # A special token that opens the text is the first token; the others close or part it.
        closing = [name for name in dataset.attrs["closing"] if name in share.target]
        around = offset.sel(distance=[d for d in range(-NEAR, NEAR + 1) if d])
        for name in ("previous", "next", "self", "first"):
            arrays[name + suffix] = share.sel(target=name, drop=True)
        arrays["separator" + suffix] = share.sel(target=closing).sum("target")
        arrays["punctuation" + suffix] = share.sel(target=ALL_PUNCTUATION, drop=True)
        arrays["near" + suffix] = around.sum("distance", min_count=1)
        arrays["evenness" + suffix] = dataset["entropy" + suffix] / dataset["entropy_uniform"]
    return xr.Dataset(arrays)


def assign(dataset: xr.Dataset) -> xr.Dataset:
    """role, role_score, role_uniform (the score that even attention gets) and role_rule of each head.

    Of the rules that hold the one passed by most gives the role; only if none holds, the weaker tier.
    """
    measured = scores(dataset)
    values = np.stack([measured[rule.score].values for rule in RULES])
    even = np.stack([_even(measured, rule) for rule in RULES])
    strong = _margins(values, even, [rule.at_least for rule in RULES], LIFT)
    weakly = _margins(values, even, [rule.partly or np.inf for rule in RULES], PARTLY_LIFT)
    weak = strong.max(0) == 0
    margins = np.where(weak, weakly, strong)
    best, holds = margins.argmax(0), margins.max(0) > 0
    roles = [
        RULES[rule].in_words(is_weak) if does_hold else UNRULED
        for rule, is_weak, does_hold in zip(best, weak, holds, strict=True)
    ]
    names, rules = np.array(roles, object).T
    uniform = np.stack([measured[f"{rule.score}_uniform"].values for rule in RULES])
    score, even_score = (
        np.where(holds, each[best, np.arange(len(best))], np.nan) for each in (values, uniform)
    )
    columns = {"role": names, "role_score": score, "role_uniform": even_score, "role_rule": rules}
    return xr.Dataset(
        {name: ("head", column) for name, column in columns.items()}, coords={"head": dataset["head"]}
    )


def roles_in_order() -> list[tuple[str, str]]:
    """Every role with its rule in words: what heads know, then strong rules, then weak ones."""
    strong = [rule.in_words(weak=False) for rule in RULES]
    weak = [rule.in_words(weak=True) for rule in RULES if rule.partly is not None]
    return [*KNOWING, *strong, *weak, UNRULED]


def by_role(dataset: xr.Dataset) -> Iterator[tuple[str, str, xr.Dataset]]:
    """Each role that occurs, its rule, and the heads that have it, the clearest first."""
    roles = dataset["role"].values
    order = np.argsort(-dataset["role_score"].values, kind="stable")
    for role, rule in roles_in_order():
        members = order[roles[order] == role]
        if len(members):
            yield role, rule, dataset.isel(head=members)


def _even(measured: xr.Dataset, rule: Rule) -> np.ndarray:
    """What even attention scores; nothing for a score that is itself relative to it."""
    even: np.ndarray = np.nan_to_num(measured[rule.score + "_uniform"].values)
    return even if rule.partly is not None else np.zeros_like(even)


def _margins(values: np.ndarray, even: np.ndarray, thresholds: list[float], lift: float) -> np.ndarray:
    """By how much each rule is passed, (rule, head); 0 where it fails."""
    limits = np.array(thresholds)[:, None]
    with np.errstate(invalid="ignore"):
        holds = (values >= limits) & (values >= lift * even)
    return np.where(holds, values / limits, 0.0)
