"""layers: at which layer a model's hidden states hold which structure."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.analyses.hidden_states import HiddenStates
from headscope.engine.effort import Step, Steps, passes_over
from headscope.engine.kept import kept, temporary_store
from headscope.engine.planning import longest_segment
from headscope.engine.work import Plan
from headscope.models import load
from headscope.models.forecast import check_memory, forecast, to_reduce
from headscope.models.states import measure_states
from headscope.probes.edge_training import CODED
from headscope.probes.edges import Shape
from headscope.questions.asking import AboutCorpus
from headscope.questions.layers import more_tables, tables
from headscope.questions.layers.edge_tasks import NEGATIVES, TASKS, tasks_named
from headscope.questions.layers.options import Options
from headscope.questions.layers.reading import WINDOWS, Data, read_data
from headscope.questions.layers.rounds import BATCH, Rounds, View, words_of_probe
from headscope.questions.layers.targets import EdgeTargets, Labels
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text import Corpus, Sentences, Windows, read
from headscope.text.batches import Progress

PIECES = 256
"""Of the longest segment."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, annotated text to train on and to score, and what it holds."""

    options: Options
    test: Corpus | None
    data: Data
    pieces: int
    states: tuple[int, int]  # how many a piece has, and how many numbers each
    quick: Steps

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything; the data are read once here, and once more when they are kept."""
        asked = tasks_named(options.task)
        corpus = read(options.data, **options.reading())
        test = None if options.test is None else read(options.test, **options.reading())
        data = read_data(corpus, test, asked, options.seed)
        model = load(options.model, **options.loading())
        pieces = longest_segment(model, options.pieces, PIECES)
        needed = forecast(model, pieces, options.batch_size)
        check_memory(needed, to_reduce(batch_size=options.batch_size, pieces=pieces))
        quick = () if options.quick else steps_of(replace(options, quick=True), data)
        known = test, data, pieces, measure_states(model), quick
        return cls(options, model, corpus, steps_of(options, data), *known)

    @property
    def corpora(self) -> Sequence[Corpus]:
        return (self.corpus,) if self.test is None else (self.corpus, self.test)

    def decisions(self) -> dict[str, Any]:
        """The tasks, the length of segments, and what the other file holds."""
        return {
            "task": [task.name for task in self.data.tasks],
            "pieces": self.pieces,
            "test": self.test and self.test.identity,
        }

    def view(self, name: str, data: Corpus, test: Corpus | None) -> View:
        """How the documents of some tasks are run."""
        options, (layers, dim) = self.options, self.states
        cutter = Windows(options.window) if name == WINDOWS else Sentences()
        gathered = HiddenStates(tuple(range(layers)), dim, precision=options.precision)
        targets = EdgeTargets(self.data.labels(name), options.seed)
        plan = Plan(
            Setting(self.model, seed=options.seed),
            [gathered, targets],
            self.pieces,
            options.batch_size,
            cutter,
            characters=options.shard_characters,
        )
        return View(name, plan, self.data.corpora(name, data, test))

    def shape(self, labels: Labels) -> Shape:
        """The probes of a task."""
        options = self.options
        sizes = (*self.states, labels.spans, len(labels.names), options.width)
        return Shape(*sizes, options.pooling, options.normalise)


def steps_of(options: Options, data: Data) -> list[Step]:
    """The passes that gather hidden states, and all probes."""
    words = data.train.words.total() + data.test.words.total()
    learning = _learning([data.train.items[task.name] for task in data.tasks], options)
    return [passes_over(words, 1 + options.at_random), learning]


def _learning(targets: Sequence[int], options: Options) -> Step:
    """All probes; targets: of each task."""
    each = options.trained + options.at_random
    codes = [options.coded, *[False] * (each - 1)]
    words = sum(words_of_probe(own, options.steps, code) for own in targets for code in codes)
    told = f"{each * len(targets)} times {options.steps:,} batches of probes"
    return Step(told + " and their code" * options.coded, words)


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Probes of a model and of its twins; without a run folder, states lie in a temporary one meanwhile."""
    if store is None:
        with temporary_store() as place:
            return answer(question, place, progress)
    options = question.options
    keep = partial(kept, store=store, characters=options.shard_characters)
    with (
        keep(question.corpus, "layers/text") as data,
        nullcontext() if question.test is None else keep(question.test, "layers/test-text") as test,
    ):
        views = [question.view(name, data, test) for name in question.data.views()]
        rounds = Rounds(
            *(views, question.shape, question.data.train.items, options.steps),
            *(options.controlled, options.coded, store, progress),
        )
        outcomes = rounds.of_model([options.seed + number for number in range(options.trained)])
        twins = [outcome for twin in range(options.at_random) for outcome in rounds.of_twin(twin)]
    labels = {own.task: len(own.names) for view in views for own in view.labels}
    several = tables.solved_of(outcomes, twins, options.seed)
    made = _tables(several, labels, question)
    arrays = xr.Dataset.from_dataframe(
        made["layer_scores"].set_index(["task", "layer"])[["score", "gain", "weight", "twin"]]
    )
    return Result("layers", {"layer_scores": arrays}, made, notes=[*question.model.notes, *about(question)])


def _tables(
    several: Sequence[tables.Solved], labels: dict[str, int], question: Question
) -> dict[str, pd.DataFrame]:
    made = {
        "layer_tasks": tables.tasks_table(several, labels),
        "layer_scores": tables.layers_table(several),
        "layer_baselines": tables.baselines_table(several),
        "layer_codes": more_tables.codes_table(several, labels),
        "layer_cases": more_tables.cases_table(several),
        "layer_seeds": tables.seeds_table(several),
        "layer_targets": more_tables.targets_table(several, question.data),
    }
    made["layer_published"] = more_tables.published_table(made["layer_tasks"], made["layer_codes"])
    made["layer_heads"] = more_tables.heads_table(made["layer_scores"], question.model)
    return {name: table for name, table in made.items() if len(table)}


def about(question: Question) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options, names = question.options, [task.name for task in question.data.tasks]
    notes = [f"{name}: {TASKS[name].says}" for name in names]
    if "coref" in names:
        notes.append(
            f"coref: pairs of mentions in windows of at most {options.window} words; {NEGATIVES} pairs of "
            "different entities are drawn for each pair of one; the score is F1 of the pairs of one entity"
        )
    if "srl" in names:
        notes.append("srl: labels that begin with R- or C- are learned and not scored, as it was published")
    notes += [
        "a probe for each layer reads the mix of layers 0 to it; all are trained at once, for "
        f"{options.steps} batches of {BATCH} targets, and the last weights are kept: nothing is chosen",
        "expected layer and center of gravity count the embeddings as layer 0 and the states behind the "
        "first layer as 1; a head of L0 works into layer 1",
        "low and high: documents and seeds drawn again, but not the twins and the control labels; a twin "
        "keeps the word and position embeddings",
    ]
    if options.controlled:
        notes.append(
            "control task: a label drawn once for each word type, with the shares of the task's labels, "
            "asked of the last word of the first span; selectivity is the score less the score there"
        )
    if options.coded:
        notes.append(
            f"online code: of at most {CODED:,} targets, the first seed; published code adds bits and nats, "
            "which stands beside it as summed"
        )
    if question.model.shape == "decoder":
        notes.append("the model is causal: a word's states know earlier words only")
    return notes
