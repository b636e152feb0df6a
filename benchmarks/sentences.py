"""The probing tasks of Conneau et al. 2018 made from EWT and GUM, and those of Turkish and Russian files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

import headscope
from benchmarks.data import ROOT, path
from benchmarks.rows import Row, at_least, at_most, show, told
from benchmarks.timing import computing_with, counted, seconds_of
from headscope.questions.sentences.published import LOGISTIC, PERCEPTRON, VECTORS

TITLE = "Sentences"
SAYS = (
    "`headscope sentences` with the embedded model (6 layers, layer 0 the embeddings): the ten tasks made "
    "from all of the English Web Treebank and GUM, and from the phrase structure of the former, parted by "
    "documents or target words; logistic regression over the mean of the pieces. Published: Conneau "
    "et al. 2018 on their own data, whose training parts are ten times as large. Random twins and the other "
    "poolings on EWT's dev and test parts; the Turkish and Russian tasks through an English model, a few "
    "sentences of each. Processor time, on one thread; the complete run is kept in build/sentences and goes "
    "on where it was stopped."
)
EWT, GUM, PHRASES = (
    "01_ud_english_ewt/en_ewt-ud-",
    "02_gum_coref/ud/en_gum-ud-",
    "09_srl/en_ewt-propbank-spans-",
)
DEV = (f"{EWT}dev.conllu", f"{PHRASES}dev.gold_conll.xz")
HELD_OUT = (*DEV, f"{EWT}test.conllu", f"{PHRASES}test.gold_conll.xz")
ALL = (
    *(f"{EWT}train.conllu.xz", f"{PHRASES}train.gold_conll.xz", *HELD_OUT),
    *(f"{GUM}{part}.conllu.xz" for part in ("train", "dev", "test")),
)
_SETS = "10_probing_senteval_format/"
TURKISH = (
    *("bigram_shift.txt", "sentence_length.txt.xz", "subj_number.txt", "sv_agree.txt", "sv_dist.txt"),
    *("voice.txt", "word_content.txt.xz"),
)
RUSSIAN = tuple(f"{name.partition('.')[0]}.txt.xz" for name in TURKISH)
FILES = (*(f"{_SETS}tr/{name}" for name in TURKISH), *(f"{_SETS}ru/{name}" for name in RUSSIAN))
DATA = (*ALL, *FILES)

TRIED = {
    "SentLen": "20,423", "WC": "5,759 of 157 words", "TreeDepth": "9,599, related to length",
    "TopConst": "11,442, punctuation within", "BShift": "20,423", "Tense": "7,220", "SubjNum": "3,114",
    "ObjNum": "2,600", "SOMO": "19,513", "CoordInv": "335",
}  # fmt: skip
"""Examples of each task that a first try had, of the same treebanks."""

MIDDLE, LEAST = 3, {"BShift": 61.0, "Tense": 81.0, "SentLen": 68.0, "TopConst": 56.0}
"""Percent that must be right over the layer in the middle."""

CHANCE = (47.0, 53.0)
"""Percent between which a bag of vectors, which knows no order, must be on BShift."""

BUILT = ROOT / "build" / "sentences"
"""Where the complete run is kept, so that a stopped one goes on."""

REDUCED: dict[str, Any] = {
    "made": DEV, "beside": (), "files": FILES[:1], "limit": 40, "judged": False,
    "least": 60, "layers": (0, 3, 6), "mlp": False,
}  # fmt: skip


def run(
    made: Sequence[str] = ALL,
    beside: Sequence[str] = HELD_OUT,
    files: Sequence[str] = FILES,
    limit: int | None = None,
    judged: bool = True,
    out: Path | None = None,
    **options: Any,
) -> list[Row]:
    """All tasks of the treebanks; twins and poolings over others; files. judged: scores have limits."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (BUILT if judged else Path(folder))
        place.mkdir(parents=True, exist_ok=True)

        def ask(name: str, names: Sequence[str], **more: Any) -> Any:
            with counted(place, name):
                headscope.sentences("default", [path(one) for one in names], out=place / name, **more)
            return headscope.open(place / name)

        whole: dict[str, Any] = {"pooling": ("mean",), "twins": 0, "seeds": 2, "limit": limit}
        of_trees = ask("made", made, **whole | options)
        rows = [*counts(of_trees), *scores(of_trees, judged), *erased(of_trees)]
        if beside:
            rows += twins(ask("beside", beside, mlp=False, least=200))
        few: dict[str, Any] = {"pooling": ("mean",), "mlp": False, "twins": 0, "layers": (0, 3, 6)}
        rows += of_files(ask("files", files, **few, least=30, limit=limit or 60), len(files))
        times = {name: seconds_of(place, name) / 60 for name in ("made", "beside", "files")}
    return rows + [told(f"processor time of {name}", taken, "min") for name, taken in times.items() if taken]


def counts(result: Any) -> Iterator[Row]:
    """How many examples each task has."""
    for one in result.table("sentence_tasks").itertuples():
        split = f"{one.train:,} / {one.tune:,} / {one.test:,}, {one.labels} labels"
        first = f"; a first try: {TRIED[one.task]}" if one.task in TRIED else ""
        lacks = f"; not probed: {one.lacks}" if one.lacks else ""
        yield told(f"{one.task}: examples ({split}{first}{lacks})", float(one.examples))


def scores(result: Any, judged: bool) -> Iterator[Row]:
    """Every task over all layers beside its baselines; what must be reached."""
    layers, baselines = result.table("sentence_layers"), result.table("sentence_baselines")
    for one in result.table("sentence_scores").itertuples():
        known = baselines[baselines["task"] == one.task]
        beside = ", ".join(
            f"{row.baseline} {100 * row.accuracy:.1f}{_published(row.published)}"
            for row in known.itertuples()
        )
        yield told(f"{one.task}: {beside}", "")
        for classifier in (LOGISTIC, PERCEPTRON):
            own = _of(layers, one.task, classifier)
            if len(own):
                shares = ", ".join(f"{100 * share:.1f}" for share in own["accuracy"])
                ends = f"{own['layer'].min()} to {own['layer'].max()}"
                yield told(f"{one.task}: {classifier}, layers {ends}: {shares}", "")
    for task, least in LEAST.items():
        by_layer = _of(layers, task, LOGISTIC).set_index("layer")["accuracy"]
        if MIDDLE in by_layer:
            name, share = f"{task}: right over layer {MIDDLE}", 100 * float(by_layer[MIDDLE])
            yield at_least(name, share, "%", least) if judged else told(name, share, "%")
    yield from _order(baselines, judged)
    summary = result.table("sentence_summary").iloc[0]
    name = (
        f"tasks of {summary['tasks']} on which the last layer is worse than layer {summary['middle_layer']} "
        f"(beyond chance on {summary['surely_lower']})"
    )
    most = summary["tasks"] // 2 + 1
    yield at_least(name, float(summary["lower"]), "", most) if judged else told(name, float(summary["lower"]))


def _order(baselines: pd.DataFrame, judged: bool) -> Iterator[Row]:
    """A bag of vectors knows nothing of order."""
    own = baselines[(baselines["task"] == "BShift") & (baselines["baseline"] == VECTORS)]["accuracy"]
    for share in 100 * own:
        low, high = CHANCE
        name = "BShift: right by a bag of vectors"
        if judged:
            yield from (at_least(name, share, "%", low), at_most(name, share, "%", high))
        else:
            yield told(name, share, "%")


def erased(result: Any) -> Iterator[Row]:
    """How many dimensions must go, at the layer that tuning chooses."""
    chosen = result.table("sentence_scores")[["task", "layer"]]
    for one in chosen.merge(result.table("sentence_erasure"), on=["task", "layer"]).itertuples():
        name = (
            f"{one.task}, layer {one.layer}: dimensions of {one.dimensions} without which half of the "
            f"gain is gone (in random order {one.half_random:g}; all of it {one.fails:g}, "
            f"{one.fails_random:g}; an answer flips after {one.flips:g}, {one.flips_random:g})"
        )
        yield told(name, float(one.half))


def twins(result: Any) -> Iterator[Row]:
    """The layer that tuning chooses beside random twins, and what each pooling gives there."""
    layers = result.table("sentence_layers")
    for one in result.table("sentence_scores").itertuples():
        own = layers[(layers["task"] == one.task) & (layers["layer"] == one.layer)]
        shares = ", ".join(f"{row.pooling} {100 * row.accuracy:.1f}" for row in own.itertuples())
        name = f"EWT dev and test, {one.task}, layer {one.layer}: {shares}; random twin"
        yield told(name, 100 * one.twin, "%")


def of_files(result: Any, count: int) -> Iterator[Row]:
    """Each file of labelled sentences goes through."""
    probed = result.table("sentence_tasks")["probed"].sum()
    yield at_least(f"files of labelled sentences that go through, of {count}", float(probed), "", count)
    scored = result.table("sentence_scores").set_index("task")
    tasks = result.table("sentence_tasks")
    for one in tasks[tasks["probed"]].itertuples():
        own = scored.loc[one.task]
        name = f"{one.task}: layer {own['layer']}, {own['beside']} {100 * own['beside_accuracy']:.1f}"
        yield told(f"{name} ({one.train} / {one.tune} / {one.test})", 100 * float(own["accuracy"]), "%")


def _of(layers: pd.DataFrame, task: str, classifier: str) -> pd.DataFrame:
    return layers[(layers["task"] == task) & (layers["classifier"] == classifier)]


def _published(share: float) -> str:
    return f" (published {100 * share:.1f})" if share == share else ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="keep the run folders, and go on with them if stopped")
    sys.exit(not all(row["passed"] for row in show(TITLE, run(out=parser.parse_args().out))))
