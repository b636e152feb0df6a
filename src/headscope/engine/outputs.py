"""mean_outputs: each head's mean output vector over a corpus, for mean ablation."""

from __future__ import annotations

from typing import Any

import torch

from headscope.analyses.analysis import Setting
from headscope.analyses.outputs import MeanOutputs, vectors_of
from headscope.engine.running import run
from headscope.engine.work import Plan
from headscope.heads import Head
from headscope.models import load
from headscope.text import Spans, read


def mean_outputs(
    model: Any, text: Any, *, pieces: int = 128, batch_size: int = 16, limit: int | None = None
) -> dict[Head, torch.Tensor]:
    """(dim,) for each head: the mean, over all real queries of a text, of what it hands on.

    >>> means = mean_outputs("default", ["Heads look at words.", "Some look at nothing."])
    >>> len(means), means[Head("encoder", 0, 0)].shape
    (72, torch.Size([32]))
    """
    loaded = load(model)
    plan = Plan(Setting(loaded), [MeanOutputs()], pieces, batch_size, Spans(loaded.reads_pairs))
    (outputs,) = plan.arrays(run(plan, read(text, limit=limit), "outputs"))
    return vectors_of(outputs)
