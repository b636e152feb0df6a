"""coref: which heads link a mention to its antecedent, beside simple rules and random twins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from headscope.analyses.coref import CANDIDATES, Candidates, Coref, asked_of
from headscope.analyses.coref_types import baselines_table, fit_heads, heads_table, types_table
from headscope.engine.running import run
from headscope.engine.shards import shards
from headscope.engine.work import Done, Plan, Progress
from headscope.errors import InputError, OptionError, choose_from
from headscope.jobs.mentions import Prepared, about
from headscope.jobs.planning import at_least_one, reading_setting
from headscope.jobs.running import Asked, into_folder
from headscope.jobs.twins import run_twins
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast
from headscope.results.paths import next_run_path
from headscope.results.result import Result
from headscope.text import Corpus, Document, Segment, Windows, read, with_trees
from headscope.text.head_words import HEAD_FINDERS, HeadFinder

VERB = "coref"
PIECES_OF_A_WORD = 8
"""A window may have so many pieces for each of its words before it is shortened."""


@dataclass(frozen=True)
class Options:
    """What can be chosen; the defaults are those of Clark et al. 2019, but for all windows being looked at.

    window: most words of a window. first: only the first window of each document. candidates: which words a
    mention may choose from. head_finder: how the head word of a mention is found. singletons: mentions of
    entities that are named once stay as candidates. spaced: part words by single spaces, so that no
    piece spans two of them; else the text is encoded as it was written. twins: how many random twins are held
    against the heads.
    """

    window: int = 128
    first: bool = False
    candidates: Candidates = "words"
    head_finder: HeadFinder = "given"
    singletons: bool = False
    spaced: bool = True
    twins: int = 3
    batch_size: int = 16
    layers: tuple[int, ...] | None = None
    heads: tuple[int, ...] | None = None
    limit: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        at_least_one(self, "window", "batch_size", "limit")
        if self.twins < 0:
            raise OptionError(f"--twins must be 0 or more, not {self.twins}")
        for name, available in (("candidates", CANDIDATES), ("head_finder", HEAD_FINDERS)):
            given = getattr(self, name)
            if given not in available:
                raise OptionError(choose_from(name.replace("_", " "), given, available))


def coref(
    model: Any = "default",
    corpus: Any = None,
    *,
    trees: Any = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
    plots: bool = True,
    **options: Any,
) -> Result:
    """Score every head of a model on finding antecedents in a corpus with coreference.

    model: anything `headscope.load` takes. corpus: a .conll or .conllu file with mentions, or a corpus.
    trees: a treebank of the same documents, where the corpus itself has no tags and trees. options: see
    `Options`. With `out`, the run folder is written, or continued if it was stopped.
    """
    chosen = Options(**options)
    loaded = load(model)
    source = open_corpus(corpus, trees, chosen.limit)
    plan, notes = make_plan(loaded, chosen)
    asked = Asked.of(VERB, loaded, source, asdict(chosen))
    documents = Prepared(source, chosen.head_finder, chosen.singletons)
    _check_scorable(plan, documents)

    def compute(store: Any) -> Result:
        cut = shards(documents)
        done = run(plan, cut, VERB, store, progress)
        dataset = _arrays(plan, done)
        twins = [_arrays(*one) for one in run_twins(plan, chosen.twins, cut, VERB, store, progress)]
        if twins:
            scores = np.stack([fit_heads(twin).accuracy() for twin in twins])
            dataset["twin_accuracy"] = (("twin", "type"), scores)
        tables = {
            "coref_types": types_table(dataset, twins, chosen.seed),
            "coref_baselines": baselines_table(dataset, chosen.seed),
            "coref_heads": heads_table(dataset),
        }
        told = [*notes, *about(dataset, done, documents.census(), chosen.singletons, _how(chosen))]
        return Result(VERB, {"heads": dataset}, tables, asked.finished(), told)

    if out is None:
        return compute(None)
    return into_folder(Path(out), asked, compute, plots)


def open_corpus(corpus: Any, trees: Any = None, limit: int | None = None) -> Corpus:
    """The corpus that was asked for, with its trees."""
    source = corpus if isinstance(corpus, Corpus) else read(corpus)
    if trees is not None:
        source = with_trees(source, trees if isinstance(trees, Corpus) else read(trees))
    return source if limit is None else source.limited(limit)


def coref_path(model: Model, corpus: Corpus, options: dict[str, Any], root: str | Path = "runs") -> Path:
    """Where a run goes that names no folder: a new one, or that of the same command, stopped before."""
    asked = Asked.of(VERB, model, corpus, asdict(Options(**options)))
    return next_run_path(root, VERB, model.name, {"identity": asked.identity})


def make_plan(model: Model, options: Options) -> tuple[Plan, list[str]]:
    """Decide how to run, and say what a reader must know of it."""
    setting, notes = reading_setting(model, options)
    most = PIECES_OF_A_WORD * options.window + model.tokenizer.num_special_tokens_to_add(pair=False)
    pieces = min(most, model.longest or most)
    usual = min(pieces, 2 * options.window)
    needed = forecast(model, usual, options.batch_size, distances=False, gradients=False, blockwise=False)
    check_memory(needed, {"--batch-size": options.batch_size, "--window": options.window})
    cutter = Windows(options.window, options.first, options.spaced)
    return Plan(setting, [Coref(options.candidates)], pieces, options.batch_size, cutter), notes


def _check_scorable(plan: Plan, documents: Iterable[Document]) -> None:
    """Refuse a corpus without anything to score, before a run folder is made for it."""
    for document in documents:
        segments = [part for part in plan.parts(document) if isinstance(part, Segment)]
        if segments and len(asked_of(segments, "words")[0].word):
            return
    raise InputError(
        "no mention has an antecedent in its window, so there is nothing to score; "
        "use longer windows, or a corpus with coreference"
    )


def _arrays(plan: Plan, done: Done) -> xr.Dataset:
    (analysis,) = plan.analyses
    return analysis.arrays(done.tallies[analysis.name], plan.setting)


def _how(options: Options) -> list[str]:
    """What was chosen, in words."""
    cut = "the first window of each document" if options.first else "consecutive windows"
    return [
        f"{cut}, of whole sentences, at most {options.window} words; head words of mentions by "
        f"'{options.head_finder}'; candidates are {_CANDIDATES[options.candidates]}",
        "accuracy is that of heads chosen on the other half of the documents, same_data that of the best "
        "head on the data that chose it; intervals over blocks of documents; p corrected for the types",
        "the paper's numbers are of BERT-base on CoNLL-2012, the first 128 tokens of each document; "
        "agreement knows English only",
    ]


_CANDIDATES: dict[str, str] = {
    "words": "all other words",
    "mentions": "the head words of all other mentions",
    "preceding": "the head words of earlier mentions",
}
