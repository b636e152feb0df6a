"""Results of layers made by hand."""

from __future__ import annotations

import numpy as np

from headscope.blocks import BLOCKS
from headscope.questions import VERBS
from headscope.questions.layers.more_tables import cases_table, codes_table, published_table
from headscope.questions.layers.outcomes import Outcome
from headscope.questions.layers.tables import baselines_table, layers_table, solved_of, tasks_table
from headscope.results.result import Result


def outcome(
    scores: list[int], seed: int = 0, task: str = "pos", weights: list[float] | None = None
) -> Outcome:
    """Of 100 targets, 10 in each of 10 blocks, so many are right in each layer; all labels count."""
    counts = np.zeros((len(scores), BLOCKS, 3))
    counts[:, :10, 1:] = 10
    counts[:, :10, 0] = np.array(scores)[:, None] / 10
    mixing = np.full((len(scores),) * 2, 1 / len(scores))
    mixing[-1] = weights or mixing[-1]
    constant = counts[0] * [0.5, 1, 1]
    return Outcome(task, seed, counts, mixing, constant)


SCORES = {"deps": [60, 70, 85, 90], "pos": [70, 90, 92, 92], "srl": [70, 70, 69, 70]}
"""Of four layers: the first two tasks are solved at some layer, the third at none."""


def build_layers(tasks: tuple[str, ...] = ("deps", "pos", "srl"), layers: int = 4) -> Result:
    """Two seeds and a twin of each task, with a case."""
    outcomes, twins = [], []
    for task in tasks:
        scores = np.interp(np.linspace(0, 3, layers), range(4), SCORES[task]).tolist()
        outcomes += [outcome(scores, seed, task) for seed in range(2)]
        twins.append(outcome([scores[0] + 1] * layers, 0, task))
    for own in outcomes:
        own.control = own.counts * [0.5, 1, 1]
        own.edges, own.nats = [1, 10, 100], np.full((layers, 2), 12.0)
        chances = np.linspace([0.9, 0.1], [0.2, 0.8], layers)
        said = [("A", "B")[int(row[1] > 0.5)] for row in chances]
        case = {"text": "a [word] of " + "long " * 60, "gold": "B", "labels": ["B", "A"], "said": said}
        own.cases = [{**case, "chances": chances[:, ::-1].tolist()}]
    solved, labels = solved_of(outcomes, twins, 0), dict.fromkeys(tasks, 5)
    made = {"layer_tasks": tasks_table(solved, labels), "layer_codes": codes_table(solved, labels)}
    made |= {
        "layer_scores": layers_table(solved),
        "layer_baselines": baselines_table(solved),
        "layer_cases": cases_table(solved),
        "layer_published": published_table(made["layer_tasks"], made["layer_codes"]),
    }
    declared = {name: VERBS["layers"].tables[name] for name in made}
    return Result("layers", tables=made, declared=declared)
