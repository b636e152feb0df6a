"""survey: what every head does on the surface, over a corpus; of causal models also over made text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Analysis
from headscope.attention import RowBlocks
from headscope.blocks import FEWEST
from headscope.engine.effort import passes_over
from headscope.engine.planning import left_out, longest_segment, setting_of
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.errors import OptionError
from headscope.models import Model, load
from headscope.models.forecast import BLOCKWISE_ABOVE, check_memory, distance_rows, forecast, to_reduce
from headscope.models.sides import check_targets
from headscope.questions.asking import AboutCorpus
from headscope.questions.checkpoints import Checkpoint, Point, check_checkpoints, find_checkpoints
from headscope.questions.survey.causal import made_plan, of_running_text
from headscope.questions.survey.distances import Distances
from headscope.questions.survey.examples import examples
from headscope.questions.survey.gradients import Gradients
from headscope.questions.survey.known import read_known, with_known
from headscope.questions.survey.lengths import Taken
from headscope.questions.survey.offers import EARLIER, RUNNING
from headscope.questions.survey.options import Options
from headscope.questions.survey.sentences import BUDGET, choose, look_at, within_budget
from headscope.questions.survey.series import earlier_dataset, onsets_table, series_table
from headscope.questions.survey.surface import SHORT, Surface
from headscope.questions.survey.tables import heads_dataset, make_tables
from headscope.results.folder import RunFolder
from headscope.results.known import Known
from headscope.results.result import Result
from headscope.results.sentences import sentence_arrays
from headscope.tasks.losses import Loss, own_loss, why_no_loss
from headscope.text import Corpus, Spans
from headscope.text.batches import Progress
from headscope.text.repeats import made_documents

PIECES = 128


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, a text, what is known of the heads already, and how to run."""

    options: Options
    known: list[Known]
    plan: Plan
    made: Plan | None
    checkpoints: list[Checkpoint]
    series: list[dict[str, str]]
    notes: list[str]

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        corpus, words = options.corpus, options.words
        model = load(options.model, **options.loading())
        if options.target is not None and model.shape != "encoder-decoder":
            raise OptionError(f"--target needs an encoder-decoder; {model.name} is not one")
        check_targets(model, corpus)
        plan, notes = make_plan(model, options)
        made, known = made_plan(plan, options, notes), read_known(options.known, model)
        checkpoints = find_checkpoints(options)
        series = check_checkpoints(model, checkpoints)
        steps = [passes_over(words, 1 + len(checkpoints))]
        return cls(options, model, corpus, steps, known, plan, made, checkpoints, series, notes)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """With the weights of the checkpoints, where there are some."""
        return {**super().identity, **({"checkpoints": self.series} if self.series else {})}

    def decisions(self) -> dict[str, Any]:
        """The length of segments, and what was known."""
        known = {"known": [f"{fact.head}: {fact.name}" for fact in self.known]} if self.known else {}
        return {"pieces": self.plan.pieces} | known


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every head of a model, surveyed over a text."""
    plan, corpus = question.plan, question.corpus
    done = run(plan, corpus, "survey", store, progress)
    dataset = heads_dataset([*plan.arrays(done), *of_made_text(question, store)], plan.setting)
    dataset = with_known(dataset, question.known) if question.known else dataset
    dataset.attrs["segments"] = done.segments
    sentences, left_out = with_sentences(plan, corpus, dataset)
    left_out += [f"{words:,} words are skipped: {reason}" for reason, words in sorted(done.skipped.items())]
    notes, tables = [*question.notes, *about(dataset), *left_out], make_tables(dataset)
    arrays = {"heads": dataset, **sentences}
    points = list(through_training(question, store, progress))
    if points:
        whole = with_last(question, points, dataset)
        tables |= {"series": series_table(whole), "onsets": onsets_table(whole)}
        arrays[EARLIER] = earlier_dataset(points)
    return Result("survey", arrays, tables, notes=notes)


def through_training(
    question: Question, store: RunFolder | None, progress: Progress | None
) -> Iterator[Point]:
    """What heads do at each checkpoint, which is loaded only while it is its turn."""
    wanted = (Surface.name, RUNNING, Taken.name)
    for number, checkpoint in enumerate(question.checkpoints):
        part, model = f"survey/checkpoint-{number}", checkpoint.load()
        plan = question.plan.with_model(model)
        plan = replace(plan, analyses=[each for each in plan.analyses if each.name in wanted])
        arrays = plan.arrays(run(plan, question.corpus, part, store, progress))
        if question.made is not None:
            made = question.made.with_model(model)
            documents = made_documents(question.options.made)
            arrays += made.arrays(run(made, documents, f"{part}-made", store))
        yield Point(checkpoint.series, checkpoint.name, heads_dataset(arrays, plan.setting))


def with_last(question: Question, points: list[Point], dataset: xr.Dataset) -> list[Point]:
    """The checkpoints and the model behind them, where it is not the last and they are one series."""
    is_last = question.series[-1]["weights"] == question.model.fingerprints.weights
    if is_last or len({point.series for point in points}) > 1:
        return points
    return [*points, Point(points[0].series, question.model.name, dataset)]


def of_made_text(question: Question, store: RunFolder | None) -> list[xr.Dataset]:
    """The arrays of the pass over made text; nothing where there is none."""
    plan = question.made
    if plan is None:
        return []
    return plan.arrays(run(plan, made_documents(question.options.made), "survey/made", store))


def make_plan(model: Model, options: Options) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    setting = setting_of(model, options)
    notes = [*model.notes, *left_out(setting)]
    pair = model.reads_pairs
    pieces = longest_segment(model, options.pieces, PIECES, pair)
    blockwise = options.rows is not None or (pieces > BLOCKWISE_ABOVE and model.shared_function)
    blocks = RowBlocks(rows=options.rows, seed=options.seed) if blockwise else None
    if options.rows is not None:
        notes.append(
            f"only {options.rows} sampled query rows of each segment were heard (seed {options.seed})"
        )
    analyses: list[Analysis] = [Surface()]
    if options.distances:
        limit = distance_rows(model, pieces, options.batch_size, setting.chosen())
        analyses.append(Distances(limit, blocks))
    analyses += of_running_text(setting, notes)
    loss = _choose_loss(model, options, blockwise, notes)
    if loss is not None:
        analyses.append(Gradients(loss))
    needed = forecast(
        model, pieces, options.batch_size, layers=setting.layers,
        distances=options.distances, gradients=loss is not None, blockwise=blockwise,
    )  # fmt: skip
    more = [f"--no-{name}" for name in ("distances", "gradients") if needed.parts[name]]
    more += ["--rows 256"] if model.shared_function and not blockwise else []
    advice = to_reduce(batch_size=options.batch_size, pieces=pieces)
    check_memory(needed, f"{advice}, or add {' or '.join(more)}" if more else advice)
    characters = options.shard_characters
    cutter = Spans(pair, options.shortest)
    plan = Plan(setting, analyses, pieces, options.batch_size, cutter, blocks, characters=characters)
    return plan, notes


def _choose_loss(model: Model, options: Options, blockwise: bool, notes: list[str]) -> Loss | None:
    if not options.gradients:
        return None
    loss: Loss | None = options.loss or own_loss(model, options.masking, options.seed)
    if loss is None:
        notes.append(f"no gradients (figure 3): {why_no_loss(model)}")
    elif blockwise:
        notes.append(
            f"no gradients: they need whole maps, here are blocks; use --pieces {BLOCKWISE_ABOVE} or less"
        )
        return None
    return loss


def with_sentences(
    plan: Plan, corpus: Corpus, dataset: xr.Dataset
) -> tuple[dict[str, xr.Dataset], list[str]]:
    """What is seen in a few sentences: `examples` for figure 1, every head's maps; and notes on these."""
    sentences = choose(plan, corpus)
    looks = [look_at(plan, sentence) for sentence in sentences]
    arrays = {"examples": examples(looks[0], dataset)}
    affordable = within_budget(looks)
    for number, (sentence, look) in enumerate(zip(sentences, affordable, strict=False)):
        arrays |= sentence_arrays(number, sentence.text, look)
    if len(affordable) == len(looks):
        return arrays, []
    size = f"one byte for each weight of all heads would be more than {BUDGET:,}"
    return arrays, [f"{len(affordable)} of {len(looks)} example sentences are kept with their maps: {size}"]


def about(dataset: xr.Dataset) -> list[str]:
    """What the numbers are, for the reader of a run."""
    segments, documents = dataset.attrs["segments"], dataset.attrs["documents"]
    notes = [
        f"{_counted(segments, 'segment')} of {_counted(documents, 'document')}; means within a "
        "segment, then over segments with equal weight; standard errors over documents",
    ]
    short = dataset.attrs["short"]
    if short:
        notes.append(
            f"{short:,} of {_counted(segments, 'segment')} under {SHORT} pieces, where each counts as much "
            f"as a long one; --shortest {SHORT} leaves such segments out"
        )
    if "divergence_error" in dataset:
        notes.append(
            f"distances use {dataset.attrs['distance_rows']} query rows of each segment, drawn from the "
            f"seed; {_off_by(dataset['divergence_error'].values)}"
        )
    if documents < FEWEST:
        notes.append(f"fewer than {FEWEST} documents give no standard errors; part documents by blank lines")
    return notes


def _off_by(errors: np.ndarray) -> str:
    if np.isnan(errors).all():
        return "how far that is off is not known, as the rows that are heard are the same in every segment"
    return (
        f"that changes them by about {np.nanmedian(errors):.2g} nats (standard error; the largest of all "
        f"pairs {np.nanmax(errors):.2g})"
    )


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"
