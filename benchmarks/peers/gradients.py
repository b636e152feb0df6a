"""Integrated gradients by captum and by headscope: the same model, texts, blank text and points."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch

from benchmarks.corpus import segments
from benchmarks.peers import with_captum
from benchmarks.peers.environments import Beside
from benchmarks.peers.turns import Seconds, in_turns, ours
from benchmarks.rows import Row, at_most, told
from benchmarks.timing import ratio
from headscope.explainers import Asked, ask
from headscope.explainers.blank import blank_of, blanked
from headscope.explainers.embedding import vectors_of
from headscope.explainers.gradients import POINTS, integrated
from headscope.models import sides_of
from headscope.models.task_heads import with_head

PART = "share of the largest importance"
TEXTS, PIECES = 4, 32
USUAL, MANY = 50, 100
"""Points that captum takes unless it is told, and so many that more change nothing."""


def gradient_rows(folder: Path, repeats: int) -> list[Row]:
    """Time of both, and how far they are from each other and from the integral with many points."""
    asked, theirs = _asked(folder), dict[int, np.ndarray]()
    with Beside("captum", with_captum.__file__) as captum:
        title = captum.titled
        captum.ask("load", folder=str(folder / "classifier"), texts=str(folder / "vectors.npz"))

        def seconds(points: int) -> float:
            answer = captum.ask("importances", points=points)
            theirs[points] = np.array(answer.told)
            return answer.seconds

        jobs: dict[str, Seconds] = {"ours": ours(lambda: integrated(replace(asked)))}
        jobs |= {str(points): partial(seconds, points) for points in (POINTS, USUAL)}
        times = in_turns(jobs, repeats)
        seconds(MANY)
    found = integrated(replace(asked))
    mine, enough = found.importance.numpy(), (found.passes == POINTS + 2).numpy()
    what = f"{title}, integrated gradients of {TEXTS} texts of {PIECES} pieces"
    return [
        *(
            told(f"{what}: its time with {points} points / ours", ratio(taken, times["ours"]), "x")
            for points, taken in times.items() if points != "ours"
        ),
        told(f"{what}: passes that ours takes for a text", float(found.passes.double().mean())),
        told(f"{what}: texts for which {POINTS} points and both ends are enough", int(enough.sum())),
        *(
            at_most(f"{what}: largest difference for these, {PART}", apart, "", 1e-3)
            for apart in ([_apart(mine[enough], theirs[POINTS][enough])] if enough.any() else [])
        ),
        at_most(f"{what}: ours from its {MANY} points, {PART}", _apart(mine, theirs[MANY]), "", 0.05),
        *(
            told(f"{what}: its {points} points from its {MANY}, {PART}", _apart(theirs[points], theirs[MANY]))
            for points in (POINTS, USUAL)
        ),
    ]  # fmt: skip


def _asked(folder: Path) -> Asked:
    """Texts to a classifier with an untrained head, saved with their vectors and those of the blank text."""
    model = with_head("default", "texts", ["no", "yes"]).model
    sides = sides_of(model, next(model.batches(segments(model, TEXTS, PIECES), TEXTS)))
    asked = ask(model, sides)
    blank = blank_of(model)
    assert blank is not None
    (start,), (end,) = vectors_of(asked, blanked(asked, blank)), vectors_of(asked, asked.ids)
    names = {"mask": "attention_mask", "types": "token_type_ids"}
    arrays = {"start": start, "end": end, "labels": asked.entries}
    arrays |= {name: sides.inputs[given] for name, given in names.items()}
    np.savez(folder / "vectors.npz", **{name: _array(tensor) for name, tensor in arrays.items()})
    model.module.save_pretrained(folder / "classifier")
    return asked


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy()


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference, in the largest importance."""
    return float(np.abs(one - other).max() / np.abs(other).max())
