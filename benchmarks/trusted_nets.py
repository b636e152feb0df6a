"""What trust says of a net where the truth is known: of shuffled attention, and of leave-one-out itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.nets import SST, binary_sst
from benchmarks.permuted import Extended, permuted
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import computing_with
from benchmarks.trust import PLAIN, trained
from headscope.engine.planning import ANY_UNIT, setting_of
from headscope.engine.running import run as run_engine
from headscope.engine.work import Plan
from headscope.explainers import Explainer
from headscope.models import Model
from headscope.questions.trust.answering import Answering
from headscope.questions.trust.case import YARDSTICKS
from headscope.questions.trust.claims.decides import decides
from headscope.questions.trust.claims.identifies import identifies
from headscope.questions.trust.claims.ranks import ranks
from headscope.questions.trust.numbers import LEAVE_ONE_OUT, Numbers
from headscope.results.vocabulary import YES
from headscope.tasks.data import open_task

TITLE = "Trust: shuffled attention"
SAYS = (
    "A BiLSTM under additive attention, trained on SST as Jain and Wallace 2019 do (see Trust), whose "
    "answers to its test sentences are put to the test as `headscope trust` does it: words masked, five "
    "random orders as chance, the model's own best order searched in sentences of up to 20 words, beside "
    "gradient x input, attention x gradient and saliency. In the place of its attention stands, in each "
    "of 20 runs, another random permutation of each sentence's weights, on 300 sentences; then exact "
    "leave-one-out, on each of 20 parts of all of them."
)
DATA = tuple(SST.values())
REDUCED: dict[str, Any] = {"runs": 2, "limit": 60}
BESIDE = ("gradient-input", "attention-gradient", "saliency")
CLAIMS = (identifies, ranks, decides)
RUNS, ALLOWED, SENTENCES, WORDS, PIECES, BATCH = 20, 3, 300, 20, 128, 32
MARGIN = 0.5


class Heads:
    """All of them."""

    layers = heads = None
    seed = 0


def run(runs: int = RUNS, limit: int | None = None) -> list[Row]:
    """Both; with a limit, on so many examples, and without judging them."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        files = binary_sst(Path(folder), limit, bare=True)
        (net,) = trained(files, 1, limit, PLAIN)
        shuffled = [permuted(f"permuted {number}", number) for number in range(runs)]
        null = numbers(net, files["test"], "attention", shuffled, SENTENCES)
        exact = numbers(net, files["test"], LEAVE_ONE_OUT, (), None)
    rows = [*null_rows(null, [one.name for one in shuffled]), *exact_rows(exact, runs)]
    return rows if limit is None else [told(row["name"], row["value"], row["unit"]) for row in rows]


def numbers(net: Model, data: str, of: str, more: Sequence[Explainer], limit: int | None) -> Numbers:
    """The numbers of a net's answers."""
    task, corpus, _, _ = open_task(net, data, limit=limit)
    names = (of, *BESIDE, *(one.name for one in more))
    trial = Extended(Answering(task, 1, 0), names, "mask", WORDS, 1, False, 0, more=tuple(more))
    plan = Plan(setting_of(net, Heads(), ANY_UNIT), [trial], PIECES, BATCH, task.cutter)
    (dataset,) = plan.arrays(run_engine(plan, corpus, "trial"))
    return Numbers.of_dataset(dataset, of, YARDSTICKS)


def null_rows(found: Numbers, names: Sequence[str]) -> list[Row]:
    """How often shuffled attention is trusted; its own verdicts beside it."""
    rows = [told("sentences of a run", len(found.documents))]
    for claim in CLAIMS:
        said = [claim(alone(found, name, names), MARGIN, 0).verdict for name in names]
        label = f"permuted attention, runs of {len(names)} that are told it {claim.__name__}"
        rows.append(at_most(label, said.count(YES), "runs", ALLOWED))
    own = alone(found, "attention", names)
    verdicts = ", ".join(f"{claim.__name__} {claim(own, MARGIN, 0).verdict}" for claim in CLAIMS)
    return [*rows, told("attention itself, on the same sentences", verdicts)]


def exact_rows(found: Numbers, parts: int) -> list[Row]:
    """How often leave-one-out is trusted, on parts of the sentences."""
    part = np.arange(len(found.documents)) % parts
    some = [
        replace(found, values=found.values[part == one], documents=found.documents[part == one])
        for one in range(parts)
    ]
    rows = [told("sentences of all parts", len(found.documents))]
    for claim in CLAIMS:
        said = [claim(each, MARGIN, 0).verdict for each in some]
        label = f"leave-one-out, parts of {parts} in which it {claim.__name__}"
        rows.append(at_least(label, said.count(YES), "parts", parts))
    return rows


def alone(found: Numbers, of: str, others: Sequence[str]) -> Numbers:
    """One explanation on trial, without the others of its kind."""
    kept = [place for place, name in enumerate(found.names) if name == of or name not in others]
    return replace(found, values=found.values[:, kept], names=[found.names[place] for place in kept], of=of)
