"""More tables of layers: bits, single cases, heads, targets, and what was published."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from headscope.analyses.analysis import names_of_heads
from headscope.engine.planning import ONE_WAY
from headscope.measures.layers import mixed_units, online_bits, uniform_bits
from headscope.models import Model
from headscope.questions.layers.published import EXPECTED, GRAVITY, PUBLISHED, SCORE
from headscope.questions.layers.reading import Data
from headscope.questions.layers.tables import Solved
from headscope.text.treebanks import USES

KILO = 1000.0
_COSTS = {
    "code, kbit": "code",
    "code, as printed": "mixed",
    "compression": "compression",
    "compression, as printed": "mixed_compression",
}
"""The columns of what labels cost, by the measures that were published."""


def codes_table(several: Sequence[Solved], labels: dict[str, int]) -> pd.DataFrame:
    """One row per task and layer: what its labels cost, of the first seed."""
    rows = []
    for solved in several:
        outcome = solved.outcomes[0]
        if not outcome.edges:
            continue
        first, targets, kinds = outcome.edges[0], outcome.edges[-1], labels[solved.task]
        uniform = uniform_bits(targets, kinds)
        bits = online_bits(first, kinds, outcome.nats)
        mixed = mixed_units(first, kinds, outcome.nats)
        for layer, (own, other) in enumerate(zip(bits.tolist(), mixed.tolist(), strict=True)):
            rows.append(
                {
                    "task": solved.task,
                    "layer": layer,
                    "targets": targets,
                    "uniform": uniform / KILO,
                    "code": own / KILO,
                    "compression": uniform / own,
                    "bits_each": own / targets,
                    "mixed": other / KILO,
                    "mixed_compression": uniform / other,
                }
            )
    return pd.DataFrame(rows)


def cases_table(several: Sequence[Solved]) -> pd.DataFrame:
    """One row per case, layer and label."""
    rows = []
    for solved in several:
        for number, case in enumerate(solved.outcomes[0].cases, start=1):
            for layer, chances in enumerate(case["chances"]):
                for label, chance in zip(case["labels"], chances, strict=True):
                    rows.append(
                        {
                            "task": solved.task,
                            "case": number,
                            "layer": layer,
                            "label": label,
                            "probability": chance,
                            "true": label == case["gold"],
                            "said": label == case["said"][layer],
                            "text": case["text"],
                        }
                    )
    columns = ["task", "case", "layer", "label", "probability", "true", "said", "text"]
    return pd.DataFrame(rows, columns=columns)


def heads_table(layers: pd.DataFrame, model: Model) -> pd.DataFrame:
    """One row per task and head: what its layer adds; empty where states are not of layers one by one."""
    stacks = [stack for stack in model.stacks() if stack in ONE_WAY] or model.stacks()[:1]
    sites = [site for stack in stacks for site in model.sites_of(stack) if site.queries == "piece"]
    heads = [head for site in sites for head in site]
    if not heads or max(head.layer for head in heads) + 1 != layers["layer"].max():
        return pd.DataFrame()
    frame = pd.DataFrame(names_of_heads(model, heads))
    # The states behind a layer are one further than the layer is counted.
    behind = layers.assign(layer=layers["layer"] - 1)[
        ["task", "layer", "gain", "gain_low", "gain_high", "weight"]
    ]
    table = frame.merge(behind, on="layer").sort_values(["task", "layer", "index"], kind="stable")
    return table[["task", *frame.columns, "gain", "gain_low", "gain_high", "weight"]].reset_index(drop=True)


def targets_table(several: Sequence[Solved], data: Data) -> pd.DataFrame:
    """One row per task and split: what was read, what was lost, what is used."""
    rows = []
    for solved in several:
        outcome = solved.outcomes[0]
        for split, contents in (("train", data.train), ("test", data.test)):
            read, seen, used = contents.items[solved.task], outcome.seen[split], outcome.used[split]
            has_items = any(task.name == solved.task and task.items is not None for task in data.tasks)
            rows.append(
                {
                    "task": solved.task,
                    "split": split,
                    "use": USES[split],
                    "read": read,
                    "cut": read - seen,
                    "pieceless": 0 if has_items else seen - used,
                    "used": used,
                }
            )
    return pd.DataFrame(rows)


def published_table(tasks: pd.DataFrame, codes: pd.DataFrame) -> pd.DataFrame:
    """One row per published number of a task that was asked, ours beside it."""
    ours: dict[tuple[str, str], float] = {}
    for row in tasks.to_dict("records"):
        own = {EXPECTED: row["expected"], GRAVITY: row["gravity"], SCORE: row["score"]}
        ours |= {(row["task"], measure): value for measure, value in own.items()}
    last = codes.groupby("task").tail(1) if len(codes) else codes
    for row in last.to_dict("records"):
        own = {name: row[column] for name, column in _COSTS.items()}
        ours |= {(row["task"], measure): value for measure, value in own.items()}
    rows = [
        {**number._asdict(), "ours": ours.get((number.task, number.measure), np.nan)}
        for number in PUBLISHED
        if number.task in set(tasks["task"])
    ]
    return pd.DataFrame(rows, columns=["task", "measure", "source", "about", "value", "ours"])
