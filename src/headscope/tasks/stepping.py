"""Writing on, piece by piece: a long text is read once and kept, and single rows are heard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

import torch
import transformers

from headscope.attention import Edit, Listener, RowBlocks
from headscope.models import Model

CHUNK = 512
"""Pieces that are read at a time: what that needs in memory does not grow with the text."""


def written_on(
    model: Model,
    ids: torch.Tensor,
    count: int,
    listeners: Sequence[Listener] = (),
    edits: Sequence[Edit] = (),
    stepped: Callable[[int], None] = lambda piece: None,
) -> list[int]:
    """The likeliest pieces behind a text, ids (piece,), one after the other.

    The text is read by the model's own kernel, unless something is edited; listeners hear the row of each
    piece that is written, and `stepped` is told of it then.
    """
    # One that is told of the config forgets what is behind a window, and keys would be counted from there.
    cache = transformers.DynamicCache()
    kept = {"logits_to_keep": 1} if "logits_to_keep" in signature(model.module.forward).parameters else {}

    def read(module: Any, pieces: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = module(
            input_ids=pieces[None].to(model.device), past_key_values=cache, use_cache=True, **kept
        ).logits
        return logits[0, -1]

    with torch.no_grad():
        before = model.attached(edits=edits, whole=True) if edits else model.unheard(whole=True)
        with before as module:
            for chunk in torch.split(ids[:-1], CHUNK):
                read(module, chunk)
        blocks = None if edits or not model.shared_function else RowBlocks()
        written, last = [], ids[-1:]
        with model.attached(listeners, edits, blocks=blocks, whole=True) as module:
            for _ in range(count):
                last = read(module, last).argmax()[None].cpu()
                written.append(int(last))
                stepped(written[-1])
    return written
