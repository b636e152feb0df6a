"""probe: how much of a treebank's trees can be read off the attention of all heads together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from headscope.analyses.probing import (
    control_table,
    heads_dataset,
    heads_table,
    probes_table,
    summary_table,
)
from headscope.analyses.word_features import WordFeatures
from headscope.engine.work import Plan, Progress
from headscope.errors import OptionError
from headscope.jobs.planning import at_least_one, longest_segment, reading_setting
from headscope.jobs.rounds import VERB, Rounds, Store
from headscope.jobs.running import Asked, into_folder
from headscope.jobs.treebanks import USES, Parts, open_corpus, part
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast
from headscope.probes.outcomes import Outcome
from headscope.probes.training import Course
from headscope.probes.vectors import INSTALL, Vectors, digest_vectors, find_vectors, read_vectors
from headscope.results.folder import RunFolder
from headscope.results.paths import next_run_path
from headscope.results.result import Result
from headscope.text import Corpus, Sentences

PIECES = 256


@dataclass(frozen=True)
class Options:
    """What can be chosen.

    seeds: how often each probe is trained, from other weights and in another order. twins: random twins of
    the model to probe too. epochs: at most. control: train on the control task too. pieces: longest
    sentence; by default PIECES, or what the model takes if that is less. spaced: part the words of a
    sentence by single spaces, as the published code does. limit: documents of each file.
    """

    seeds: int = 3
    twins: int = 5
    epochs: int = 5
    control: bool = True
    pieces: int | None = None
    batch_size: int = 32
    spaced: bool = True
    layers: tuple[int, ...] | None = None
    heads: tuple[int, ...] | None = None
    limit: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        at_least_one(self, "seeds", "epochs", "pieces", "batch_size", "limit")
        if self.twins < 0:
            raise OptionError(f"--twins must be 0 or more, not {self.twins}")


@dataclass(frozen=True)
class Question:
    """A model, a treebank in its parts, vectors or none, and how to run."""

    model: Model
    treebank: Corpus
    test: Corpus | None
    parts: Parts
    vectors: Path | None
    options: Options

    @classmethod
    def of(
        cls, model: Any, treebank: Any, test: Any, vectors: str | Path | None, options: dict[str, Any]
    ) -> Question:
        """Open and check everything; both files are read once."""
        chosen = Options(**options)
        place = find_vectors(vectors)
        corpus = open_corpus(treebank, chosen.limit)
        scored = None if test is None else open_corpus(test, chosen.limit)
        return cls(load(model), corpus, scored, part(corpus, scored, chosen.seed), place, chosen)

    @property
    def total(self) -> int:
        """Words to go through, if no training stops early: each model once, and the training part again."""
        options, words = self.options, self.parts.words
        rounds = options.seeds + options.twins
        return (1 + options.twins) * sum(words.values()) + rounds * options.epochs * words["train"]

    def asked(self, pieces: int) -> Asked:
        """What is recorded: the options, with the length of sentences that was decided on."""
        test = None if self.test is None else {"name": self.test.name, "checksum": self.test.checksum}
        place = self.vectors
        vectors = None if place is None else {"name": place.name, "checksum": digest_vectors(place)}
        options = asdict(replace(self.options, pieces=pieces))
        return Asked.of(VERB, self.model, self.treebank, {**options, "test": test, "vectors": vectors})

    def plan(self) -> tuple[Plan, list[str]]:
        """How to run, and what a reader must know of it."""
        options = self.options
        setting, notes = reading_setting(self.model, options)
        pieces = longest_segment(self.model, options.pieces, PIECES)
        needed = forecast(
            self.model, pieces, options.batch_size, distances=False, gradients=False, blockwise=False
        )
        check_memory(needed, {"--batch-size": options.batch_size, "--pieces": pieces})
        return Plan(setting, [WordFeatures()], pieces, options.batch_size, Sentences(options.spaced)), notes


def probe(
    model: Any = "default",
    treebank: Any = None,
    *,
    test: Any = None,
    vectors: str | Path | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
    plots: bool = True,
    **options: Any,
) -> Result:
    """Train probes that find each word's head from the attention of all heads; score them beside baselines.

    model: anything `headscope.load` takes. treebank: a .conllu or .dep file, or a corpus with trees, to train
    on. test: another one to score; without it, a fifth of the documents is held out. vectors: a file of
    word vectors (word number number ...); without it, GloVe if its package is installed. options: see
    `Options`. With `out`, the run folder is written, or continued if it was stopped; without, features lie
    in a temporary folder meanwhile.
    """
    return answer(Question.of(model, treebank, test, vectors, options), out, progress, plots)


def answer(
    question: Question, out: str | Path | None = None, progress: Progress | None = None, plots: bool = True
) -> Result:
    """The result, computed into a run folder or without one."""
    plan, notes = question.plan()
    asked = question.asked(plan.pieces)

    def compute(store: Store) -> Result:
        return _compute(question, plan, notes, asked, store, progress)

    if out is not None:
        return into_folder(Path(out), asked, compute, plots)
    with TemporaryDirectory(prefix="headscope-") as folder:
        return compute(RunFolder(folder))


def probe_path(question: Question, root: str | Path = "runs") -> Path:
    """Where a run goes that names no folder: a new one, or that of the same command, stopped before."""
    plan, _ = question.plan()
    identity = question.asked(plan.pieces).identity
    return next_run_path(root, VERB, question.model.name, {"identity": identity})


def _compute(
    question: Question, plan: Plan, notes: list[str], asked: Asked, store: Store, progress: Progress | None
) -> Result:
    options, parts = question.options, question.parts
    vectors = None if question.vectors is None else read_vectors(question.vectors, parts.types)
    rounds = Rounds(plan, parts, vectors, Course(options.epochs), options.control, store, progress)
    outcomes = rounds.of_model([options.seed + number for number in range(options.seeds)])
    twins = [rounds.of_twin(number) for number in range(options.twins)]
    heads = heads_dataset(outcomes, plan.setting, options.seed)
    tables = {
        "probes": probes_table(outcomes, twins),
        "probe_summary": summary_table(outcomes, twins, options.seed),
        "probe_heads": heads_table(heads),
    }
    if options.control:
        tables["probe_control"] = control_table(outcomes, options.seed)
    told = [*notes, *about(question, plan, vectors, outcomes[0])]
    return Result(VERB, {"heads": heads}, tables, asked.finished(), told)


def about(question: Question, plan: Plan, vectors: Vectors | None, outcome: Outcome) -> list[str]:
    """What the numbers are, for the reader of a run."""
    data = {name: outcome.data[name] for name in USES}
    sizes = [f"{data[name]['sentences']:,} sentences to {use}" for name, use in USES.items()]
    told = [", ".join(sizes) + "; the parts have no document in common"]
    told += [
        f"{words:,} words of the {name} part are skipped: {reason}"
        for name, of_part in data.items()
        for reason, words in sorted(of_part["skipped"].items())
    ]
    if vectors is None:
        told.append(f"no word vectors, so no probe with words: give --vectors FILE, or {INSTALL}")
    else:
        share = vectors.coverage(question.parts.scored)
        told.append(
            f"word vectors: {vectors.name}, words in lower case; {share:.1%} of the scored words have one, "
            "the others zeros"
        )
    if not plan.setting.model.tokenizer.num_special_tokens_to_add():
        told.append("the model has no special tokens, so ROOT has a learned bias alone")
    return [
        *told,
        "uas: words whose head is right, punctuation left out, ROOT a candidate, a word itself not; uuas: "
        "undirected edges between words that are no punctuation; _tree: of the best tree with one root, "
        "else each word by itself",
        "spread is over seeds (other weights, other order) or random twins; low and high over documents; "
        "published: Clark et al. 2019, table 3, BERT-base on the Penn Treebank with Stanford dependencies. "
        "Its structural probe (Hewitt and Manning 2019), 80 UUAS, reads hidden states instead of attention",
        "drop: what uas loses when both weights of a head are zero and the others stay as trained",
        *_about_control(question.options),
    ]


def _about_control(options: Options) -> list[str]:
    if not options.control:
        return []
    return [
        "control: each word type depends on itself, the first or the last word, drawn at random; there, and "
        "only there, a word itself is a candidate. selectivity is uas less the score there"
    ]
