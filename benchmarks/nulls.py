"""What syntax and compare find where there is nothing, and where something was planted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import headscope
from benchmarks.data import path
from benchmarks.null_documents import PLANTED, Documents, discoveries, documents_of
from benchmarks.null_trees import Looks, looks_of, real_distances, rejections
from benchmarks.planted_heads import GAIN, power, words_of
from benchmarks.rows import Row, at_least, at_most, told
from headscope.analyses.analysis import Setting
from headscope.engine.work import Plan
from headscope.models import Model
from headscope.text import Corpus, Segment, Sentences, read

DEV = "01_ud_english_ewt/en_ewt-ud-dev.conllu"
TRAIN = "01_ud_english_ewt/en_ewt-ud-train.conllu.xz"
TITLE = "Nulls"
SAYS = (
    "How often something is found where nothing is. `syntax`: what words look at is the embedded model's on "
    "sentences of EWT dev, and their trees are drawn at random; then planted heads, on the trees of EWT "
    "train. `compare`: values of documents of EWT dev under the embedded model, dealt at random to two runs; "
    "then with shifts of one standard deviation of documents planted in some of all heads and measures."
)
DATA = (DEV, TRAIN)
REDUCED: dict[str, Any] = {"reduced": True}
LEAST, FREQUENT = 60, 1500


def run(reduced: bool = False) -> list[Row]:
    """All rates; of fewer corpora, words and trials where reduced."""
    model = headscope.load("default")
    return [*trees(model, reduced), *heads(model, reduced), *documents(model, reduced)]


def trees(model: Model, reduced: bool) -> list[Row]:
    """syntax over random trees."""
    sentences, corpora = (150, 5) if reduced else (500, 60)
    looks = looks_of(model, list(islice(_sentences(model, DEV), sentences)))
    about = f"{sentences} sentences, relations of {LEAST} words or more"
    return [
        told(f"syntax: corpora of random trees, {about}", corpora),
        *_rates("heads drawn evenly", looks, corpora, None),
        *_rates("heads drawn at the distances of real ones", looks, corpora, looks.segments),
    ]


def _rates(name: str, looks: Looks, corpora: int, segments: Any) -> list[Row]:
    found = rejections(looks, corpora, LEAST, None if segments is None else real_distances(segments))
    share = 100 * found.rejected / max(1, found.tests)
    return [
        at_most(f"{name}: of {found.tests:,} tests rejected at 5 %, uncorrected", share, "%", 6.5),
        at_most(f"{name}: corpora with a corrected discovery", found.discoveries, "", corpora // 10),
    ]


def heads(model: Model, reduced: bool) -> list[Row]:
    """Planted heads."""
    name, least, trials = (DEV, 700, 2) if reduced else (TRAIN, FREQUENT, 40)
    words = words_of(list(_sentences(model, name)))
    gain = f"heads {100 * GAIN:.0f} points above the best offset"
    rows = [told(f"syntax: relations of {least:,} words or more in {name}", len(words.frequent(least)))]
    rows += [
        told(f"{gain}, {size} words: found", 100 * power(words, least, size, trials), "%")
        for size in (60, 200, 500)
    ]
    whole, text = 100 * power(words, least, None, trials), f"{gain}, all words: found"
    return [*rows, told(text, whole, "%") if reduced else at_least(text, whole, "%", 90)]


def documents(model: Model, reduced: bool) -> list[Row]:
    """compare of documents dealt at random."""
    number, trials, limit = (60, 10, 30) if reduced else (300, 200, 10)
    corpus = documents_of(model, list(islice(_corpus(DEV), number)))
    cells = corpus.totals.shape[1]
    sizes = [(3, 3), (5, 5), (20, 20)] if reduced else [(size, size) for size in (3, 5, 10, 20, 50)]
    unequal = [] if reduced else [(10, 50), (20, 200)]
    rows = [told(f"compare: trials, of {cells} differences each", trials)]
    for first, other, paired in [
        *((*size, paired) for paired in (False, True) for size in sizes),
        *((*size, False) for size in unequal),
    ]:
        share = 100 * discoveries(corpus, (first, other), paired, trials)
        text = _counted(first, other, paired)
        rows.append(at_most(f"{text}: trials with any discovery where there is none", share, "%", limit))
    return [*rows, *_shifts(corpus, trials, reduced)]


def _shifts(corpus: Documents, trials: int, reduced: bool) -> list[Row]:
    rows = []
    for size, paired in ((10, False), (20, False), (20, True), (50, False)):
        if 2 * size > len(corpus):
            continue
        share = 100 * discoveries(corpus, (size, size), paired, trials, PLANTED)
        text = f"{_counted(size, size, paired)}: trials that find one of {PLANTED} planted shifts"
        asked = size == 20 and not reduced
        rows.append(at_least(text, share, "%", 50) if asked else told(text, share, "%"))
    return rows


def _counted(first: int, other: int, paired: bool) -> str:
    return f"{first} documents, paired" if paired else f"{first} and {other} documents"


def _sentences(model: Model, name: str) -> Iterator[Segment]:
    plan = Plan(Setting(model), [], 256, 128, Sentences())
    return plan.segments(_corpus(name))


def _corpus(name: str) -> Corpus:
    return read(path(name))
