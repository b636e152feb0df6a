"""Which weights of a table of embeddings are the vectors of words."""

from __future__ import annotations

from torch import nn


def vectors_in(table: nn.Module) -> list[nn.Parameter]:
    """Those of the table itself; what it learns beside them, such as characters, is none of them.

    Of a table that has none, such as one of several inside each other, all.

    >>> [tuple(weight.shape) for weight in vectors_in(nn.Sequential(nn.Embedding(3, 2)))]
    [(3, 2)]
    """
    return list(table.parameters(recurse=False)) or list(table.parameters())
