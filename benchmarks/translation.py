"""Attention between sequences: GRUs with and without it, German to English."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import headscope
from benchmarks import reversal
from benchmarks.command import command
from benchmarks.data import ROOT, path
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import computing_with, counted, seconds_of
from headscope.results.result import Result
from headscope.text.readers.parallel import spelled

TITLE = "Translation"
SAYS = (
    "`headscope train seq2seq` as it is, in batches of 64, on one thread, in time on the processor with "
    "reading and scoring. Multi30k, German to English, 29,000 lines, the epoch chosen on its 1,014 dev "
    "lines by the share of pieces foreseen; test2016, 1,000 lines, all in lower case, in words as the "
    "tokenizer parts them, written greedily. BLEU is ours; sacrebleu's stands beside it (tokenize none, no "
    "smoothing). Quarters are of test lines by words of the source. The complete run is kept in "
    "build/translation and goes on where it was stopped; the processor time of all its pieces is added up."
)
FOLDER = "08_multi30k_parallel"
SETS = {"train": "train", "dev": "val", "test": "test_2016_flickr", "other": "test_2017_mscoco"}
LANGUAGES = ("de", "en")
DATA = tuple(f"{FOLDER}/{name}.{language}.gz" for name in SETS.values() for language in LANGUAGES)
REDUCED: dict[str, Any] = {"reduced": True}
BUILT = ROOT / "build" / "translation"
"""Where the complete run is kept, so that a stopped one goes on."""

COURSE: dict[str, Any] = {"batch_size": 64, "plots": False}
SMALL: dict[str, Any] = {"epochs": 1, "hidden": 16, "limit": 100}
LEAST, ABOVE, SECONDS = 30, 8, 720
"""BLEU with attention, points above that without, time of one training."""

PIECES = ("reversal", "gru")


def run(reduced: bool = False, out: Path | None = None, only: str | None = None) -> list[Row]:
    """Everything, into folders below `out` (those that have finished are read, others go on)."""
    rows: list[Row] = []
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (Path(folder) if reduced else BUILT)
        for piece in PIECES:
            if only in (None, piece):
                rows += {"reversal": letters, "gru": gru}[piece](place, reduced)
    return rows


def letters(place: Path, reduced: bool = False) -> list[Row]:
    """The toy whose alignment is known."""
    if reduced:
        return reversal.run(place / "reversal", count=200, epochs=1, longest=6, judged=False)
    return reversal.run(place / "reversal")


def gru(place: Path, reduced: bool = False) -> list[Row]:
    """With Bahdanau's attention and without, for as many epochs."""
    small = SMALL if reduced else {}
    result = trained(place / "bahdanau", "seq2seq", attention="bahdanau", **small)
    bare = trained(place / "none", "seq2seq", attention="none", **small)
    score, without = bleu(result), bleu(bare)
    seconds = seconds_of(place / "bahdanau", "train")
    label, time = "GRU with attention", "GRU with attention, processor time"
    difference = "above none, after as many epochs"
    if reduced:
        return [
            told(label, score, "BLEU"),
            told(difference, score - without, "points"),
            told(time, seconds, "s"),
        ]
    quarters = {name: by_quarter(each) for name, each in (("with", result), ("without", bare))}
    return [
        at_least(label, score, "BLEU", LEAST),
        told("the same by sacrebleu, tokenize none", bleu(result, "sacrebleu"), "BLEU"),
        at_most(time, seconds, "s", SECONDS),
        told("GRU without attention", without, "BLEU"),
        told("GRU without attention, processor time", seconds_of(place / "none", "train"), "s"),
        at_least(difference, score - without, "points", ABOVE),
        *(
            told(
                f"quarter with the {name} sources: with and without",
                f"{own:.1f} and {quarters['without'][name]:.1f}",
            )
            for name, own in quarters["with"].items()
        ),
        at_least(
            "gap of the longest quarter above that of the shortest",
            _gap(quarters, "longest") - _gap(quarters, "shortest"),
            "points",
            0,
        ),
    ]


def files() -> dict[str, str]:
    """The four sets, each as two files of lines."""
    return {
        name: spelled(*(path(f"{FOLDER}/{file}.{language}.gz") for language in LANGUAGES))
        for name, file in SETS.items()
    }


def trained(place: Path, net: str, **options: Any) -> Result:
    """A net trained in a folder, or read from there, with the processor time of all its pieces."""
    place.mkdir(parents=True, exist_ok=True)
    data, asked = files(), COURSE | options
    with counted(place, "train"):
        result: Result = headscope.train(
            net, data["train"], dev=data["dev"], test=data["test"], out=place / "run", **asked
        ).result
    return result


def bleu(result: Result, scorer: str = "headscope") -> float:
    """Of all test lines, in points."""
    table = result.table("bleu").query("data == 'test' and quarter == 'all'").set_index("scorer")
    return 100 * float(table.loc[scorer, "bleu"])


def by_quarter(result: Result) -> dict[str, float]:
    """Of each quarter of the test lines, the shortest first, in points."""
    table = result.table("bleu").query("data == 'test' and quarter != 'all' and scorer == 'headscope'")
    scores = table.set_index("quarter")["bleu"]
    return {str(name): 100 * float(scores[name]) for name in scores.index}


def _gap(quarters: dict[str, dict[str, float]], name: str) -> float:
    return quarters["with"][name] - quarters["without"][name]


if __name__ == "__main__":
    sys.exit(command(TITLE, __doc__, run, PIECES))
