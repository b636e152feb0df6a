"""mean_outputs: each head's mean output vector over a corpus, for mean ablation."""

from __future__ import annotations

from typing import Any

import torch

from headscope.analyses.analysis import Setting
from headscope.attention.means import OutputMeans
from headscope.engine.work import Plan
from headscope.heads import Head
from headscope.models import load, sides_of
from headscope.text import Corpus, Spans, read


def mean_outputs(
    model: Any, text: Any, *, pieces: int = 128, batch_size: int = 16, limit: int | None = None
) -> dict[Head, torch.Tensor]:
    """(dim,) for each head: the mean, over all real queries of a text, of what it hands on.

    >>> means = mean_outputs("default", ["Heads look at words.", "Some look at nothing."])
    >>> len(means), means[Head("encoder", 0, 0)].shape
    (72, torch.Size([32]))
    """
    loaded = load(model)
    plan = Plan(Setting(loaded), (), pieces, batch_size, Spans(loaded.shape == "encoder"))
    return means_over(plan, read(text, limit=limit))


def means_over(plan: Plan, corpus: Corpus) -> dict[Head, torch.Tensor]:
    """(dim,) for each head, over the segments that a plan makes of a corpus."""
    model, means = plan.setting.model, OutputMeans()
    for batch in model.batches(plan.segments(corpus), plan.batch_size):
        sides = sides_of(model, batch)
        for stack in model.stacks():
            query, _ = sides.of(stack)
            means.real[stack] = torch.as_tensor(query.real, device=model.device)
        with torch.no_grad(), model.attached([means]) as module:
            module(**sides.inputs)
    return means.result()
