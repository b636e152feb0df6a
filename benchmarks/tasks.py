"""Which heads matter: SST-2 and CoNLL-2000 with the embedded model, trained, ablated and pruned."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any
from zipfile import ZipFile

import headscope
from benchmarks.command import command
from benchmarks.data import ROOT, path
from benchmarks.passes import seconds_of_pass
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.timing import computing_with, counted, seconds_of, worded
from headscope.questions.prune.options import IMPORTANCE, RANDOM, REVERSED
from headscope.results.result import Result
from headscope.results.vocabulary import BETTER, VERDICTS, WORSE
from headscope.text import Texts, read

TITLE = "Tasks"
SAYS = (
    "`headscope finetune`, `ablate` and `prune` with the embedded model on SST-2 (weights chosen on dev.tsv, "
    "scores on the 872 sentences of test.tsv) and on CoNLL-2000 (a tenth of train held out), on one thread. "
    "The processor time of fine-tuning stands beside that of a plain SDPA pass over the texts it is trained "
    "on. The complete run is kept in build/tasks and goes on where it was stopped."
)
SST = {
    "data": "05_text_classification/sst2/train.tsv.xz",
    "dev": "05_text_classification/sst2/dev.tsv",
    "test": "05_text_classification/sst2/test.tsv",
}
CHUNKS = "03_conll2000_ptb/conll2000.zip"
DATA = (*SST.values(), CHUNKS)
REDUCED: dict[str, Any] = {"reduced": True}
BUILT = ROOT / "build" / "tasks"
BATCH = 64
PASSES = 8
"""So many passes over its texts may training take: forward, backward, the looks at the dev data. It is what
20 minutes were for SST-2 on two cores, where a pass takes two and a half."""
SMALL: dict[str, dict[str, Any]] = {
    "finetune": {"limit": 400, "epochs": 1, "evaluations": 1},
    "ablate": {"limit": 40, "train_limit": 24, "layers": (0, 5)},
    "prune": {"limit": 32, "train_limit": 24, "steps": 4, "random": 3, "gate_steps": 5, "speed": False},
}
FULL: dict[str, dict[str, Any]] = {
    "finetune": {"epochs": 1, "batch_size": 64},
    "ablate": {},
    "prune": {"steps": 5, "batch_size": 64},
}
CHUNKER: dict[str, dict[str, Any]] = {
    "finetune": {"epochs": 1, "evaluations": 2, "batch_size": 16, "rate": 2e-4},
    "ablate": {},
    "prune": {"limit": 300, "steps": 5, "speed": False},
}


def run(reduced: bool = False, out: Path | None = None, only: str | None = None) -> list[Row]:
    """Everything, into run folders below `out` (those that have finished are read)."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (Path(folder) if reduced else BUILT)
        rows: list[Row] = []
        if only in (None, "sst"):
            files = {part: path(name) for part, name in SST.items()}
            rows += of_task("SST-2", files, 88, place / "sst", SMALL if reduced else FULL, not reduced)
        if only in (None, "chunks"):
            files = unzipped(path(CHUNKS), Path(folder) / "conll2000")
            rows += of_task("chunks", files, 91, place / "chunks", SMALL if reduced else CHUNKER, not reduced)
    return rows


def unzipped(archive: Path, folder: Path) -> dict[str, Path]:
    """The files of CoNLL-2000; a tenth of train is held out, since there is no dev."""
    with ZipFile(archive) as content:
        for name in ("train", "test"):
            folder.mkdir(exist_ok=True)
            text = content.read(f"conll2000/{name}.txt")
            (folder / f"{name}.iob").write_bytes(text)
    return {"data": folder / "train.iob", "test": folder / "test.iob"}


def of_task(
    name: str, files: dict[str, Path], least: float, place: Path, options: dict[str, Any], judged: bool
) -> list[Row]:
    """Train, ablate and prune; the rows of each."""
    others = {part: path for part, path in files.items() if part not in ("data", "test")}
    place.mkdir(parents=True, exist_ok=True)
    with counted(place, "finetune"):
        given = {**others, "test": files["test"], "out": place / "model", **options["finetune"]}
        tuned = headscope.finetune("default", files["data"], **given).result
    seconds = seconds_of(place, "finetune")
    texts = read(files["data"], limit=options["finetune"].get("limit"))
    plain = seconds_of_pass(headscope.load("default"), texts, Texts(), BATCH, process_time)
    rows = training_rows(name, tuned, least, judged) + time_rows(
        f"{name}: fine-tuning", seconds, plain, judged
    )
    arguments = (place / "model" / "model", files["test"])
    ablated = headscope.ablate(
        *arguments,
        train=files["data"],
        other=others.get("dev"),
        out=place / "ablate",
        **options["ablate"],
    )
    pruned = headscope.prune(*arguments, train=files["data"], out=place / "prune", **options["prune"])
    return rows + ablation_rows(name, ablated) + pruning_rows(name, pruned, judged)


def training_rows(name: str, result: Result, least: float, judged: bool) -> list[Row]:
    """The score on test data."""
    scores = result.table("finetuned").set_index("data")
    test = scores.loc["test"]
    label = f"{name}: {test['metric']} on {test['examples']:,} test examples"
    score = 100 * float(test["score"])
    beside = f"{100 * test['low']:.1f} to {100 * test['high']:.1f}"
    return [
        at_least(label, score, "%", least) if judged else told(label, score, "%"),
        told(f"{name}: interval {beside}; dev {100 * scores['score']['dev']:.2f} %", ""),
    ]


def time_rows(job: str, seconds: float, plain: float, judged: bool) -> list[Row]:
    """How long training took, also beside a plain pass over the same texts."""
    label = f"{job} / a plain pass over its texts"
    return [
        told(f"{job}, {worded(1)}", seconds / 60, "min"),
        at_most(label, seconds / plain, "x", PASSES) if judged else told(label, seconds / plain, "x"),
    ]


def ablation_rows(name: str, result: Result) -> list[Row]:
    """Verdicts, layers and agreement."""
    summary = result.table("ablation_summary").iloc[0]
    counts = ", ".join(f"{summary[verdict]} {verdict}" for verdict in VERDICTS)
    rows = [told(f"{name}: {summary['heads']} heads on {summary['examples']:,} examples: {counts}", "")]
    table = result.table("ablation")
    for verdict in (WORSE, BETTER):
        lost = (table["loss_verdict"] == verdict).sum()
        rows.append(told(f"{name}: {verdict} on the loss", int(lost), "heads"))
    layers = result.table("ablation_layers")
    for removed, part in layers.groupby("removed", sort=False):
        effects = ", ".join(
            f"L{layer} {100 * effect:+.1f} ({verdict})"
            for layer, effect, verdict in zip(part["layer"], part["effect"], part["verdict"], strict=True)
        )
        rows.append(told(f"{name}: {removed} removed: {effects}", ""))
    for one in result.table("importance_agreement").itertuples():
        label = f"{name}: {one.score} against {one.against}, interval {one.low:.2f} to {one.high:.2f}"
        rows.append(told(label, one.spearman, "spearman"))
    if "ablation_agreement" in result.tables:
        for one in result.table("ablation_agreement").itertuples():
            label = f"{name}: effects on {one.data} and {one.other}, {one.low:.2f} to {one.high:.2f}"
            rows.append(told(f"{label} (published r 0.56, 0.68)", one.value, one.measure))
    return rows


def pruning_rows(name: str, result: Result, judged: bool) -> list[Row]:
    """Areas under the curves, in percent."""
    areas = result.table("pruning_areas").set_index("order")
    rows = [
        told(f"{name}: area, {order} (beats {one['beats']:.0%} of random)", 100 * one["area"], "%")
        for order, one in areas.drop(index=RANDOM).iterrows()
    ]
    band = areas.loc[RANDOM]
    shown = f"{100 * band['low']:.1f} to {100 * band['high']:.1f}"
    rows.append(told(f"{name}: area, random: mean, central 95 % {shown}", 100 * band["area"], "%"))
    if judged:
        above = 100 * (areas["area"][IMPORTANCE] - band["high"])
        others = areas["area"].drop(REVERSED)  # of random orders the mean
        rows.append(at_least(f"{name}: importance above the random band", above, "points", 0))
        below = 100 * (others.min() - areas["area"][REVERSED])
        rows.append(at_least(f"{name}: reversed below all others and the mean of random", below, "points", 0))
    return rows


if __name__ == "__main__":
    sys.exit(command(TITLE, __doc__, run, ("sst", "chunks")))
