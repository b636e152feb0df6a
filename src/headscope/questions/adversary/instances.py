"""Adversaries to single answers (Jain and Wallace 2019), as points beside those that were trained."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
import pandas as pd
import torch

from headscope.explainers.adversary import adversaries
from headscope.explainers.given_attention import Scope
from headscope.explainers.mixing import is_linear
from headscope.models import Model, Sides
from headscope.questions.trust.offers import Answering
from headscope.tasks.task import Task

TOGETHER = 16
"""Texts of a batch: adversaries to all of them are sought at once."""


def instances_table(
    model: Model, task: Task, scope: Scope, prepared: Sequence[Sides], texts: int, seed: int
) -> pd.DataFrame:
    """One row: how far weights can be moved answer by answer; of all texts, where that needs no passes."""
    answering, found, seen = Answering(task, 1, seed), [], 0
    for sides in prepared if is_linear(model) else islice(prepared, -(-texts // len(prepared[0].segments))):
        answered = answering(model, sides)
        if answered is not None:
            found.append(torch.stack(adversaries(answered.asked, scope, seed=seed).alike(), 1).cpu().numpy())
        seen += len(sides.segments)
    far, moved = (np.concatenate(found) if found else np.full((1, 2), np.nan)).T
    alike = ~np.isnan(far)
    return pd.DataFrame(
        [
            {
                "scope": str(scope),
                "answers": len(far),
                "found": float(alike.mean()),
                "jsd": float(np.nan_to_num(far).mean()),
                "median": float(np.median(np.nan_to_num(far))),
                "variation": float(moved[alike].mean()) if alike.any() else np.nan,
            }
        ]
    )
