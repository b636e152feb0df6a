"""sentences: what can be read off one vector of a sentence, layer by layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headscope.analyses.analysis import Setting
from headscope.analyses.hidden_states import HiddenStates, of_sentence
from headscope.engine.effort import Steps
from headscope.engine.kept import temporary_store
from headscope.engine.planning import longest_segment
from headscope.engine.work import Plan
from headscope.errors import InputError
from headscope.heads import check_numbers
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast, to_reduce
from headscope.models.states import measure_states
from headscope.probes.vectors import INSTALL, Vectors, digest_vectors, find_vectors, read_vectors
from headscope.questions.asking import AboutCorpus
from headscope.questions.sentences.options import Options
from headscope.questions.sentences.outcomes import Outcomes, beside_of
from headscope.questions.sentences.reading import Sources, Task, chosen
from headscope.questions.sentences.rounds import Rounds, steps_of
from headscope.questions.sentences.spoken import Spoken
from headscope.questions.sentences.tables import arrays_of, tables_of
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.text import Corpus
from headscope.text.batches import Progress
from headscope.text.examples import Tagged
from headscope.text.readers.split_lines import SPLITS

PIECES = 256
"""Of the longest sentence."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, the tasks that the data give, vectors or none, and how to run.

    few: the tasks that cannot be probed.
    """

    options: Options
    read: Sequence[Corpus]
    tasks: Sequence[Task]
    few: Sequence[Task]
    spoken: Spoken
    vectors: Path | None
    plan: Plan
    asked: HiddenStates
    notes: list[str]
    quick: Steps

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything, and make the tasks."""
        vectors = find_vectors(options.vectors)
        sources = Sources.of(options.data, **options.reading())
        tasks = chosen(sources.tasks(options.seed), options.task)
        enough = [task for task in tasks if not task.lacks(options.least)]
        if not enough:
            reasons = "; ".join(f"{task.name}: {task.lacks(options.least)}" for task in tasks)
            raise InputError(f"no task can be probed: {reasons}; see --least")
        few = [task for task in tasks if task not in enough]
        model = load(options.model, **options.loading())
        plan, asked, notes = make_plan(model, options)
        spoken, corpus = Spoken.of(enough), sources.corpus()
        known = sources.corpora, enough, few, spoken, vectors, plan, asked, notes
        quick = () if options.quick else steps_of(replace(options, quick=True), enough, spoken)
        return cls(options, model, corpus, steps_of(options, enough, spoken), *known, quick)

    @property
    def corpora(self) -> Sequence[Corpus]:
        return self.read

    def decisions(self) -> dict[str, Any]:
        """The length of sentences, the layers, and what the vectors are."""
        place = self.vectors
        return {
            "pieces": self.plan.pieces,
            "layers": self.asked.layers,
            "vectors": place and {"name": place.name, "checksum": digest_vectors(place)},
        }


def make_plan(model: Model, options: Options) -> tuple[Plan, HiddenStates, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    count, dim = measure_states(model)
    layers = check_numbers(options.layers, count, "layer") or range(count)
    poolings: Any = options.poolings
    asked = HiddenStates(tuple(layers), dim, of_sentence, poolings, options.precision)
    pieces = longest_segment(model, options.pieces, PIECES)
    needed = forecast(model, pieces, options.batch_size)
    check_memory(needed, to_reduce(batch_size=options.batch_size, pieces=pieces))
    characters = options.shard_characters
    setting = Setting(model, seed=options.seed)
    plan = Plan(setting, [asked], pieces, options.batch_size, Tagged(), characters=characters)
    return plan, asked, list(model.notes)


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Classifiers over a model and its twins; without a run folder, vectors lie in a temporary one."""
    if store is None:
        with temporary_store() as place:
            return answer(question, place, progress)
    options, spoken, file = question.options, question.spoken, question.vectors
    wanted = {word.lower() for words in spoken.sentences for word in words}
    vectors = None if file is None else read_vectors(file, wanted)
    rounds = Rounds(question.plan, question.asked, question.tasks, spoken, options, store, progress)
    model = rounds.of_model()
    outcomes = Outcomes(
        question.tasks,
        question.asked,
        model,
        [rounds.of_twin(twin, model) for twin in range(options.at_random)],
        beside_of(question.tasks, spoken, model, vectors, store),
        options.seed,
        measure_states(question.plan.setting.model)[0],
    )
    notes = [*question.notes, *about(question, vectors, model.skipped)]
    tables = tables_of(outcomes, question.few, options.least)
    return Result("sentences", {"sentences": arrays_of(outcomes)}, tables, notes=notes)


def about(question: Question, vectors: Vectors | None, skipped: dict[str, int]) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options = question.options
    counts = [[len(task.examples), *map(task.count, SPLITS)] for task in question.tasks]
    sizes = [
        f"{task.name} {every:,} ({train:,} / {tune:,} / {test:,})"
        for task, (every, train, tune, test) in zip(question.tasks, counts, strict=True)
    ]
    notes = [f"examples to train on / to tune / to score: {', '.join(sizes)}"]
    notes += [f"{task.name} is not probed: {task.lacks(options.least)}" for task in question.few]
    notes += [f"{words:,} words are skipped: {reason}" for reason, words in sorted(skipped.items())]
    notes.append(
        "layer 0 are the embeddings; mean and max are over the pieces of words, first and last are the first "
        "and last piece, special tokens among them"
    )
    if vectors is None:
        notes.append(f"no word vectors, so no bag of vectors: give --vectors FILE, or {INSTALL}")
    else:
        notes.append(f"bag of vectors: {vectors.name}, words in lower case")
    notes.append(
        "published: Conneau et al. 2018, table 2, on their own English data of 100,000 training sentences a "
        "task; its bag of vectors is fastText's"
    )
    notes.append(
        "an erased dimension is put to "
        + ("its mean over training sentences" if options.erase == "mean" else "0, as in Li et al. 2016")
        + "; which ones go first is decided by training examples"
    )
    return notes
