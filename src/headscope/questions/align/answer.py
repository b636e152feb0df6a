"""align: how well cross-attention links words of a target to those of its source, beside simple aligners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import xarray as xr

from headscope.analyses.analysis import Setting
from headscope.engine.effort import passes_over
from headscope.engine.kept import kept
from headscope.engine.planning import longest_segment, sentences_together
from headscope.engine.running import run
from headscope.engine.twins import run_twins
from headscope.engine.work import Done, Plan
from headscope.errors import ModelError, OptionError
from headscope.explainers.projecting import why_no_vectors
from headscope.heads import check_numbers
from headscope.measures.links import JOININGS, Grid, error_rate
from headscope.models import Model, load
from headscope.questions.align.analysis import Align
from headscope.questions.align.beside import BACKWARD, FORWARD, Pairs, aligned
from headscope.questions.align.choosing import Candidates
from headscope.questions.align.examples import examples, linked
from headscope.questions.align.items import items_table
from headscope.questions.align.joining import ChosenLinks, Reading, links_in, readings_of, written
from headscope.questions.align.options import Options
from headscope.questions.align.readings import GOLD, HMM, IBM1
from headscope.questions.align.tables import (
    aligners_table,
    alignment_table,
    effects_table,
    fixed_counts,
    joined_table,
    links_table,
)
from headscope.questions.asking import AboutCorpus, identity_of
from headscope.results.folder import RunFolder
from headscope.results.linked import LINKED
from headscope.results.result import Result
from headscope.tallies import Records, Rows
from headscope.text import Corpus, Document, Paired
from headscope.text.batches import Progress
from headscope.text.links import read_links
from headscope.text.parallel import read_parallel, target_words, turned

PIECES = 128


@dataclass(frozen=True)
class Question(AboutCorpus):
    """A model, pairs, and how to run; other: the model of the other direction, if there is one."""

    options: Options
    more: Corpus | None
    plan: Plan
    other: Plan | None

    @classmethod
    def of(cls, options: Options) -> Question:
        """Open and check everything."""
        gold = None if options.gold is None else read_links(options.gold, options.counted_from)
        reading: dict[str, Any] = {"found": options.found, "skip_broken": options.skip_broken}
        corpus = read_parallel(options.pairs, options.target, gold=gold, limit=options.limit, **reading)
        words = sum(len(pair.words) for pair in corpus)
        more = None
        if options.more is not None:
            more = read_parallel(options.more, options.more_target, **reading)
            for _ in more:  # a broken line is found now, not after hours of work
                pass
        plan = make_plan(load(options.model, **options.loading()), options)
        other = None
        if options.reverse is not None:
            other = make_plan(load(options.reverse, **options.loading()), options)
        passes = 1 + options.twins + (other is not None) * 2 + (options.links or other is not None)
        return cls(options, plan.setting.model, corpus, [passes_over(words, passes)], more, plan, other)

    def decisions(self) -> dict[str, Any]:
        """The longest side, and how words are parted."""
        return {"pieces": self.plan.pieces, "words": "found" if self.options.found else "spaced"}

    @property
    def corpora(self) -> Sequence[Corpus]:
        return (self.corpus,) if self.more is None else (self.corpus, self.more)

    @cached_property
    def identity(self) -> dict[str, Any]:
        decided = self.options.decided(**self.decisions())
        identity = identity_of(self.model, self.corpus, decided)
        if self.other is not None:
            identity["reverse"] = identity_of(self.other.setting.model, self.corpus, {})["model"]
        if self.more is not None:
            identity["more"] = self.more.identity
        return identity


def make_plan(model: Model, options: Options) -> Plan:
    """Decide how to run; a model without cross-attention is refused."""
    sites = [site for site in model.sites.sites if site.stack == "cross"]
    if not sites:
        raise ModelError(
            f"{model.name} has no cross-attention: only an encoder-decoder, such as T5, BART or Marian, "
            "looks from a target to its source"
        )
    setting = Setting(
        model,
        check_numbers(options.layers, len(sites), "layer"),
        check_numbers(options.heads, max(site.heads for site in sites), "head"),
        options.seed,
        ("cross",),
    )
    if not setting.chosen():
        raise OptionError("no head of the cross-attention has both a chosen layer and number; choose others")
    pieces = longest_segment(model, options.pieces, PIECES)
    batch_size = sentences_together(model, options.batch_size, options.batch_size, pieces)
    cutter, references = Paired(options.found), (HMM, IBM1) if options.gold is None else (GOLD,)
    return Plan(setting, [Align(references)], pieces, batch_size, cutter, characters=options.shard_characters)


def answer(question: Question, store: RunFolder | None, progress: Progress | None) -> Result:
    """Every head and layer of the cross-attention, scored on linking words."""
    options, plan = question.options, question.plan
    with kept(question.corpus, "align/text", store, characters=options.shard_characters) as text:
        pairs = Pairs.of(text, options.found, None if options.gold is None else GOLD)
        more = [(each.surfaces(), target_words(each, options.found)) for each in question.more or ()]
        made = aligned(pairs, more, options.rounds)
        if options.gold is None:
            pairs = pairs.with_references({name: made[name][FORWARD] for name in (HMM, IBM1)})
        documents = partial(_documents, text, pairs, options.gold is None)
        told = text.derived(documents)
        done = run(plan, told, "align", store, progress)
        (dataset,) = plan.arrays(done)
        twins = [twin for (twin,) in run_twins(plan, options.twins, told, "align", store, progress)]
        pairs = pairs.scoring(scored_pairs(done))
        fixed, heads = fixed_counts(pairs), Candidates.of(dataset)
        readings, names, seed = readings_of(dataset, heads), list(pairs.references), options.seed
        left_out = 0
        of_fixed = error_rate(fixed[1].sum(0))
        tables = {
            "alignment": alignment_table(heads, [*map(Candidates.of, twins)], fixed[1], names, seed),
            "align_effects": effects_table(heads, names, seed),
            "aligners": aligners_table(pairs, made, fixed, heads, seed),
            "align_heads": items_table(dataset, "head", of_fixed),
            "align_layers": items_table(dataset, "layer", of_fixed),
        }
        shown = examples(plan, told, readings)
        arrays = {"alignments": shown, **LINKED.arrays(linked(shown, names[0]))}
        if options.links or question.other is not None:
            links = _links(plan, readings, told, pairs, "align/links", store, progress)
            if question.other is not None:
                links, common = _joined(question, links, told, pairs, store, progress)
                tables["align_joined"] = joined_table(common, links, options.seed)
                left_out = int(pairs.scored.sum() - common.scored.sum())
            if options.links:
                tables["align_links"] = links_table(
                    pairs, {name: written(each, pairs.grid) for name, each in links.items()}
                )
    notes = about(question, dataset, done, len(more))
    if left_out:
        notes.append(f"{left_out:,} pairs were not read by the other model; joined are the rest")
    return Result("align", arrays, tables, notes=notes)


def _documents(text: Corpus, pairs: Pairs, linked: bool) -> Iterable[Document]:
    """The pairs with the links that they are held against."""
    return pairs.documents(text) if linked else text


def _links(
    plan: Plan, readings: tuple[Reading, Reading], documents: Iterable[Document], pairs: Pairs, part: str,
    store: RunFolder | None, progress: Progress | None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """The links of what was chosen, (cell,), by the name of their direction."""
    done = run(replace(plan, analyses=[ChosenLinks(readings)]), documents, part, store, progress)
    records = done.tallies["links"]["links"]
    assert isinstance(records, Records)
    return {FORWARD: links_in(records, pairs.names, pairs.grid)}


def _joined(
    question: Question, links: dict[str, np.ndarray], told: Corpus, pairs: Pairs, store: RunFolder | None,
    progress: Progress | None,
) -> tuple[dict[str, np.ndarray], Pairs]:  # fmt: skip
    """The links of both models, and both joined; the other one's head is chosen in the same way.

    Beside them the pairs that both models read.
    """
    plan, found = question.other, question.options.found
    assert plan is not None
    back = told.derived(lambda: (turned(pair, found) for pair in told))
    done = run(plan, back, "align/reverse", store, progress)
    (dataset,) = plan.arrays(done)
    readings, grid = readings_of(dataset, Candidates.of(dataset)), pairs.grid
    other = replace(pairs, grid=Grid.of(grid.targets, grid.sources))
    (turned_links,) = _links(plan, readings, back, other, "align/reverse-links", store, progress).values()
    forward, backward = links[FORWARD], grid.turned(turned_links)
    joined = {name: join(forward, backward, grid) for name, join in JOININGS.items()}
    read = pairs.scoring(scored_pairs(done))
    common = replace(pairs, scored=pairs.scored & read.scored)
    return {FORWARD: forward, BACKWARD: backward, **joined}, common


def scored_pairs(done: Done) -> np.ndarray:
    """The numbers of the pairs that a model was scored on."""
    scored = done.tallies["align"]["pairs"]
    assert isinstance(scored, Rows)
    return scored.documents()


def about(question: Question, dataset: xr.Dataset, done: Done, more: int) -> list[str]:
    """What the numbers are, for the reader of a run."""
    options, model = question.options, question.model
    held = "gold links" if options.gold is not None else "those of two aligners, as no gold is given"
    learnt = "these pairs alone" if not more else f"them and {more:,} more pairs"
    words = "found in running text" if options.found else "parted by white space"
    notes = [
        *model.notes,
        f"{dataset.attrs['pairs']:,} pairs of {dataset.attrs['words']:,} source and "
        f"{dataset.attrs['targets']:,} target words, {words}; links are held against {held}",
        f"IBM model 1 and the hidden Markov model learnt from {learnt}, {options.rounds} rounds each, "
        "without case; who learns from millions of pairs does better",
        "output: a target word is read at the steps that write its pieces; input: at the steps that read "
        "them in, one later",
        "error is that of head and reading chosen on the other half of the pairs, same_data that of the "
        "best on the pairs that chose it; intervals over blocks of pairs; p against the best of diagonal "
        "and offsets, adjusted for all rows of a reference",
    ]
    if (reason := why_no_vectors(model)) is not None:
        notes.append(f"norms are left out: {reason}")
    if unread := dataset.attrs["unread"]:
        notes.append(f"{unread:,} target words have no link at the input token: no step reads them in")
    return notes + [f"{words:,} words left out: {reason}" for reason, words in sorted(done.skipped.items())]
