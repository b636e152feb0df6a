"""Hierarchical attention over documents (Yang et al. 2016): IMDB, beside average and max pooling."""

from __future__ import annotations

import json
import re
import sys
import tarfile
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import headscope
from benchmarks.command import command
from benchmarks.data import ROOT, path
from benchmarks.rows import Row, at_least, at_most, told
from benchmarks.serrano_smith import ORDERS, erasures
from benchmarks.timing import computing_with, counted, seconds_of
from headscope.measures.paired import effects, swap_test
from headscope.models import Model
from headscope.questions.train.answer import Trained
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.choice import task_for
from headscope.tasks.finetuning import evaluate
from headscope.text import read_labelled

TITLE = "Documents"
SAYS = (
    "`headscope train han` for 2 epochs in batches of 64 on 10,000 reviews of IMDB, a tenth of which choose "
    "the epoch, scored on 5,000; "
    "three seeds, one thread, processor time of one training with reading and scoring. Sentences end with "
    "marks, tags of HTML are left out, a review is read up to 512 words, GloVe vectors of 50 numbers are "
    "trained too. Average and max pooling in the place of both attentions are trained in the same way. "
    "Paired: both are scored on the same reviews, which are exchanged at random (9,999 times), right answers "
    "summed over seeds. Sentences are erased in the attention of the first seed over them, as Serrano and "
    "Smith 2019 do. Published is Yang et al. 2016, on a larger IMDB with 10 classes. The complete run is "
    "kept in build/han and goes on where it was stopped; the processor time of all its pieces is added up."
)
IMDB = "05_text_classification/imdb/aclImdb_subset.tar.xz"
DATA = (IMDB,)
REDUCED: dict[str, Any] = {"reduced": True}
BUILT = ROOT / "build" / "han"
"""Where the complete run is kept, so that a stopped one goes on."""

POOLINGS = ("attention", "average", "max")
PUBLISHED = {"attention": 49.4, "average": 47.8, "max": 48.2}
"""Accuracy in percent of HN-ATT, HN-AVE and HN-MAX on IMDB, of 10 classes."""

SEEDS, LEAST, SECONDS = 3, 84, 240
PIECES, ERASED = 512, 1000
"""The most words of a review, and reviews whose sentences are erased."""

COURSE: dict[str, Any] = {"epochs": 2, "batch_size": 64, "rate": 3e-3, "vectors": "glove", "plots": False}
SMALL: dict[str, Any] = {"epochs": 1, "hidden": 8, "limit": 60, "pieces": 100}
RIGHT = "right.json"
LABELS = {"neg": "negative", "pos": "positive"}
_TAG = re.compile(r"<br\s*/?>")


def run(reduced: bool = False, out: Path | None = None, only: str | None = None) -> list[Row]:
    """Everything, into folders below `out` (those that have finished are read, others go on)."""
    with TemporaryDirectory(prefix="headscope-") as folder, computing_with(1):
        place = out or (Path(folder) if reduced else BUILT)
        files = reviews(place / "reviews")
        asked = [pooling for pooling in POOLINGS if only in (None, pooling)]
        rows, right = [], {}
        for pooling in asked:
            trained = train(place / pooling, pooling, files, SMALL if reduced else {})
            rows += of_pooling(place / pooling, pooling, trained, reduced)
            right[pooling] = answered(place / pooling, trained, files["test"], reduced)
            if pooling == "attention":
                rows += by_sentence(trained.models[0], files["test"], SMALL["limit"] if reduced else ERASED)
    return rows + compared(right)


def reviews(folder: Path) -> dict[str, str]:
    """Training and test reviews, a line of JSON each, in an order that mixes the labels."""
    files = {part: folder / f"{part}.jsonl" for part in ("train", "test")}
    if not all(file.exists() for file in files.values()):
        folder.mkdir(parents=True, exist_ok=True)
        found: dict[str, list[tuple[int, str, str]]] = {part: [] for part in files}
        with tarfile.open(path(IMDB)) as archive:
            for member in archive:
                _, part, label, name = member.name.split("/")
                content = archive.extractfile(member)
                assert content is not None
                text = " ".join(_TAG.sub(" ", content.read().decode("utf-8")).split())
                found[part].append((int(name.split("_")[0]), LABELS[label], text))
        for part, rows in found.items():
            lines = [json.dumps({"text": text, "label": label}) for _, label, text in sorted(rows)]
            files[part].write_text("\n".join([*lines, ""]), encoding="utf-8")
    return {part: str(file) for part, file in files.items()}


def train(place: Path, pooling: str, files: Mapping[str, str], small: Mapping[str, Any]) -> Trained:
    """A net trained in a folder, or read from there, with the processor time of all its pieces."""
    place.mkdir(parents=True, exist_ok=True)
    asked = {**COURSE, "seeds": 1 if small else SEEDS, **small}
    # Who reads a finished run again has not trained.
    with nullcontext() if (place / RIGHT).exists() else counted(place, "train"):
        trained: Trained = headscope.train(
            "han", files["train"], test=files["test"], pooling=pooling, out=place / "run", **asked
        )
    return trained


def of_pooling(place: Path, pooling: str, trained: Trained, reduced: bool) -> list[Row]:
    """Mean score over seeds and time of one training."""
    row = trained.result.table("seeds").set_index("data").loc["test"]
    seconds = seconds_of(place, "train") / int(row["models"])
    label, time = f"{pooling}: mean accuracy, 3 seeds", f"{pooling}: processor time of one training"
    if reduced:
        return [told(f"{pooling}: accuracy", 100 * row["mean"], "%"), told(time, seconds, "s")]
    spread = f"{100 * row['lowest']:.1f} to {100 * row['highest']:.1f} %"
    score = 100 * float(row["mean"])
    judged = pooling == "attention"
    return [
        at_least(label, score, "%", LEAST) if judged else told(label, score, "%"),
        told(f"{pooling}: over seeds", spread),
        told(f"{pooling}: published, on IMDB with 10 classes", PUBLISHED[pooling], "%"),
        at_most(time, seconds, "s", SECONDS) if judged else told(time, seconds, "s"),
    ]


def by_sentence(model: Model, test: str, limit: int) -> list[Row]:
    """How many sentences are erased until a decision changes, by order (Serrano and Smith 2019)."""
    found = erasures(model, test, limit, PIECES)
    until = f"sentences of {len(found.difference):,} reviews: mean share erased until the decision changes"
    top, other = found.single.mean(0)
    return [
        *(told(f"{until}, {order}", float(np.mean(found.shares[order]))) for order in ORDERS),
        told("decisions that the sentence with the highest weight changes alone, and a random other one",
             f"{top:.3f} and {other:.3f}"),
        told("share of reviews whose answer moves further without the former",
             float(np.mean(found.difference > 0))),
    ]  # fmt: skip


def answered(place: Path, trained: Trained, test: str, reduced: bool) -> np.ndarray:
    """Right answers of all seeds, and how many there are, to each test review, (review, 2); kept."""
    file = place / RIGHT
    if file.exists():
        return np.array(json.loads(file.read_text()))
    limit, pieces = (SMALL["limit"], SMALL["pieces"]) if reduced else (None, PIECES)
    each = [_statistics(model, test, limit, pieces) for model in trained.models.values()]
    right: np.ndarray = np.sum(each, axis=0)
    file.write_text(json.dumps(right.tolist()))
    return right


def _statistics(model: Model, test: str, limit: int | None, pieces: int) -> np.ndarray:
    task = task_for(model, "classification")
    batches = ExampleBatches(
        model, task, read_labelled(test, tagged=False, limit=limit), pieces, COURSE["batch_size"]
    )
    return evaluate(model.module, task, list(batches)).statistics


def compared(right: Mapping[str, np.ndarray]) -> list[Row]:
    """Attention beside what stands in its place, on the same reviews."""
    others = [pooling for pooling in right if pooling != "attention"]
    if "attention" not in right or not others:
        return []
    # An effect is what a change does, and attention is what is changed to something simpler.
    base, changed = right["attention"], np.stack([right[pooling] for pooling in others], 1)
    above = -100 * effects(base, changed, _accuracy)
    p, adjusted = swap_test(base, changed, _accuracy, seed=0)
    return [
        told(
            f"attention above {pooling}: points, and p of the paired test (adjusted for both)",
            f"{points:.2f}, p = {own:.4f} ({both:.4f})",
        )
        for pooling, points, own, both in zip(others, above, p, adjusted, strict=True)
    ]


def _accuracy(sums: np.ndarray) -> np.ndarray:
    accuracy: np.ndarray = sums[..., 0] / sums[..., 1]
    return accuracy


if __name__ == "__main__":
    sys.exit(command(TITLE, __doc__, run, POOLINGS))
