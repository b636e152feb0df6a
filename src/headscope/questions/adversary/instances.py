"""Adversaries to single answers (Jain and Wallace 2019), as points beside those that were trained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import torch

from headscope.explainers.adversary import adversaries
from headscope.explainers.given_attention import Scope
from headscope.explainers.mixing import is_linear
from headscope.models import Model, Sides, sides_of
from headscope.questions.adversary.hearing import some_texts
from headscope.questions.trust.offers import Answering
from headscope.tasks.task import Task


def instances_table(
    model: Model, task: Task, scope: Scope, prepared: Sequence[Sides], texts: int, batch_size: int, seed: int
) -> pd.DataFrame:
    """One row: how far weights can be moved answer by answer; of all texts, where that needs no passes."""
    answering, found = Answering(task, 1, seed), []
    for sides in prepared if is_linear(model) else batches_of(model, task, prepared, texts, batch_size):
        answered = answering(model, sides)
        if answered is not None:
            found.append(torch.stack(adversaries(answered.asked, scope, seed=seed).alike(), 1).cpu().numpy())
    far, moved = (np.concatenate(found) if found else np.full((1, 2), np.nan)).T
    alike = ~np.isnan(far)
    return pd.DataFrame(
        [
            {
                "scope": str(scope),
                "answers": len(far),
                "found": float(alike.mean()),
                "jsd": float(far[alike].mean()) if alike.any() else np.nan,
                "median": float(np.median(far[alike])) if alike.any() else np.nan,
                "variation": float(moved[alike].mean()) if alike.any() else np.nan,
            }
        ]
    )


def batches_of(
    model: Model, task: Task, prepared: Sequence[Sides], texts: int, batch_size: int
) -> Iterator[Sides]:
    """So many of the texts, in batches of their own."""
    for batch in model.batches(some_texts(prepared, texts), batch_size):
        yield task.prepare(sides_of(model, batch))
