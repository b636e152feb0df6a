"""At which layer the embedded model solves what: edge probing on free corpora, beside what was published."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

import headscope
from benchmarks.data import ROOT, path
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
from headscope.text import Sentences, read

TITLE = "Layers"
SAYS = (
    "`headscope layers` on the English Web Treebank and OntoGUM (trained on train, scored on test), and on "
    "PropBank over the words of the first (300 documents each); times are seconds of the processor, on one "
    "thread. Published: Tenney et al. 2019 with BERT-base, and Pimentel et al. 2020 on the same test split. "
    "The complete run is kept in build/layers and goes on where it was stopped."
)
_EWT, _ONTOGUM, _PROPBANK = (
    "01_ud_english_ewt/en_ewt-ud-",
    "02_gum_coref/coref_conll/ontogum_",
    "09_srl/en_ewt-propbank-spans-",
)
EWT_FILES = (f"{_EWT}train.conllu.xz", f"{_EWT}test.conllu")
ONTOGUM_FILES = (f"{_ONTOGUM}train.conll.xz", f"{_ONTOGUM}test.conll")
PROPBANK_FILES = (f"{_PROPBANK}train.gold_conll.xz", f"{_PROPBANK}test.gold_conll.xz")
DEV = f"{_EWT}dev.conllu"
DATA = (*EWT_FILES, DEV, *ONTOGUM_FILES, *PROPBANK_FILES)
BUILT = ROOT / "build" / "layers"
"""Where the complete run is kept, so that a stopped one goes on."""

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
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        asking = Asking(out or (BUILT if judged else Path(folder)))
        rows = extraction(passes, judged)
        words = asking.ask("words", EWT_FILES, documents, "pos,deps", options)
        pairs = asking.ask("pairs", ONTOGUM_FILES, documents, "coref", options)
        few = {**options, "seeds": 1, "twins": 0, "control": False, "code": False}
        spans = asking.ask("phrases", PROPBANK_FILES, phrases, "srl,constituents", few)
        rows += rows_of([words, pairs], judged)
        rows += _named("EWT, PropBank", plain_rows(spans))
        return [*rows, *asking.times(judged)]


@dataclass(frozen=True)
class Asking:
    """Runs below a folder, of which those that have finished are read, and how long their trainings took."""

    place: Path

    def ask(
        self, name: str, files: tuple[str, str], documents: int | None, task: str, options: dict[str, Any]
    ) -> Any:
        """The run of some tasks."""
        self.place.mkdir(parents=True, exist_ok=True)
        data, test = (read(path(file), limit=documents) for file in files)
        with patch.object(rounds, "Lesson", _timed(self.place / f"{name}.json")):
            headscope.layers("default", data, test=test, task=(task,), out=self.place / name, **options)
        return headscope.open(self.place / name)

    def times(self, judged: bool) -> Iterator[Row]:
        """Of a task and seed; what is judged is not together with the control task."""
        for name, says in {"words": "pos, deps", "pairs": "coref", "phrases": "srl, constituents"}.items():
            taken = _seconds(self.place / f"{name}.json")
            for control in (False, True):
                own = [seconds for also, seconds in taken if also == control]
                label = f"{says}: training and scoring the probes of all layers, a task and seed, at most"
                label += ", together with the control task" * control
                if own and judged and not control:
                    yield at_most(label, max(own), "s", SECONDS)
                elif own:
                    yield told(label, max(own), "s")


def _seconds(file: Path) -> list[tuple[bool, float]]:
    """Whether the control task was in a training, and its seconds, of all trainings so far."""
    return (
        [(bool(control), float(taken)) for control, taken in json.loads(file.read_text())]
        if file.exists()
        else []
    )


def _timed(file: Path) -> type[Lesson]:
    """Lessons that take down how long training and scoring took, and whether the control task was in it."""

    class Timed(Lesson):
        def learn(self, seed: int, control: bool, *rest: Any) -> Any:
            began = process_time()
            learned = super().learn(seed, control, *rest)
            file.write_text(json.dumps([*_seconds(file), (control, process_time() - began)]))
            return learned

        def score(self, *asked: Any) -> np.ndarray:
            began = process_time()
            counts = super().score(*asked)
            *before, (control, taken) = _seconds(file)
            file.write_text(json.dumps([*before, (control, taken + process_time() - began)]))
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


def rows_of(results: Sequence[Any], judged: bool) -> list[Row]:
    """Scores, layers, the order of tasks, and all that stands beside them."""
    tasks = pd.concat([result.table("layer_tasks") for result in results]).set_index("task")
    rows = [row for result in results for row in plain_rows(result)]
    if judged:
        rows += [
            at_least(f"{task}: all layers", 100 * tasks["score"][task], "%", least)
            for task, least in LEAST.items()
        ]
    rows += _order(tasks, judged)
    baselines = pd.concat([result.table("layer_baselines") for result in results])
    for row in baselines.to_dict("records"):
        task, name = row["task"], row["beside"]
        interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
        label = f"{task}: above {name} ({100 * row['beside_score']:.1f}; interval {interval})"
        above = 100 * row["above"]
        is_asked = judged and name == "random twin" and task != "coref"
        rows.append(
            at_least(label, above, "points", ABOVE_TWIN) if is_asked else told(label, above, "points")
        )
    beside = [row for result in results for row in (*_costs(result), *_published(result))]
    return [*rows, *beside]


def plain_rows(result: Any) -> Iterator[Row]:
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


def _costs(result: Any) -> Iterator[Row]:
    if "layer_codes" not in result.tables:
        return
    for row in result.table("layer_codes").groupby("task").tail(1).to_dict("records"):
        printed = f"as the published code adds up: {row['summed']:.1f}, {row['summed_compression']:.2f} times"
        about = f"{row['compression']:.2f} times shorter than n log2 K; {printed}"
        yield told(f"{row['task']}: online code of {row['targets']:,} labels ({about})", row["code"], "kbit")


def _published(result: Any) -> Iterator[Row]:
    for row in result.table("layer_published").to_dict("records"):
        ours = "none" if np.isnan(row["ours"]) else f"{row['ours']:.3g}"
        yield told(
            f"{row['task']}, {row['measure']}, {row['source']}, {row['about']}: ours {ours}", row["value"]
        )


def _named(corpus: str, rows: Iterator[Row]) -> list[Row]:
    return [{**row, "name": f"{corpus}, {row['name']}"} for row in rows]
