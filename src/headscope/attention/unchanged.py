"""Leaving a module as it was: some families change themselves when they run, and stay so.

BigBird exchanges its attention modules on the first short text, Reformer writes a number of buckets into its
configuration. To look at a model must not leave that behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from transformers import GenerationConfig, PreTrainedConfig

LARGEST = 2**24
"""Bytes; buffers above hold quantised weights, which no forward pass writes to, and are not copied."""

_CONFIGURATIONS = (PreTrainedConfig, GenerationConfig)


class Kept:
    """Everything that the modules of a model and their configurations hold.

    Items are kept by identity, in attributes and in the dictionaries, lists and configurations that these
    hold, so that what was exchanged can be put back; of tensors, what is written in them.
    """

    def __init__(self, model: nn.Module) -> None:
        self._holders: dict[int, tuple[Any, Any]] = {}
        self._tensors: list[tuple[torch.Tensor, torch.Tensor]] = []
        for module in list(model.modules()):
            self._keep(vars(module))

    def _keep(self, holder: Any) -> None:
        if id(holder) in self._holders:
            return
        self._holders[id(holder)] = holder, holder.copy()
        for item in holder.values() if isinstance(holder, dict) else holder:
            if isinstance(item, dict | list):
                self._keep(item)
            elif isinstance(item, _CONFIGURATIONS):
                self._keep(vars(item))
            elif _is_written_to(item):
                self._tensors.append((item, item.clone()))

    def differs(self) -> bool:
        """Whether a part, a buffer, a setting or an attribute that is not private is another one now."""
        return any(
            isinstance(name, str) and not name.startswith("_") and holder.get(name) is not before.get(name)
            for holder, before in self._holders.values()
            if isinstance(holder, dict)
            for name in {*holder, *before}
        )

    def restore(self) -> None:
        """Put back whatever is not what it was."""
        for holder, before in self._holders.values():
            if not _same(holder, before):
                holder.clear()
                holder.update(before) if isinstance(holder, dict) else holder.extend(before)
        for tensor, before in self._tensors:
            if not torch.equal(tensor, before):
                with torch.no_grad():
                    tensor.copy_(before)


@contextmanager
def unchanged(model: nn.Module) -> Iterator[Kept]:
    """Leave a module, also after an exception, as it was: attributes, parts, buffers, configurations."""
    kept = Kept(model)
    try:
        yield kept
    finally:
        kept.restore()


def _is_written_to(item: Any) -> bool:
    """Whether an item is a tensor that a forward pass may write into."""
    if not isinstance(item, torch.Tensor) or isinstance(item, nn.Parameter) or item.is_inference():
        return False
    return item.numel() * item.element_size() <= LARGEST


def _same(holder: Any, before: Any) -> bool:
    """Whether two dictionaries or lists hold the very same items in the same order."""
    if len(holder) != len(before):
        return False
    if isinstance(holder, dict):
        pairs = zip(holder.items(), before.items(), strict=True)
        return all(name == other and item is old for (name, item), (other, old) in pairs)
    return all(item is old for item, old in zip(holder, before, strict=True))
