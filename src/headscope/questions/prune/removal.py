"""Taking heads out for real: the smaller model, how it differs from the masked one, and what it gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import torch

from headscope.attention import Ablate
from headscope.engine.scoring import Scoring
from headscope.errors import ModelError
from headscope.heads import Head
from headscope.models import Model, sides_of
from headscope.models.places import quiet
from headscope.models.pruning.folder import save_pruned
from headscope.models.pruning.removal import head_groups, remove_heads
from headscope.models.speed import BATCH_SIZES, Speed, attention_share, ceiling, measure
from headscope.questions.prune.curves import Order, removable
from headscope.results.files import replace_folder
from headscope.tasks.choice import in_one_pass
from headscope.text import Corpus

CHECKED = 4
"""Batches on which the smaller model is held against the masked one."""

CURVE_BATCH = 16
_BEFORE, _AFTER = "before", "after"


@dataclass(frozen=True)
class Removal:
    """Tables of what was taken out, and what a reader must know."""

    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def removal_of(
    scoring: Scoring, order: Order, share: float, data: Corpus, folder: Path | None, speed: bool
) -> Removal:
    """Take the first heads of an order out, save what is left in a folder, and time it.

    A family that cannot be made smaller is told as a note: its curves stand all the same.
    """
    model, asked = scoring.setting.model, round(share * len(order.heads))
    every = len(model.heads())
    try:
        groups = head_groups(model)
        heads = removable(order.heads, groups, asked)
        if not heads:
            raise ModelError(
                f"{asked} of {len(order.heads)} heads were to go; a layer keeps one head, and heads that "
                "share a key go together"
            )
        small = remove_heads(model, heads)
    except ModelError as refusal:
        return Removal(notes=[f"the model was not made smaller: {refusal}"])
    names = ", ".join(map(model.label, heads))
    notes = [f"taken out, by {order.name}: {len(heads)} of {every} heads: {names}"]
    if len(heads) < asked:
        notes.append(
            f"{asked} were to go, but a layer keeps one head, and heads that share a key go together"
        )
    tables = {"pruned_model": sizes_table(model, small, gap(scoring, small, heads, data))}
    if folder is not None:
        notes.append(_save(small, folder))
    if speed:
        tables |= speed_tables(scoring, order, small, len(heads), groups)
        notes.append(
            f"speed on random rows of {_length(scoring)} pieces, the models taking turns; low and high: 10 % "
            "and 90 % of turns. ceiling: if attention, at its share of the time, shrank as its heads did"
        )
    return Removal(tables, notes)


def sizes_table(model: Model, small: Model, gap: float) -> pd.DataFrame:
    """What is smaller, and how far its losses are from those of the masked model."""
    pairs = {
        "heads": (len(model.heads()), len(small.heads())),
        "parameters": (parameters(model), parameters(small)),
        "bytes of weights": (file_size(model), file_size(small)),
    }
    rows: list[dict[str, object]] = [
        {"what": what, "before": float(old), "after": float(new), "ratio": new / old}
        for what, (old, new) in pairs.items()
    ]
    rows.append({"what": "largest difference of a loss to the masked model", "after": gap})
    return pd.DataFrame(rows).reindex(columns=["what", "before", "after", "ratio"])


def parameters(model: Model) -> int:
    """Numbers in the weights, shared ones once."""
    return sum(parameter.numel() for parameter in model.module.parameters())


def file_size(model: Model) -> int:
    """Bytes of the weights when they are saved."""
    with TemporaryDirectory(prefix="headscope-") as folder:
        with quiet():
            model.module.save_pretrained(folder)
        return sum(path.stat().st_size for path in Path(folder).glob("*.safetensors"))


def gap(scoring: Scoring, small: Model, heads: Sequence[Head], data: Corpus) -> float:
    """The largest difference of an example's loss between the smaller and the masked model.

    A few batches that two models see side by side, not a pass over the data: so it is beside the engine.
    """
    model, task, plan = scoring.setting.model, in_one_pass(scoring.task), scoring.plan()
    largest = 0.0
    segments = plan.segments(data)
    for batch in islice(model.batches(segments, plan.batch_size), CHECKED):
        sides = task.prepare(sides_of(model, batch))
        with torch.no_grad():
            with model.attached(edits=[Ablate(heads)], whole=True) as module:
                masked = task.score(module, sides).loss
            with small.attached(whole=True) as module:
                left = task.score(module, sides).loss
        largest = max(largest, float((masked - left).abs().max()))
    return largest


def _save(small: Model, folder: Path) -> str:
    loads_with: list[str] = []
    replace_folder(folder, lambda place: loads_with.append(save_pruned(small, place)))
    how = "transformers or headscope.load" if loads_with[0] == "transformers" else "headscope.load"
    return f"the smaller model is in {folder}; {how} reads it"


def speed_tables(
    scoring: Scoring, order: Order, small: Model, removed: int, groups: Sequence[tuple[Head, ...]]
) -> dict[str, pd.DataFrame]:
    """Examples per second and seconds per batch at several batch sizes; ratios at one for several shares."""
    model, pieces, every = scoring.setting.model, _length(scoring), len(scoring.setting.model.heads())
    shares = {size: attention_share(model, size, pieces) for size in BATCH_SIZES}
    taken = measure({_BEFORE: model, _AFTER: small}, BATCH_SIZES, pieces)
    before = {row.batch_size: row for row in taken if row.model == _BEFORE}
    speed = [
        {
            "share": removed / every,
            "batch_size": row.batch_size,
            "before": before[row.batch_size].throughput,
            "after": row.throughput,
            **_with_spread(before[row.batch_size], "seconds", "_before"),
            **_with_spread(row, "seconds", "_after"),
            **_with_spread(row, "ratio"),
            "attention_share": shares[row.batch_size],
            "ceiling": ceiling(shares[row.batch_size], removed / every),
        }
        for row in taken if row.model == _AFTER
    ]  # fmt: skip
    curve = []
    for step in (0.25, 0.5, 0.75):
        heads = removable(order.heads, groups, round(step * len(order.heads)))
        row = measure({_BEFORE: model, _AFTER: remove_heads(model, heads)}, [CURVE_BATCH], pieces)[-1]
        gone = len(heads) / every
        place = {"asked": step, "share": gone, "batch_size": CURVE_BATCH}
        curve.append(place | _with_spread(row, "ratio") | {"ceiling": ceiling(shares[CURVE_BATCH], gone)})
    return {"speed": pd.DataFrame(speed), "speed_curve": pd.DataFrame(curve)}


def _with_spread(row: Speed, name: str, which: str = "") -> dict[str, float]:
    """A number of a row and its spread, as columns; which: of the models."""
    return {f"{name}{which}{edge}": getattr(row, f"{name}{edge}") for edge in ("", "_low", "_high")}


def _length(scoring: Scoring) -> int:
    return min(scoring.pieces, scoring.setting.model.longest or scoring.pieces)
