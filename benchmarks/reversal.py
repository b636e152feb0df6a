"""Letters from behind: a task whose alignment is known, learned by small GRUs with attention."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np
import torch

import headscope
from benchmarks.rows import Row, at_least, told
from headscope.attention import Recorder
from headscope.models import Model
from headscope.models.sides import shifted_right

LETTERS = "abcdefghijklmnopqrst"
SHORTEST, LONGEST = 4, 12
ALIGNED = 95
GRU: dict[str, Any] = {"hidden": 64, "width": 32, "least": 1, "rate": 0.01, "dropout": 0.0}
Pair = tuple[str, str]


def pairs(count: int, seed: int, shortest: int, longest: int) -> list[Pair]:
    """Letters, and the same ones from behind."""
    draw = Random(seed)
    texts = [draw.choices(LETTERS, k=draw.randint(shortest, longest)) for _ in range(count)]
    return [(" ".join(text), " ".join(reversed(text))) for text in texts]


def written(path: Path, rows: Sequence[Pair]) -> Path:
    """A table of two columns."""
    path.write_text("source\ttarget\n" + "".join(f"{source}\t{target}\n" for source, target in rows))
    return path


def offsets(model: Model, rows: Sequence[Pair]) -> np.ndarray:
    """How far behind the letter that a step writes its weight is highest, (text, step); all of one length."""
    sources, targets = (model.tokenizer(list(side), return_tensors="pt") for side in zip(*rows, strict=True))
    recorder, steps = Recorder(), targets["input_ids"].shape[1] - 1  # the last one ends the text
    with torch.no_grad(), model.attached([recorder]) as module:
        module(**sources, decoder_input_ids=shifted_right(targets["input_ids"], model.module.config))
    ((weights,),) = recorder.maps.values()
    return (weights[:, 0, :steps].argmax(-1) - torch.arange(steps - 1, -1, -1)).numpy()


def run(
    place: Path, count: int = 4000, epochs: int = 4, longest: int = LONGEST, judged: bool = True
) -> list[Row]:
    """Embeddings and states as what is mixed, and no attention at all."""
    place.mkdir(parents=True, exist_ok=True)
    test = pairs(200, 1, longest, longest)
    files = {
        "data": written(place / "train.tsv", pairs(count, 0, SHORTEST, longest)),
        "dev": written(place / "dev.tsv", pairs(200, 2, SHORTEST, longest)),
        "test": written(place / "test.tsv", test),
    }
    rows: list[Row] = []
    for name, options in {
        "embeddings": {"values": "embeddings"},
        "states": {"values": "states"},
        "no attention": {"attention": "none"},
    }.items():
        began = process_time()
        result, models = headscope.train("seq2seq", **files, **GRU, epochs=epochs, **options)
        told_exact = result.table("translations")
        exact = 100 * float((told_exact["written"] == told_exact["wanted"]).mean())
        label = f"reversal of {longest} letters, {name}"
        rows.append(told(f"{label}: exact, {process_time() - began:.0f} s", exact, "%"))
        if "attention" not in options:
            rows += _aligned(label, name, offsets(models[0], test), judged)
    return rows


def _aligned(label: str, values: str, found: np.ndarray, judged: bool) -> list[Row]:
    """The share that looks at the letter itself, and at the constant offset that most look at."""
    places, counts = np.unique(found, return_counts=True)
    best, share = int(places[counts.argmax()]), 100 * counts.max() / counts.sum()
    own = 100 * float((found == 0).mean())
    asked = judged and values == "embeddings"
    aligned = f"{label}: aligned with the letter that is written"
    return [
        at_least(aligned, own, "%", ALIGNED) if asked else told(aligned, own, "%"),
        told(f"{label}: at the best constant offset, {best:+d}", share, "%"),
    ]
