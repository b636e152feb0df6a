"""The loss of a language model on the second copy of random tokens, with and without some of its heads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from headscope.attention import Ablate
from headscope.models import Model, sides_of
from headscope.text.repeats import Repeats, copies_of, made_documents


def repeat_loss(
    model: Model, off: Sequence[str] = (), texts: int = 8, size: int = 50, seed: int = 1
) -> float:
    """Mean loss in nats of the tokens of second copies, the first of each left out: nothing tells it.

    seed: not that of a survey, so that heads are not judged on the texts that chose them.
    """
    cutter = Repeats(size, seed)
    segments = [next(cutter(document, model.tokenizer, 1)) for document in made_documents(texts)]
    losses = []
    with torch.no_grad(), model.attached(edits=[Ablate(off)] if off else [], whole=True) as module:
        for batch in model.batches(segments, texts):
            sides = sides_of(model, batch)
            logits = module(**sides.inputs).logits[:, :-1].float()
            ids = sides.inputs["input_ids"][:, 1:]
            loss = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids, reduction="none")
            copies = torch.as_tensor(np.stack([copies_of(segment) for segment in batch.segments]))
            again = (copies[:, 1:] == 1) & (copies[:, :-1] == 1)
            losses.append(loss[again])
    return float(torch.cat(losses).mean())
