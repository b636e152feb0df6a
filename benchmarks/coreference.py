"""Table 2 of Clark et al. (2019), antecedent selection, on free corpora with the embedded model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import get_args

import numpy as np
import pandas as pd

import headscope
from benchmarks.antecedent_splits import breaking, splits
from benchmarks.data import path
from benchmarks.rows import Row, at_least, told
from headscope.questions.coref.antecedents import BASELINES
from headscope.questions.coref.options import Candidates
from headscope.results.reading import both
from headscope.results.result import Result
from headscope.text import Corpus, read, with_trees

TITLE = "Coreference"
SAYS = "`headscope coref` on free corpora; the paper's numbers are BERT-base's on CoNLL-2012."
PARTS = ("dev", "test")
TREES = "02_gum_coref/ud/en_gum-ud-{}.conllu.xz"
EXPORTED = "02_gum_coref/coref_conll/ontogum_{}.conll"
LITBANK = "02_gum_coref/litbank/litbank_coref.conll.xz"
DATA = (*map(TREES.format, PARTS), *map(EXPORTED.format, PARTS), LITBANK)
REDUCED = {"parts": ("dev",), "documents": 3, "twins": 1}
ORDER = ("nearest", "head match", "sieves")


def run(parts: Sequence[str] = PARTS, documents: int | None = None, twins: int = 3) -> list[Row]:
    """Heads and baselines by type, for each corpus; where the order of the baselines does not hold, why."""
    rows: list[Row] = []
    every = corpora(parts, documents)
    for name, corpus in every.items():
        result = headscope.coref("default", corpus, twins=twins)
        rows += _named(name, [*beside_paper(result), *order(result, corpus), *splits(corpus)])
    name, corpus = next(iter(every.items()))
    return [*rows, *_named(name, by_candidates(corpus, twins))]


def _named(corpus: str, rows: Iterable[Row]) -> list[Row]:
    """Rows whose names tell the corpus."""
    return [{**row, "name": f"{corpus}, {row['name']}"} for row in rows]


def corpora(parts: Sequence[str], documents: int | None) -> dict[str, Corpus]:
    """OntoGUM and GUM, some parts together, and LitBank, which has neither tags nor trees."""
    trees = [read(path(TREES.format(part))) for part in parts]
    exported = [read(path(EXPORTED.format(part))) for part in parts]
    found = {
        "OntoGUM": together([with_trees(*pair) for pair in zip(exported, trees, strict=True)]),
        "GUM": together(trees),
        "LitBank": read(path(LITBANK)).limited(30),
    }
    return found if documents is None else {name: found[name].limited(documents) for name in found}


def together(corpora: Sequence[Corpus]) -> Corpus:
    """Several corpora as one."""
    names = ", ".join(corpus.name for corpus in corpora)
    return Corpus(names, names, lambda: chain.from_iterable(corpora))


def beside_paper(result: Result) -> Iterator[Row]:
    """Every number with the paper's behind it."""
    baselines = result.table("coref_baselines").set_index(["type", "baseline"])
    for row in result.table("coref_types").to_dict("records"):
        kind = row["type"]
        if not row["mentions"]:
            continue
        for name in BASELINES:
            one = baselines.loc[(kind, name)]
            yield told(f"{kind}: {name}", percent(one["accuracy"], one["low"], one["high"], one["paper"]))
        heads = both(row["chosen"], row["other_chosen"])
        yield told(
            f"{kind}: best head ({heads}), of {row['mentions']:,} mentions",
            percent(row["accuracy"], row["low"], row["high"], row["paper_head"]),
        )
        yield told(
            f"{kind}: best head on the same data; random twins", f"{pair(row['same_data'], row['twin'])}"
        )
        tests = pair(row["p_nearest"], row["p_head_match"], 1, "{:.3f}")
        yield told(f"{kind}: p of head above nearest; above head match", tests)


def order(result: Result, corpus: Corpus) -> Iterator[Row]:
    """Whether each baseline beats the one before; where it does not, the mentions that speak against it.

    In OntoGUM and GUM the order must hold over all mentions. In LitBank it does not (docs/coref.md), so there
    it is only told.
    """
    for row in result.table("coref_types").to_dict("records"):
        scores = [row[name.replace(" ", "_")] for name in ORDER]
        if not row["mentions"]:
            continue
        for place in range(len(ORDER) - 1):
            weaker, stronger = ORDER[place : place + 2]
            gain = 100 * (scores[place + 1] - scores[place])
            name = f"{row['type']}: {stronger} above {weaker}"
            must = row["type"] == "all" and has_trees(corpus)
            yield at_least(name, gain, "points", 0) if must else told(name, gain, "points")
            if gain < 0:
                print(f"  {row['type']}: {weaker} right, {stronger} wrong")
                print("\n".join(f"    {line}" for line in breaking(corpus, row["type"], weaker, stronger)))


def has_trees(corpus: Corpus) -> bool:
    """Whether the corpus has trees."""
    return next(iter(corpus)).dependencies is not None


def by_candidates(corpus: Corpus, twins: int) -> Iterator[Row]:
    """The best head where it may choose among fewer words, and what random twins make of the same choice."""
    for candidates in get_args(Candidates):
        table = headscope.coref("default", corpus, twins=twins, candidates=candidates).table("coref_types")
        for row in table.to_dict("records"):
            name = f"{row['type']}: best head ({both(row['chosen'], row['other_chosen'])}) among {candidates}"
            yield told(name, percent(row["accuracy"], row["low"], row["high"], np.nan))
            tests = pair(row["p_nearest"], row["p_head_match"], 1, "{:.3f}")
            beside = f"{100 * row['twin']:.1f} %; p {tests}"
            yield told(f"{row['type']}: random twins; p above nearest; above head match", beside)


def percent(value: float, low: float, high: float, paper: float) -> str:
    """A share with its interval and the paper's.

    >>> percent(0.5, 0.4, 0.62, 0.65)
    '50.0 % (40.0 to 62.0), paper 65'
    """
    beside = "" if pd.isna(paper) else f", paper {100 * paper:.0f}"
    return f"{100 * value:.1f} % ({100 * low:.1f} to {100 * high:.1f}){beside}"


def pair(first: float, second: float, times: float = 100, form: str = "{:.1f} %") -> str:
    """Two numbers side by side."""
    return f"{form.format(times * first)}; {form.format(times * second)}"
