"""probe: how much of a treebank's trees can be read off the attention of all heads together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from headscope.engine.effort import Step, Steps, passes_over
from headscope.engine.kept import kept, temporary_store
from headscope.engine.planning import longest_segment, reading_setting
from headscope.engine.work import Plan
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast, to_reduce
from headscope.probes.outcomes import Outcome
from headscope.probes.vectors import INSTALL, Vectors, digest_vectors, find_vectors, read_vectors
from headscope.questions.asking import AboutCorpus
from headscope.questions.probe.options import Options
from headscope.questions.probe.rounds import Rounds
from headscope.questions.probe.tables import (
    control_table,
    heads_dataset,
    heads_table,
    probes_table,
    summary_table,
)
from headscope.questions.probe.word_features import WordFeatures
from headscope.results.folder import RunFolder
from headscope.results.result import Result
from headscope.tasks.course import Course
from headscope.text import Corpus, Sentences, read
from headscope.text.batches import Progress
from headscope.text.treebanks import USES, Splits, split_treebank

PIECES, PATIENCE = 256, 2
"""Of the longest sentence; epochs without a lower loss on other documents after which a probe stops."""

LEARNING = 0.13
"""What training costs for a word and a task, in passes over it: as measured of the embedded model."""


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, a treebank in its splits, vectors or none, and how to run."""

    options: Options
    test: Corpus | None
    splits: Splits
    vectors: Path | None
    plan: Plan
    notes: list[str]
    quick: Steps

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything; both files are read once here, and once more when they are kept."""
        vectors = find_vectors(options.vectors)
        treebank = read(options.treebank, **options.reading())
        test = None if options.test is None else read(options.test, **options.reading())
        splits = split_treebank(treebank, test, options.seed)
        model = load(options.model, **options.loading())
        plan, notes = make_plan(model, options)
        quick = () if options.quick else steps_of(replace(options, quick=True), splits)
        known = test, splits, vectors, plan, notes, quick
        return cls(options, model, treebank, steps_of(options, splits), *known)

    @property
    def corpora(self) -> Sequence[Corpus]:
        return (self.corpus,) if self.test is None else (self.corpus, self.test)

    def decisions(self) -> dict[str, Any]:
        """The length of sentences, and what the other files hold."""
        place = self.vectors
        return {
            "pieces": self.plan.pieces,
            "test": self.test and self.test.identity,
            "vectors": place and {"name": place.name, "checksum": digest_vectors(place)},
        }


def steps_of(options: Options, splits: Splits) -> Steps:
    """Every model goes over all once, and its probes over the training split, if none stops early."""
    learned, train = options.trained + options.at_random, splits.words["train"]
    told = f"{learned} times {options.epochs} epochs of all probes over {train:,} words"
    return [
        passes_over(sum(splits.words.values()), 1 + options.at_random),
        Step(told, learned * options.epochs * train, LEARNING * (1 + options.controlled)),
    ]


def make_plan(model: Model, options: Options) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    setting, notes = reading_setting(model, options)
    pieces = longest_segment(model, options.pieces, PIECES)
    needed = forecast(model, pieces, options.batch_size)
    check_memory(needed, to_reduce(batch_size=options.batch_size, pieces=pieces))
    cutter, characters = Sentences(options.spaced), options.shard_characters
    return Plan(setting, [WordFeatures()], pieces, options.batch_size, cutter, characters=characters), notes


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Probes of a model and of its twins; without a run folder, features lie in a temporary one meanwhile."""
    if store is None:
        with temporary_store() as place:
            return answer(question, place, progress)
    options, splits, plan = question.options, question.splits, question.plan
    vectors = None if question.vectors is None else read_vectors(question.vectors, splits.types)
    keep = partial(kept, store=store, characters=options.shard_characters)
    with (
        keep(question.corpus, "probe/text") as treebank,
        nullcontext() if question.test is None else keep(question.test, "probe/test-text") as test,
    ):
        corpora = splits.corpora(treebank, test)
        course = Course(options.epochs, evaluations=1, patience=PATIENCE)
        rounds = Rounds(plan, corpora, splits.words, vectors, course, options.controlled, store, progress)
        outcomes = rounds.of_model([options.seed + number for number in range(options.trained)])
        twins = [rounds.of_twin(number) for number in range(options.at_random)]
    heads = heads_dataset(outcomes, plan.setting, options.seed)
    tables = {
        "probes": probes_table(outcomes, twins),
        "probe_summary": summary_table(outcomes, twins, options.seed),
        "probe_heads": heads_table(heads),
    }
    if options.controlled:
        tables["probe_control"] = control_table(outcomes, options.seed)
    notes = [*question.notes, *about(question, vectors, outcomes[0])]
    return Result("probe", {"heads": heads}, tables, notes=notes)


def about(question: Question, vectors: Vectors | None, outcome: Outcome) -> list[str]:
    """What the numbers are, for the reader of a run."""
    data = {name: outcome.data[name] for name in USES}
    sizes = [f"{data[name]['sentences']:,} sentences to {use}" for name, use in USES.items()]
    notes = [", ".join(sizes) + "; the parts have no document in common"]
    notes += [
        f"{words:,} words of the {name} part are skipped: {reason}"
        for name, split in data.items()
        for reason, words in sorted(split["skipped"].items())
    ]
    if vectors is None:
        notes.append(f"no word vectors, so no probe with words: give --vectors FILE, or {INSTALL}")
    else:
        share = vectors.coverage(question.splits.scored)
        notes.append(
            f"word vectors: {vectors.name}, words in lower case; {share:.1%} of the scored words have one, "
            "the others zeros"
        )
    if not question.model.tokenizer.num_special_tokens_to_add():
        notes.append("the model has no special tokens, so ROOT has a learned bias alone")
    notes += [
        "uas: words whose head is right, punctuation left out, ROOT a candidate, a word itself not; uuas: "
        "undirected edges between words that are no punctuation; _tree: of the best tree with one root, "
        "else each word by itself",
        "spread is over seeds (other weights, other order) or random twins; low and high over documents; "
        "published: Clark et al. 2019, table 3, BERT-base on the Penn Treebank with Stanford dependencies. "
        "Its structural probe (Hewitt and Manning 2019), 80 UUAS, reads hidden states instead of attention",
        "drop: what uas loses when both weights of a head are zero and the others stay as trained",
    ]
    if question.options.controlled:
        notes.append(
            "control: each word type depends on itself, the first or the last word, drawn at random; there, "
            "and only there, a word itself is a candidate. selectivity is uas less the score there"
        )
    return notes
