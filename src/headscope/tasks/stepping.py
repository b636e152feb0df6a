"""Writing on, piece by piece: a long text is read once and kept, and single rows are heard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from typing import Any

import torch
import transformers
from transformers.cache_utils import DynamicLayer

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
    cache.layer_class_to_replicate = partial(Reserved, len(ids) + count)
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


class Reserved(DynamicLayer):  # type: ignore[misc]
    """Keys and values of a layer, in room that is taken once: they are never copied to grow.

    room: pieces that it is enough for.
    """

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        super().lazy_initialization(key_states, value_states)
        self._keys, self._values = (
            states.new_empty((*states.shape[:-2], self._room, states.shape[-1]))
            for states in (key_states, value_states)
        )

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """All keys and values up to the new ones, each (batch, head, piece, dim)."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start = self.get_seq_length()
        stop = start + key_states.shape[-2]
        self._keys[..., start:stop, :] = key_states
        self._values[..., start:stop, :] = value_states
        self.keys, self.values = self._keys[..., :stop, :], self._values[..., :stop, :]
        return self.keys, self.values
