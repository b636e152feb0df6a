"""Position biases that one layer makes for all: each layer takes the part of the heads it has left.

T5 and its kin keep a table with a column per head in the first layer, which hands the bias on to the
others; layers that have lost different heads then want different parts of it.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cache, wraps
from typing import Any

import torch
from torch import nn

from headscope.models.pruning.shrinking import keep_columns

_TAKEN = "bias_heads"
"""Where a module remembers what it was told to take."""


def divide_bias(modules: Sequence[nn.Module], kept: Mapping[nn.Module, Sequence[int]]) -> None:
    """Let the attention modules of a stack, in order of their layers, have the bias of the heads they keep.

    The table keeps the columns that some layer still reads; a layer that reads all of them stays as it was.
    """
    for group in _sharing(modules):
        table = _table(group[0])
        if table is None:
            # Without a table the bias is zero, so any heads do.
            reads = {module: list(range(len(kept[module]))) for module in group}
        else:
            reads = {module: _columns(module, table, kept[module]) for module in group}
        needed = sorted(set().union(*reads.values()))
        if table is not None:
            keep_columns(table, needed)
        for module in group:
            take(module, [needed.index(column) for column in reads[module]], len(needed))


def take(module: nn.Module, heads: Sequence[int], of: int) -> None:
    """Let a module use the bias of some of the heads, while it hands the bias of all of them on."""
    plain = _plain(type(module))
    whole = list(heads) == list(range(of))
    module.__class__ = plain if whole else _taking(plain)
    vars(module)[_TAKEN] = None if whole else (list(heads), of)


def taken(module: nn.Module) -> tuple[list[int], int] | None:
    """What `take` was last told about a module; None where it uses the whole bias."""
    return vars(module).get(_TAKEN)


def _is_handed_bias(module: nn.Module) -> bool:
    return "position_bias" in inspect.signature(_plain(type(module)).forward).parameters


def _table(module: nn.Module) -> nn.Embedding | None:
    return getattr(module, "relative_attention_bias", None)


def _sharing(modules: Sequence[nn.Module]) -> list[list[nn.Module]]:
    """Modules that use one bias: one with a table begins a new group, one that is handed no bias is alone."""
    groups: list[list[nn.Module]] = []
    for module in modules:
        if not groups or _table(module) is not None or not _is_handed_bias(module):
            groups.append([])
        groups[-1].append(module)
    return groups


def _columns(module: nn.Module, table: nn.Embedding, kept: Sequence[int]) -> list[int]:
    """The table's columns of the heads that a module keeps."""
    known = taken(module)
    columns = range(table.embedding_dim) if known is None else known[0]
    return [columns[index] for index in kept]


def _plain(kind: Any) -> Any:
    """The class without what `take` put over it."""
    return getattr(kind, "plain_kind", kind)


@cache
def _taking(kind: Any) -> Any:
    """A class as the given one, which takes part of the bias; made once, so that copies share it."""

    class Taking(kind):  # type: ignore[misc]
        plain_kind = kind

        def compute_bias(self, *given: Any, **options: Any) -> torch.Tensor:
            whole: torch.Tensor = super().compute_bias(*given, **options)
            self._whole_bias = whole
            return whole[:, vars(self)[_TAKEN][0]]

        # The core finds the family's eager function through what is wrapped here.
        @wraps(kind.forward)
        def forward(self, *given: Any, position_bias: torch.Tensor | None = None, **options: Any) -> Any:
            heads, of = vars(self)[_TAKEN]
            own = None if position_bias is None else position_bias[:, heads]
            output, own, *rest = super().forward(*given, position_bias=own, **options)
            whole = self.__dict__.pop("_whole_bias", None) if position_bias is None else position_bias
            if whole is None:
                whole = own.new_zeros(own.shape[0], of, *own.shape[2:])
            return output, whole, *rest

    Taking.__name__ = Taking.__qualname__ = f"Pruned{kind.__name__}"
    return Taking
