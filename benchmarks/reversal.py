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
SHORTEST, LONGEST, BEYOND = 4, 12, 8
"""Letters of a text that is learned from, and how many more a text has that shows what was not learned."""

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


def exact(model: Model, rows: Sequence[Pair]) -> float:
    """Texts that are written without a mistake, in percent; all of one length."""
    sources, targets = zip(*rows, strict=True)
    read, most = model.tokenizer(list(sources), return_tensors="pt"), 2 * len(targets[0].split())
    with torch.no_grad():
        made = model.module.generate(**read, do_sample=False, num_beams=1, max_new_tokens=most)
    texts = model.tokenizer.batch_decode(made, skip_special_tokens=True)
    return 100 * float(np.mean([text == target for text, target in zip(texts, targets, strict=True)]))


def run(
    place: Path, count: int = 4000, epochs: int = 4, longest: int = LONGEST, judged: bool = True
) -> list[Row]:
    """Embeddings and states as what is mixed, and no attention at all."""
    place.mkdir(parents=True, exist_ok=True)
    test, longer = (pairs(200, 1, length, length) for length in (longest, longest + BEYOND))
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
        _, models = headscope.train("seq2seq", **files, **GRU, epochs=epochs, **options)
        label, seconds = f"reversal of {longest} letters, {name}", process_time() - began
        rows.append(told(f"{label}: exact, {seconds:.0f} s", exact(models[0], test), "%"))
        beyond = f"{longest + BEYOND} letters, learned from at most {longest}, {name}"
        rows.append(told(f"reversal of {beyond}: exact", exact(models[0], longer), "%"))
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
