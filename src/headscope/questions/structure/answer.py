"""structure: how close heads come to trees, beside even attention, false trees and checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import xarray as xr

from headscope.analyses.census import Census
from headscope.analyses.closeness import ASKED, REACHED, Closeness
from headscope.engine.planning import longest_segment, reading_setting, sentences_together
from headscope.engine.running import run
from headscope.engine.twins import run_twins
from headscope.engine.work import Done, Plan
from headscope.models import Model, load
from headscope.questions.asking import AboutCorpus
from headscope.questions.checkpoints import Checkpoint, Point, check_checkpoints, find_checkpoints
from headscope.questions.structure.curves import curves_table, onsets_table, strips
from headscope.questions.structure.examples import examples, linked
from headscope.questions.structure.options import Options
from headscope.questions.structure.reception import reception_table
from headscope.questions.structure.scores import (
    best_table,
    heads_table,
    layers_table,
    tests_table,
    trees_table,
)
from headscope.questions.structure.summary import summary_table
from headscope.questions.treebank import Source
from headscope.results.folder import RunFolder
from headscope.results.linked import LINKED
from headscope.results.result import Result
from headscope.results.vocabulary import FALSE_TREES
from headscope.text import Corpus, Sentences
from headscope.text.batches import Progress

PIECES, BATCH = 256, 128


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, its earlier checkpoints, a treebank, and how to run."""

    options: Options
    source: Source
    checkpoints: list[Checkpoint]
    series: list[dict[str, str]]
    plan: Plan
    notes: list[str]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        source = Source.of(options)
        checkpoints = find_checkpoints(options)
        model = load(options.model, **options.loading())
        series = check_checkpoints(model, checkpoints)
        plan, notes = make_plan(model, options)
        steps = source.steps(1 + options.twins + len(checkpoints))
        return cls(options, model, source.corpus, steps, source, checkpoints, series, plan, notes)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """With the weights of the checkpoints."""
        return {**super().identity, "checkpoints": self.series}

    def decisions(self) -> dict[str, Any]:
        """The length of sentences, and how many run together."""
        return {"pieces": self.plan.pieces, "batch_size": self.plan.batch_size}


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every head of a model beside trees, true and false."""
    options = question.options
    with question.source.kept("structure/text", store, progress) as trees:
        plan = replace(question.plan, analyses=[Closeness(Census.of(trees, options.scheme, options.seed))])
        done = run(plan, trees, "structure", store, progress)
        (dataset,) = plan.arrays(done)
        twins = [twin for (twin,) in run_twins(plan, options.twins, trees, "structure", store, progress)]
        points = list(_points(question, plan, trees, store, progress)) or [Point("", question.name, dataset)]
        tests = tests_table(dataset, options.seed)
        heads = heads_table(dataset, twins, tests, options.seed)
        maps = examples(plan, trees, dataset)
        arrays = {"structure": strips(points), "structure_maps": maps, **LINKED.arrays(linked(maps))}
    tables = {
        "structure": heads,
        "structure_tests": tests,
        "structure_best": best_table(dataset, twins, options.seed),
        "structure_layers": layers_table(dataset),
        "structure_trees": trees_table(dataset),
        "structure_reception": reception_table(dataset),
        "structure_curves": curves_table(points, options.seed),
        "structure_summary": summary_table(heads, tests),
    }
    if question.checkpoints:
        tables["structure_onsets"] = onsets_table(points, options.seed)
    notes = [*question.notes, *about(dataset, done, options)]
    return Result("structure", arrays, tables, notes=notes)


def _points(
    question: Question, plan: Plan, trees: Corpus, store: RunFolder | None, progress: Progress | None
) -> Iterator[Point]:
    """Each checkpoint measured, loaded only while it is its turn."""
    for number, checkpoint in enumerate(question.checkpoints):
        own = plan.with_model(checkpoint.load())
        (dataset,) = own.arrays(run(own, trees, f"structure/checkpoint-{number}", store, progress))
        yield Point(checkpoint.series, checkpoint.name, dataset)


def make_plan(model: Model, options: Options) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it; the analysis comes when trees are there."""
    setting, notes = reading_setting(model, options)
    pieces = longest_segment(model, options.pieces, PIECES)
    batch_size = sentences_together(model, options.batch_size, BATCH, pieces)
    cutter, characters = Sentences(options.spaced), options.shard_characters
    return Plan(setting, [], pieces, batch_size, cutter, characters=characters), notes


def about(dataset: xr.Dataset, done: Done, options: Options) -> list[str]:
    """What the numbers are, for the reader of a run."""
    trees = trees_table(dataset).set_index("tree")
    notes = [f"{done.segments:,} sentences of {dataset.attrs['documents']:,} documents, {done.words:,} words"]
    notes += [f"{words:,} words are skipped: {reason}" for reason, words in sorted(done.skipped.items())]
    notes += [
        "kl is KL(target || attention) in nats, attention being that between words as parts of what goes to "
        "words at all; a weight that is 0 in single precision counts as the smallest number, 87.3 nats",
        "even: attention that is even over the words that can be seen; swapped: the true tree of another "
        "sentence of equal length; matched: random trees with the directions and lengths of true arcs; "
        "arc_standard: a transition parser that acts at random over shuffled words; uniform: all trees alike",
        "difference is true less false in the same sentences, each less even attention (targets differ in "
        "entropy), paired over blocks of documents; closer: the "
        "interval for all heads at once is below 0; found: closer than to all four kinds of false trees, and "
        "by more over swapped ones than any head of a random twin",
    ]
    left = [f"{trees['left_out'][tree]:,} for {tree}" for tree in FALSE_TREES if trees["left_out"][tree]]
    if left:
        notes.append(
            f"sentences without a false tree (too short, or alone with their length): {', '.join(left)}"
        )
    if options.scheme == "sd":
        notes.append("prepositions are put above their nouns (--scheme sd)")
    asked, reached = (float(dataset["counts"][..., place].sum()) for place in (ASKED, REACHED))
    if reached < (1 - 1e-6) * asked:
        notes.append(
            "some targets cannot be seen: kl is over those that can, coverage is their share, and kl_all "
            "counts the others as 0 over all words"
        )
    return notes
