"""Whether attention comes closer to trees while a net learns: DiSAN on SNLI, epoch by epoch."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

import headscope
from benchmarks.data import path
from benchmarks.nets import DISAN, SNLI, snli
from benchmarks.rows import Row, show, told
from benchmarks.timing import computing_with
from headscope.measures.targets import PARENT
from headscope.results.result import Result
from headscope.results.vocabulary import FALSE_TREES, TRUE_TREE

TITLE = "Trees while a net learns"
SAYS = (
    "Varano's experiment done again: DiSAN with 50 features learns SNLI, and its attention is held against "
    "parents of true and false trees before training and after every epoch, in premises of the dev data "
    "that spaCy parsed. KL in nats, what a mask hides counting 0 as in the paper, means over features and "
    "seeds. Nothing is judged: what does not reproduce is a finding. `apart`: trained once more with a "
    "penalty on features that look alike."
)
DATA = tuple(SNLI.values())
REDUCED: dict[str, Any] = {"seeds": 1, "epochs": 1, "limit": 200, "sentences": 60}
APART = 1.0
"""The weight of the penalty."""


def run(
    seeds: int = 3,
    epochs: int = 8,
    limit: int | None = None,
    sentences: int = 1000,
    out: Path | None = None,
) -> list[Row]:
    """Train, measure every checkpoint, and tell; with `out`, runs are kept there and go on."""
    if out is None:
        with TemporaryDirectory(prefix="headscope-") as folder:
            return run(seeds, epochs, limit, sentences, Path(folder))
    options = {**DISAN, "epochs": epochs, "seeds": seeds, "limit": limit, "keep": "epoch"}
    text = premises(out, sentences)
    rows = []
    with computing_with(1):
        for name, apart in (("plain", 0.0), ("apart", APART)):
            headscope.train("disan", **snli(), **options, apart=apart, out=out / name, plots=False)
            scores = headscope.open(out / name).table("seeds").set_index("data").loc["dev"]
            span = f"{100 * scores['lowest']:.1f} to {100 * scores['highest']:.1f}"
            rows.append(told(f"{name}: accuracy on dev data ({span} over seeds)", 100 * scores["mean"], "%"))
            rows += trees_of_models(out / name, text, seeds)
        series = [out / "plain" / "checkpoints" / f"seed-{seed}" for seed in range(seeds)]
        result = structure(out / "plain", text, out / "course", checkpoints=tuple(map(str, series)))
    return [*rows, *about_trees(result), *course(result)]


def premises(folder: Path, sentences: int) -> Path:
    """Different premises of SNLI's dev data, drawn from a seed, each a document of its own."""
    lines = sorted(set(path(SNLI["dev"]).read_text("utf-8").splitlines()))
    chosen = random.Random(0).sample(lines, sentences)
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / "premises.txt"
    text.write_text("\n\n".join(chosen) + "\n", "utf-8")
    return text


def structure(run: Path, text: Path, out: Path, seed: int = 0, **options: Any) -> Result:
    model = str(run / "models" / f"seed-{seed}")
    result: Result = headscope.structure(model, text, parse=True, out=out, **options)
    return result


def trees_of_models(run: Path, text: Path, seeds: int) -> list[Row]:
    """How many features of the trained models follow trees, of how many."""
    found = []
    for seed in range(seeds):
        summary = structure(run, text, run / f"trees-{seed}", seed, plots=False).table("structure_summary")
        found.append(summary.set_index("target").loc[PARENT])
    listed = ", ".join(f"{one['found']} ({one['closer_swapped']:.0f})" for one in found)
    says = "closer to parents of true trees than of all false ones (of swapped ones)"
    return [told(f"{run.name}: of {found[0]['heads']} features, {says}, by seed", listed)]


def about_trees(result: Result) -> list[Row]:
    trees = result.table("structure_trees").set_index("tree")["parent_before"]
    return [
        told(f"words whose parent comes before them, {tree} trees", 100 * trees[tree], "%")
        for tree in (TRUE_TREE, FALSE_TREES[0])
    ]


def course(result: Result) -> list[Row]:
    """Of each mask and tree: even attention, then every epoch, means over seeds."""
    curves = result.table("structure_curves")
    curves = curves[curves["target"] == PARENT]
    rows = []
    for (stack, tree), own in curves.groupby(["stack", "tree"], sort=False):
        epochs: pd.Series = own.groupby("step")["kl_all"].mean()
        listed = " ".join(f"{value:.3f}" for value in epochs)
        even = f"{own['even_all'].mean():.3f}"
        rows.append(told(f"{stack}, {tree} trees: even {even}, then by epoch", listed, "nats"))
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="keep the runs here, and go on with them")
    show(TITLE, run(out=parser.parse_args(sys.argv[1:]).out))
