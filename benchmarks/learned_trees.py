"""Whether attention comes closer to trees while a net learns: DiSAN on SNLI, epoch by epoch."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

import headscope
from benchmarks.command import command
from benchmarks.data import ROOT, path
from benchmarks.nets import DISAN, SNLI, snli
from benchmarks.rows import Row, told
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
    "penalty on features that look alike. The complete run is kept in build/learned_trees and goes on where "
    "it was stopped."
)
DATA = tuple(SNLI.values())
REDUCED: dict[str, Any] = {"reduced": True}
BUILT = ROOT / "build" / "learned_trees"
WHOLE: dict[str, Any] = {**DISAN, "epochs": 8, "seeds": 3, "keep": "epoch"}
SMALL = {"epochs": 1, "seeds": 1, "limit": 200}
APART = 1.0
"""The weight of the penalty."""


def run(reduced: bool = False, out: Path | None = None) -> list[Row]:
    """Train, measure every checkpoint, and tell; runs are kept in `out` and go on."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (Path(folder) if reduced else BUILT)
        text = premises(place, 60 if reduced else 1000)
        return measured(place, text, WHOLE | (SMALL if reduced else {}))


def measured(place: Path, text: Path, options: dict[str, Any]) -> list[Row]:
    """How well nets learned with and without the penalty, and how close they came to trees."""
    rows, seeds = [], options["seeds"]
    for name, apart in (("plain", 0.0), ("apart", APART)):
        headscope.train("disan", **snli(), **options, apart=apart, out=place / name, plots=False)
        scores = headscope.open(place / name).table("seeds").set_index("data").loc["dev"]
        span = f"{100 * scores['lowest']:.1f} to {100 * scores['highest']:.1f}"
        rows.append(told(f"{name}: accuracy on dev data ({span} over seeds)", 100 * scores["mean"], "%"))
        rows += trees_of_models(place / name, text, seeds)
    series = tuple(str(place / "plain" / "checkpoints" / f"seed-{seed}") for seed in range(seeds))
    result = structure(place / "plain", text, place / "course", checkpoints=series)
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
    sys.exit(command(TITLE, __doc__, run))
