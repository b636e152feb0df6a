"""At which layer the embedded model solves what: edge probing on free corpora, beside what was published."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import headscope
from benchmarks.coreference import together
from benchmarks.data import path
from benchmarks.passes import seconds_of_pass
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import computing_with, timed
from headscope.analyses.analysis import Setting
from headscope.analyses.hidden_states import HiddenStates
from headscope.engine.gathering import gather
from headscope.engine.kept import temporary_store
from headscope.engine.work import Plan
from headscope.models.states import measure_states
from headscope.probes.edge_training import Lesson
from headscope.questions.layers import rounds
from headscope.results.result import Result
from headscope.text import Corpus, Sentences, read

TITLE = "Layers"
SAYS = (
    "`headscope layers` on the English Web Treebank (trained on train, scored on test), OntoGUM (every "
    "second document of train, scored on test) and PropBank over the same words; times are seconds of the "
    "processor, on one thread. Published: Tenney et al. 2019 with BERT-base, and Pimentel et al. 2020 on the "
    "same test split."
)
EWT = "01_ud_english_ewt/en_ewt-ud-{}"
ONTOGUM, PROPBANK = "02_gum_coref/coref_conll/ontogum_{}", "09_srl/en_ewt-propbank-spans-{}.gold_conll.xz"
DEV = EWT.format("dev.conllu")
DATA = (
    *(EWT.format(name) for name in ("train.conllu.xz", "test.conllu")),
    DEV,
    *(ONTOGUM.format(name) for name in ("train.conll.xz", "test.conll")),
    *(PROPBANK.format(name) for name in ("train", "test")),
)
REDUCED: dict[str, Any] = {
    "documents": 4, "phrases": 4, "passes": 6, "judged": False, "seeds": 1, "steps": 15, "code": False,
}  # fmt: skip
LEAST = {"pos": 92.0, "deps": 88.0, "coref": 72.0}
"""Percent that probes of all layers must reach."""
ABOVE_TWIN, SECONDS, PASSES = 4.0, 60.0, 1.3
"""Points above a random twin, in tags and relations; of a task and seed, after extraction; of extraction."""
BATCH = 32


def run(
    documents: int | None = None,
    phrases: int | None = 300,
    passes: int | None = 120,
    judged: bool = True,
    out: Path | None = None,
    **options: Any,
) -> list[Row]:
    """Probe everything; documents, phrases: so many of each corpus. passes: documents of the timed pass.

    judged: scores and the pass are.
    """
    seconds: list[tuple[bool, float]] = []
    with computing_with(1), patch.object(rounds, "Lesson", _timed(seconds)):
        rows = extraction(passes, judged)
        first = _ask(
            _trained(documents), _scored(documents), "pos,deps,coref", out and out / "words", options
        )
        other = {**options, "seeds": 1, "twins": 0, "control": False, "code": False}
        spans = [read(path(PROPBANK.format(split)), limit=phrases) for split in ("train", "test")]
        second = _ask(*spans, "srl,constituents", out and out / "phrases", other)
    rows += [*rows_of(first, judged), *_named("EWT, PropBank", plain_rows(second))]
    alone = [taken for control, taken in seconds if not control]
    both = [taken for control, taken in seconds if control]
    if alone:
        name = "training and scoring the probes of all layers, a task and seed, at most"
        rows.append(at_most(name, max(alone), "s", SECONDS))
    if both:
        rows.append(told("the same together with the control task, at most", max(both), "s"))
    return rows


def _ask(data: Corpus, test: Corpus, task: str, out: Path | None, options: dict[str, Any]) -> Result:
    result: Result = headscope.layers("default", data, test=test, task=(task,), out=out, **options)
    return result


def _trained(documents: int | None) -> Corpus:
    ewt, whole = read(path(EWT.format("train.conllu.xz"))), read(path(ONTOGUM.format("train.conll.xz")))
    ontogum = whole.derived(lambda: (document for place, document in enumerate(whole) if place % 2 == 0))
    return together(
        [ewt, ontogum] if documents is None else [some.limited(documents) for some in (ewt, ontogum)]
    )


def _scored(documents: int | None) -> Corpus:
    some = [read(path(EWT.format("test.conllu"))), read(path(ONTOGUM.format("test.conll")))]
    return together(some if documents is None else [corpus.limited(documents // 2) for corpus in some])


def _timed(seconds: list[tuple[bool, float]]) -> type[Lesson]:
    """Lessons that take down how long training and scoring took, and whether the control task was in it."""

    class Timed(Lesson):
        def learn(self, seed: int, control: bool, *rest: Any) -> Any:
            began = process_time()
            learned = super().learn(seed, control, *rest)
            seconds.append((control, process_time() - began))
            return learned

        def score(self, *asked: Any) -> np.ndarray:
            began = process_time()
            counts = super().score(*asked)
            control, taken = seconds[-1]
            seconds[-1] = (control, taken + process_time() - began)
            return counts

    return Timed


def extraction(documents: int | None, judged: bool) -> list[Row]:
    """Gathering the states of all layers beside a plain pass over the same sentences."""
    model, corpus = headscope.load("default"), read(path(DEV), limit=documents)
    layers, dim = measure_states(model)
    plan = Plan(Setting(model), [HiddenStates(tuple(range(layers)), dim)], 256, BATCH, Sentences())
    kept = list(corpus)
    ratios = []
    for _ in range(3):
        plain = seconds_of_pass(model, kept, Sentences(), BATCH, process_time)
        with temporary_store() as store:
            taken = timed(lambda: gather(plan, kept, "states", store), process_time)
        ratios.append(taken / plain)
    name = "states of all layers into shards / a plain pass over the same sentences, median of 3"
    ratio = float(np.median(ratios))
    return [at_most(name, ratio, "x", PASSES) if judged else told(name, ratio, "x")]


def rows_of(result: Result, judged: bool) -> list[Row]:
    """Scores, layers, the order of tasks, and all that stands beside them."""
    tasks = result.table("layer_tasks").set_index("task")
    rows = list(plain_rows(result))
    if judged:
        rows += [
            at_least(f"{task}: all layers", 100 * tasks["score"][task], "%", least)
            for task, least in LEAST.items()
        ]
    rows += _order(tasks, judged)
    for row in result.table("layer_baselines").to_dict("records"):
        task, name = row["task"], row["beside"]
        interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
        label = f"{task}: above {name} ({100 * row['beside_score']:.1f}; interval {interval})"
        above = 100 * row["above"]
        is_asked = judged and name == "random twin" and task != "coref"
        rows.append(
            at_least(label, above, "points", ABOVE_TWIN) if is_asked else told(label, above, "points")
        )
    return [*rows, *_costs(result), *_published(result)]


def plain_rows(result: Result) -> Iterator[Row]:
    """Each task: its scores by layer, and where it is solved."""
    layers = result.table("layer_scores")
    for row in result.table("layer_tasks").to_dict("records"):
        task = row["task"]
        scores = " ".join(f"{100 * score:.1f}" for score in layers.loc[layers["task"] == task, "score"])
        yield told(f"{task}, {row['labels']} labels: score from layers up to 0, 1, ...", scores)
        interval = f"interval {row['low']:.2f} to {row['high']:.2f}; clipped {row['clipped']:.2f}"
        if row["why"]:
            yield told(f"{task}: no expected layer, as {row['why']}", "")
        else:
            yield told(f"{task}: expected layer ({interval})", row["expected"], "layers")
        spread = f"spread {row['gravity_spread']:.2f}; {row['bits']:.2f} bits from even"
        yield told(f"{task}: center of gravity ({spread})", row["gravity"], "layers")
    for row in result.table("layer_targets").to_dict("records"):
        skipped = f"{row['cut']} cut apart, {row['pieceless']} without piece"
        yield told(f"{row['task']}: targets to {row['use']} (skipped: {skipped})", row["used"], "")


def _order(tasks: pd.DataFrame, judged: bool) -> Iterator[Row]:
    """Tags before relations before coreference, on the mean of seeds."""
    for measure, words in (("expected", "expected layer"), ("gravity", "center of gravity")):
        for lower, higher in (("pos", "deps"), ("deps", "coref")):
            gap = float(tasks[measure][higher] - tasks[measure][lower])
            label = f"{words}: {higher} above {lower}"
            yield at_least(label, gap, "layers", 1e-9) if judged else told(label, gap, "layers")


def _costs(result: Result) -> Iterator[Row]:
    if "layer_codes" not in result.tables:
        return
    for row in result.table("layer_codes").groupby("task").tail(1).to_dict("records"):
        printed = f"as the published code adds up: {row['summed']:.1f}, {row['summed_compression']:.2f} times"
        about = f"{row['compression']:.2f} times shorter than n log2 K; {printed}"
        yield told(f"{row['task']}: online code of {row['targets']:,} labels ({about})", row["code"], "kbit")


def _published(result: Result) -> Iterator[Row]:
    for row in result.table("layer_published").to_dict("records"):
        ours = "none" if np.isnan(row["ours"]) else f"{row['ours']:.3g}"
        yield told(
            f"{row['task']}, {row['measure']}, {row['source']}, {row['about']}: ours {ours}", row["value"]
        )


def _named(corpus: str, rows: Iterator[Row]) -> list[Row]:
    return [{**row, "name": f"{corpus}, {row['name']}"} for row in rows]
