"""mean_outputs: each head's mean output vector over a corpus, for mean ablation."""

from __future__ import annotations

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
    means = OutputMeans()
    parts = (part for document in corpus for part in plan.parts(document))
    segments = (part for part in parts if isinstance(part, Segment))
    for batch in batches(segments, loaded.tokenizer, batch_size, loaded.device):
        sides = sides_of(loaded, batch)
        for stack in loaded.stacks():
            lengths = sides.lengths(stack)
            positions = torch.arange(lengths.query_kinds.shape[1])
            means.real[stack] = (positions < torch.as_tensor(lengths.query)[:, None]).to(loaded.device)
        with torch.no_grad(), loaded.attached([means]) as module:
            module(**sides.inputs)
    return means.result()
