"""syntax: which heads know which grammatical relations, beside fixed offsets and random twins."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import xarray as xr

from headscope.analyses.labels import beside_published, counted, plain
from headscope.analyses.relations import (
    ALL,
    attachment_table,
    head_relations_table,
    readings_table,
    relations_table,
    scores,
    with_all,
)
from headscope.analyses.syntax import Syntax
from headscope.engine.running import run
from headscope.engine.shards import shards
from headscope.engine.work import Done, Plan, Progress
from headscope.errors import InputError, OptionError
from headscope.jobs.planning import at_least_one, longest_segment, reading_setting
from headscope.jobs.relation_examples import examples
from headscope.jobs.running import Asked, into_folder
from headscope.jobs.twins import run_twins
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast
from headscope.results.paths import next_run_path
from headscope.results.result import Result
from headscope.text import Corpus, Sentences, parse, read

VERB = "syntax"
PIECES = 256


@dataclass(frozen=True)
class Options:
    """What can be chosen.

    pieces: longest sentence; by default PIECES, or what the model takes if that is less. reach: fixed offsets
    up to so many words. least: fewest words of a relation that is shown and tested. punctuation: score it
    too. subtypes: keep them (nmod:poss), else they join the plain relation. possessive: ask a possessor
    through the 's behind it, as the published code does. spaced: part the words of a sentence by single
    spaces, as the published code does; else it is encoded as it was written. twins: how many.
    """

    pieces: int | None = None
    batch_size: int = 128
    layers: tuple[int, ...] | None = None
    heads: tuple[int, ...] | None = None
    reach: int = 5
    least: int = 100
    punctuation: bool = False
    subtypes: bool = True
    possessive: bool = False
    spaced: bool = True
    twins: int = 3
    limit: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        at_least_one(self, "pieces", "batch_size", "reach", "least", "limit")
        if self.twins < 0:
            raise OptionError(f"--twins must be 0 or more, not {self.twins}")


def syntax(
    model: Any = "default",
    treebank: Any = None,
    *,
    parser: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
    plots: bool = True,
    **options: Any,
) -> Result:
    """Score every head of a model on every relation of a treebank.

    model: anything `headscope.load` takes. treebank: a .conllu or .dep file, or a corpus with trees; or any
    text, if `parser` names a spaCy pipeline. options: see `Options`. With `out`, the run folder is written,
    or continued if it was stopped; without, nothing touches the disk.
    """
    chosen = Options(**options)
    loaded = load(model)
    corpus = open_treebank(treebank, parser, chosen.limit)
    relations = count_relations(corpus)
    plan, notes = make_plan(loaded, chosen, relations)
    asked = _asked(loaded, corpus, chosen, plan)

    def compute(store: Any) -> Result:
        done = run(plan, shards(corpus), VERB, store, progress)
        dataset = _arrays(plan, done)
        again = run_twins(plan, chosen.twins, shards(corpus), VERB, store, progress)
        twins = [_arrays(*one) for one in again]
        relations = relations_table(dataset, twins, chosen.least, chosen.seed)
        arrays = {"relations": scores(dataset), "relation_examples": examples(plan, corpus, relations)}
        tables = {
            "relations": relations,
            "readings": readings_table(dataset, twins, chosen.least, chosen.seed),
            "attachment": attachment_table(dataset, chosen.seed),
            "head_relations": head_relations_table(dataset),
            "published": beside_published(relations),
        }
        told = [*notes, *about(dataset, done, chosen, relations)]
        return Result(VERB, arrays, tables, asked.finished(), told)

    if out is None:
        return compute(None)
    return into_folder(Path(out), asked, compute, plots)


def open_treebank(treebank: Any, parser: str | None = None, limit: int | None = None) -> Corpus:
    """The corpus that was asked for, parsed if that was asked."""
    corpus = treebank if isinstance(treebank, Corpus) else read(treebank)
    corpus = corpus if limit is None else corpus.limited(limit)
    return corpus if parser is None else parse(corpus, parser)


def count_relations(corpus: Corpus) -> Counter[str]:
    """How many words bear each relation; refuses a corpus without trees."""
    found: Counter[str] = Counter()
    for document in corpus:
        if document.dependencies is None:
            raise InputError(
                f"document '{document.id}' has no trees; give a treebank (.conllu, .dep), "
                "or add --parse to have the text parsed"
            )
        found.update(document.dependencies.relations)
    return found


def syntax_path(model: Model, corpus: Corpus, options: dict[str, Any], root: str | Path = "runs") -> Path:
    """Where a run goes that names no folder: a new one, or that of the same command, stopped before."""
    chosen = Options(**options)
    plan, _ = make_plan(model, chosen, count_relations(corpus))
    asked = _asked(model, corpus, chosen, plan)
    return next_run_path(root, VERB, model.name, {"identity": asked.identity})


def make_plan(model: Model, options: Options, relations: Counter[str]) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    setting, notes = reading_setting(model, options)
    pieces = longest_segment(model, options.pieces, PIECES)
    labels = [label for label in relations if counted(label, options.punctuation)]
    scored = {label: label if options.subtypes else plain(label) for label in labels}
    if not scored:
        raise InputError("the treebank has no relation to score: all its words are roots or punctuation")
    if ALL in scored.values():
        raise InputError(f"a relation of the treebank is called '{ALL}', as their sum is here; rename it")
    needed = forecast(model, pieces, options.batch_size, distances=False, gradients=False, blockwise=False)
    check_memory(needed, {"--batch-size": options.batch_size, "--pieces": pieces})
    analysis = Syntax(scored, options.reach, options.possessive)
    return Plan(setting, [analysis], pieces, options.batch_size, Sentences(options.spaced)), notes


def about(dataset: xr.Dataset, done: Done, options: Options, relations: Any) -> list[str]:
    """What the numbers are, for the reader of a run."""
    scored = int(dataset["pairs"].sel(relation=ALL, bearer="dependent"))
    left_out = "roots" if options.punctuation else "roots and punctuation"
    told = [
        f"{done.segments:,} sentences of {dataset.attrs['documents']:,} documents; {scored:,} of "
        f"{done.words:,} words are scored: {left_out} are left out"
    ]
    told += [f"{words:,} words are skipped: {reason}" for reason, words in sorted(done.skipped.items())]
    told += [
        "dep->head: the dependent attends most to its head; head<-dep: of all words, the head attends most "
        "to the dependent; head->dep: the head word attends most to one of its dependents",
        "accuracy is that of head, reading and offset chosen on the other half of the documents; same_data "
        "that of the best on the data that chose it, as the papers print it; intervals over documents",
        "p: is the head right more often than the offset? by blocks of documents, Holm over relations; "
        "found: p_holm below 0.05, and no random twin as good",
    ]
    if not len(relations):
        told.append(f"no relation has {options.least:,} words; --least takes less")
    if relations["accuracy"].isna().any():
        told.append(
            "accuracy is missing where one half of the documents lacks the relation, so that nothing could "
            "be chosen there; give more documents (# newdoc parts those of a treebank, a blank line those of "
            "a text)"
        )
    if (relations["coverage"] < 1).any():
        told.append("coverage is the share of pairs that the model can see: the attending word comes later")
    if options.possessive:
        told.append("possessors are asked through the 's behind them")
    return told


def _asked(model: Model, corpus: Corpus, options: Options, plan: Plan) -> Asked:
    return Asked.of(VERB, model, corpus, asdict(replace(options, pieces=plan.pieces)))


def _arrays(plan: Plan, done: Done) -> xr.Dataset:
    (analysis,) = plan.analyses
    return with_all(analysis.arrays(done.tallies[analysis.name], plan.setting))
