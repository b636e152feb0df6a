"""The answers about alignment: the best heads, honestly scored, beside what is simple."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from headscope.analyses.crossfit import by_halves, cross_fit_scores
from headscope.measures.links import error_rate, f1, found_of, precision, recall
from headscope.measures.paired import resampled_effects, swap_test
from headscope.measures.statistics import bootstrap_interval, percentiles
from headscope.questions.align.beside import DIAGONAL, FORWARD, OFFSETS, Pairs, diagonal, offset
from headscope.questions.align.choosing import Candidates, Kind, score
from headscope.questions.align.readings import (
    ARGMAX,
    BEST_FIXED,
    INPUT,
    NORMS,
    OUTPUT,
    THRESHOLD,
    WEIGHTS,
)  # fmt: skip
from headscope.results.finding import LEVEL

PLAIN = Kind("head", WEIGHTS, OUTPUT, ARGMAX)
CHANGES = {
    "input instead of output token": PLAIN._replace(token=INPUT),
    "norms instead of weights": PLAIN._replace(measure=NORMS),
    "threshold instead of argmax": PLAIN._replace(choice=THRESHOLD),
    "layers instead of heads": PLAIN._replace(unit="layer"),
}
"""What is changed in the plainest reading, one thing at a time."""

Links = Mapping[str, np.ndarray]


def scores_of(counts: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Error rate with its interval over blocks, precision, recall and F1 of counts (block, ..., count)."""
    total = counts.sum(0)
    low, high = bootstrap_interval(*found_of(counts), seed)
    rates = {"precision": precision(total), "recall": recall(total), "f1": f1(total)}
    return {"error": error_rate(total), "low": 1 - high, "high": 1 - low, **rates}


def fixed_counts(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """The diagonal or the offset that is best on the other half: (half, reference), and its counts there.

    The diagonal is candidate 0, the offsets follow.
    """
    links = [diagonal(pairs.grid), *(offset(pairs.grid, step) for step in OFFSETS)]
    return cross_fit_scores(np.stack([pairs.counts(each) for each in links], 1), score)


def alignment_table(
    heads: Candidates, twins: Sequence[Candidates], fixed: np.ndarray, references: Sequence[str], seed: int
) -> pd.DataFrame:
    """One row per reference and kind of reading, the best of all first."""
    kinds = heads.kinds()
    chosen = [heads.choose(kind) for kind in kinds]
    random = [[error_rate(twin.choose(kind).counts.sum(0)) for kind in kinds] for twin in twins]
    tables = []
    for number, name in enumerate(references):
        counts = np.stack([each.counts[:, number] for each in chosen], 1)  # (block, row, count)
        picked = np.stack([each.picked[:, number] for each in chosen], 1)
        best = np.array([each.best[number] for each in chosen])
        table = pd.DataFrame(kinds)
        table.insert(0, "reference", name)
        for column in ("name", "rule", "measure", "token"):
            labels = by_halves(column, getattr(heads, column), picked)
            table = table.assign(**{_COLUMNS[each]: label for each, label in labels.items()})
        table["same_data_item"] = heads.name[best]
        table["same_data"] = [each.best_error[number] for each in chosen]
        table = table.assign(**scores_of(counts, seed), fixed=error_rate(fixed[:, number].sum(0)))
        errors = np.array([[row[number] for row in twin] for twin in random]).reshape(-1, len(kinds))
        table["twin"] = errors.mean(0) if len(errors) else np.nan
        table["twin_low"] = errors.min(0) if len(errors) else np.nan
        table["p"], table["p_adjusted"] = swap_test(fixed[:, number], counts, _value, seed)
        better = (table["error"] < table["fixed"]) & (table["p_adjusted"] < LEVEL)
        # A twin that does as well owes it to the words and their places, and so may the head.
        table["found"] = better & (table["twin_low"] > table["error"])
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


_COLUMNS = {
    "name": "item", "other_name": "other_item", "rule": "rule", "other_rule": "other_rule",
    "measure": "by", "other_measure": "other_by", "token": "at", "other_token": "other_at",
}  # fmt: skip


def effects_table(heads: Candidates, references: Sequence[str], seed: int) -> pd.DataFrame:
    """One row per reference and change of the reading: what it does to the error rate."""
    known = {name: kind for name, kind in CHANGES.items() if len(heads.among(kind))}
    plain, changed = heads.choose(PLAIN), [heads.choose(kind) for kind in known.values()]
    tables = []
    for number, name in enumerate(references):
        base, counts = plain.counts[:, number], np.stack([each.counts[:, number] for each in changed], 1)
        rates = {"plain": error_rate(base.sum(0)), "error": error_rate(counts.sum(0))}
        rows = {"reference": name, "change": list(known), **rates}
        tables.append(pd.DataFrame({**rows, **compared(base, counts, seed)}))
    return pd.concat(tables, ignore_index=True)


def aligners_table(
    pairs: Pairs,
    links: Mapping[str, Links],
    fixed: tuple[np.ndarray, np.ndarray],
    heads: Candidates,
    seed: int,
) -> pd.DataFrame:
    """One row per reference and aligner, beside the best head; fixed: of `fixed_counts`."""
    best_head = heads.choose(Kind("head")).counts
    names = [(aligner, how) for aligner, made in links.items() for how in made]
    given = [pairs.counts(links[aligner][how]) for aligner, how in names]
    steps = [DIAGONAL, *(f"offset {step:+d}" for step in OFFSETS)]
    tables = []
    for number, reference in enumerate(pairs.references):
        best = " | ".join(dict.fromkeys(steps[each] for each in fixed[0][:, number] if each >= 0))
        rows = [(DIAGONAL, ""), (BEST_FIXED, best), *names]
        every = [pairs.counts(diagonal(pairs.grid)), fixed[1], *given]
        counts = np.stack([each[:, number] for each in every], 1)
        table = pd.DataFrame(rows, columns=["aligner", "how"])
        table.insert(0, "reference", reference)
        # What is held against itself says nothing.
        other = ~((table["aligner"] == reference) & (table["how"] == FORWARD)).to_numpy()
        counts = counts[:, other]
        columns = scores_of(counts, seed) | compared(best_head[:, number], counts, seed)
        tables.append(table[other].assign(**columns))
    return pd.concat(tables, ignore_index=True)


def joined_table(pairs: Pairs, links: Links, seed: int) -> pd.DataFrame:
    """One row per reference and way to join the links of two directions, beside the first of them."""
    counts = np.stack([pairs.counts(each) for each in links.values()], 1)
    tables = []
    for number, reference in enumerate(pairs.references):
        own = counts[:, :, number]
        table = pd.DataFrame({"reference": reference, "joined": list(links)})
        tables.append(table.assign(**scores_of(own, seed), **compared(own[:, 0], own, seed)))
    return pd.concat(tables, ignore_index=True)


def links_table(pairs: Pairs, links: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """One row per pair that was scored: its links in each direction, as Pharaoh writes them."""
    columns = {name.replace(" ", "_").replace("-", "_"): lines for name, lines in links.items()}
    return pd.DataFrame({"pair": pairs.names, **columns})[pairs.scored].reset_index(drop=True)


def compared(base: np.ndarray, counts: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """How much the error rate of each row (block, row, count) is above that of base (block, count).

    With its interval over blocks, p of the exchange of both in a block, and p adjusted for all rows.
    """
    used = base.any(1)
    p, adjusted = swap_test(base, counts, _value, seed)
    low, high = percentiles(resampled_effects(base[used], counts[used], _value, seed))
    effect = error_rate(counts.sum(0)) - error_rate(base.sum(0))
    # The score is one minus the error rate, so what raises it lowers the other.
    return {
        "effect": effect, "effect_low": 0 - high, "effect_high": 0 - low, "p": p, "p_adjusted": adjusted,
    }  # fmt: skip


def _value(counts: np.ndarray) -> np.ndarray:
    """`score`, and 0 where there is neither a link nor one to be found."""
    value: np.ndarray = np.nan_to_num(score(counts))
    return value
