"""The rules that give heads their roles, as data. docs/roles.md is written from this table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.measures.patterns import SINK_ABOVE, SINK_PIECES
from headscope.questions.survey.scores import scores, scores_behind
from headscope.results.vocabulary import (
    BROAD,
    COPY_SUPPRESSION,
    COPYING,
    COREFERENCE,
    DUPLICATE_TOKEN,
    EARLY_SINK,
    FIRST_BY_LENGTH,
    FIRST_TOKEN,
    INDUCTION,
    KEYWORDS,
    LOCAL,
    MIXED,
    NEXT_TOKEN,
    PREVIOUS_IN_COPIES,
    PREVIOUS_TOKEN,
    PUNCTUATION,
    RETRIEVAL,
    SAME_TOKEN,
    SEPARATOR,
    STREAMING,
    SYNTAX,
    partly,
)


@dataclass(frozen=True)
class Rule:
    """A head has the role when its score reaches `at_least` and `LIFT` times what even attention gives.

    Failing that, it has the role partly when the score reaches `partly` and `PARTLY_LIFT` times that.
    The lifts keep short texts honest, where even attention alone may reach a threshold. A score that is
    itself in parts of what even attention gives is not lifted.
    """

    role: str
    score: str
    at_least: float
    partly: float | None
    says: str
    lifted: bool = True

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
    Rule(BROAD, "evenness", 0.8, None, "of the entropy of even attention", lifted=False),
    Rule(INDUCTION, "induction", 0.5, 0.25, "of made text on what followed the same token before"),
    Rule(DUPLICATE_TOKEN, "duplicate", 0.5, 0.25, "of made text on the same token before"),
)
LAST: tuple[Rule, ...] = (
    Rule(COPYING, "copying", 0.9, None, "of its direct effect on the tokens it looks at raises them"),
    Rule(COPY_SUPPRESSION, "suppression", 0.9, None, "of its direct effect on these tokens lowers them"),
    Rule(
        STREAMING, "streaming", 0.95, None, "less between the first and the last tokens than even attention"
    ),
    Rule(PREVIOUS_IN_COPIES, "previous_in_copies", 0.5, None, "of made text on the previous token"),
    Rule(EARLY_SINK, "sink", SINK_ABOVE, None, f"of the first {SINK_PIECES} tokens on the first one"),
    Rule(FIRST_BY_LENGTH, "first_taken", 0.5, None, "from the first token, by the length of what is taken"),
)
"""Rules that are tried where no other one holds, not even partly; the first that holds gives the role."""
LIFT, PARTLY_LIFT = 2.0, 3.0
UNRULED = (MIXED, "no rule holds")
KNOWING: tuple[tuple[str, str], ...] = (
    (SYNTAX, "right about a relation more often than any fixed offset, on documents that did not choose it"),
    (
        COREFERENCE,
        "right about antecedents more often than the nearest mention, on documents that did not choose it",
    ),
    (KEYWORDS, "finds keywords better than TF-IDF, on documents that did not choose it"),
    (RETRIEVAL, "finds needles in a long text while they are written, in both halves of them"),
)
"""Roles that other verbs find; a survey gives them where it is told of such a run."""


def assign(dataset: xr.Dataset) -> xr.Dataset:
    """role, role_score, role_uniform (the score of even attention, or of chance) and role_rule of each head.

    Of the rules that hold the one passed by most gives the role; only if none holds, the weaker tier, then
    what is tried last. With `otherwise`, the role of the same rules where the first token does not count,
    for heads whose role that is.
    """
    names, score, uniform, rules = _given(scores(dataset), RULES)
    columns = {"role": names, "role_score": score, "role_uniform": uniform, "role_rule": rules}
    if "running_behind" in dataset:
        rests = np.isin(names.astype(str), (FIRST_TOKEN, partly(FIRST_TOKEN)))
        other = [rule for rule in RULES if rule.role not in (FIRST_TOKEN, BROAD)]
        names, score, uniform, rules = _given(scores_behind(dataset), other)
        columns |= {
            "otherwise": np.where(rests, names, ""),
            "otherwise_score": np.where(rests, score, np.nan),
            "otherwise_uniform": np.where(rests, uniform, np.nan),
            "otherwise_rule": np.where(rests, rules, ""),
        }
    return xr.Dataset(
        {name: ("head", column) for name, column in columns.items()}, coords={"head": dataset["head"]}
    )


def _given(
    measured: xr.Dataset, rules: Sequence[Rule]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The role that rules give each head, its score, that of even attention, and the rule in words."""
    every = (*rules, *LAST)
    values = np.stack([measured[rule.score].values for rule in every])
    even = np.stack([_even(measured, rule) for rule in every])
    tried_last = np.arange(len(every))[:, None] >= len(rules)
    strong = _margins(values, even, [rule.at_least for rule in every], LIFT)
    weakly = _margins(values, even, [rule.partly or np.inf for rule in every], PARTLY_LIFT)
    earlier_first = np.arange(len(every), 0, -1)[:, None]
    last = np.where(tried_last & (strong > 0), earlier_first, 0.0)
    strong = np.where(tried_last, 0.0, strong)
    weak = (strong.max(0) == 0) & (weakly.max(0) > 0)
    margins = np.where(strong.max(0) > 0, strong, np.where(weak, weakly, last))
    best, holds = margins.argmax(0), margins.max(0) > 0
    roles = [
        every[rule].in_words(is_weak) if does_hold else UNRULED
        for rule, is_weak, does_hold in zip(best, weak, holds, strict=True)
    ]
    names, words = np.array(roles, object).T
    uniform = np.stack([measured[f"{rule.score}_uniform"].values for rule in every])
    score, even_score = (
        np.where(holds, each[best, np.arange(len(best))], np.nan) for each in (values, uniform)
    )
    return names, score, even_score, words


def roles_in_order() -> list[tuple[str, str]]:
    """Every role with its rule in words: what heads know, then strong rules, weak ones, the last."""
    strong = [rule.in_words(weak=False) for rule in RULES]
    weak = [rule.in_words(weak=True) for rule in RULES if rule.partly is not None]
    return [*KNOWING, *strong, *weak, *(rule.in_words(weak=False) for rule in LAST), UNRULED]


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
    return even if rule.lifted else np.zeros_like(even)


def _margins(values: np.ndarray, even: np.ndarray, thresholds: list[float], lift: float) -> np.ndarray:
    """By how much each rule is passed, (rule, head); 0 where it fails."""
    limits = np.array(thresholds)[:, None]
    with np.errstate(invalid="ignore"):
        holds = (values >= limits) & (values >= lift * even)
    return np.where(holds, values / limits, 0.0)
