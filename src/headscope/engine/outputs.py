"""mean_outputs: each head's mean output vector over a corpus, for mean ablation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from headscope.analyses.analysis import Setting
from headscope.attention.means import OutputMeans
from headscope.engine.work import Plan
from headscope.heads import Head
from headscope.models import load, sides_of
from headscope.text import Corpus, Segment, Spans, batches, read


def mean_outputs(
    model: Any, text: Any, *, pieces: int = 128, batch_size: int = 16, limit: int | None = None
) -> dict[Head, torch.Tensor]:
    """(dim,) for each head: the mean, over all real queries of a text, of what it hands on.

    >>> means = mean_outputs("default", ["Heads look at words.", "Some look at nothing."])
    >>> len(means), means[Head("encoder", 0, 0)].shape
    (72, torch.Size([32]))
    """
    loaded = load(model)
    corpus = text if isinstance(text, Corpus) else read(text)
    corpus = corpus if limit is None else corpus.limited(limit)
    plan = Plan(Setting(loaded), (), pieces, batch_size, Spans(loaded.shape == "encoder"))
    return means_over(plan, corpus)


def means_over(plan: Plan, corpus: Corpus) -> dict[Head, torch.Tensor]:
    """(dim,) for each head, over the segments that a plan makes of a corpus."""
    model, means = plan.setting.model, OutputMeans()
    for batch in batches(segments_of(plan, corpus), model.tokenizer, plan.batch_size, model.device):
        sides = sides_of(model, batch)
        for stack in model.stacks():
            lengths = sides.lengths(stack)
            positions = torch.arange(lengths.query_kinds.shape[1])
            means.real[stack] = (positions < torch.as_tensor(lengths.query)[:, None]).to(model.device)
        with torch.no_grad(), model.attached([means]) as module:
            module(**sides.inputs)
    return means.result()


def segments_of(plan: Plan, corpus: Corpus) -> Iterator[Segment]:
    """The segments that a plan makes of a corpus; what it leaves out is not told."""
    parts = (part for document in corpus for part in plan.cut(document))
    return (part for part in parts if isinstance(part, Segment))
