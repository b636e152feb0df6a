"""The rules that give heads their roles, as data. docs/roles.md is written from this table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from headscope.analyses.surface import PUNCTUATION


@dataclass(frozen=True)
class Rule:
    """A head has the role when its score reaches `at_least` and `lift` times what even attention gives.

    The lift keeps short texts honest, where even attention alone may reach a threshold.
    """

    role: str
    score: str
    at_least: float
    lift: float
    says: str


RULES: tuple[Rule, ...] = (
    Rule("previous token", "previous", 0.5, 2.0, "over half of the attention on the previous token"),
    Rule("next token", "next", 0.5, 2.0, "over half of the attention on the next token"),
    Rule("same token", "self", 0.5, 2.0, "over half of the attention on the token itself"),
    Rule("first-token sink", "first", 0.5, 2.0, "over half of the attention on the first token, special or not"),
    Rule("separator", "separator", 0.5, 2.0, "over half of the attention on closing special tokens"),
    Rule("punctuation", "punctuation", 0.5, 2.0, "over half of the attention on punctuation"),
    Rule("local", "near", 0.6, 2.0, "60 % of the attention on the three tokens before and after"),
    Rule("broad", "evenness", 0.8, 0.0, "entropy of at least 80 % of that of even attention"),
)
MIXED = "mixed"
NEAR = 3


def scores(dataset: xr.Dataset) -> xr.Dataset:
    """What the rules look at, (head,) each, from the arrays of the surface analysis, with `_uniform` twins."""
    found = {}
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
    """role, role_score and role_rule of each head: of the rules that hold, the one passed by most."""
    seen = scores(dataset)
    margins, values = [], []
    for rule in RULES:
        value = seen[rule.score].values
        even = seen[rule.score + "_uniform"].values
        holds = (value >= rule.at_least) & (value >= rule.lift * np.nan_to_num(even))
        margins.append(np.where(holds, value / rule.at_least, 0.0))
        values.append(value)
    best = np.argmax(margins, axis=0)
    none = np.max(margins, axis=0) == 0
    roles = np.where(none, MIXED, np.array([rule.role for rule in RULES])[best])
    score = np.where(none, np.nan, np.take_along_axis(np.array(values), best[None], 0)[0])
    says = np.where(none, "no rule holds", np.array([rule.says for rule in RULES])[best])
    return xr.Dataset(
        {"role": ("head", roles.astype(object)), "role_score": ("head", score),
         "role_rule": ("head", says.astype(object))},
        coords={"head": dataset["head"]},
    )  # fmt: skip
