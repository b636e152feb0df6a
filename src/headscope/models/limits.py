"""How long an input a model takes."""

from __future__ import annotations

from typing import Any

from torch import nn

_NO_LIMIT = 10**7
"""Tokenizers without a limit report a number far above this."""


def longest_input(module: Any, tokenizer: Any) -> int | None:
    """The smaller of what the position embeddings hold and what the tokenizer says; None for no limit."""
    limits = _positions(module), _stated(tokenizer)
    return min((limit for limit in limits if limit is not None), default=None)


def _stated(tokenizer: Any) -> int | None:
    limit = getattr(tokenizer, "model_max_length", None)
    return int(limit) if limit and limit < _NO_LIMIT else None


def _positions(module: Any) -> int | None:
    config = module.config.get_text_config() if hasattr(module.config, "get_text_config") else module.config
    limit = getattr(config, "max_position_embeddings", None)
    if not limit or limit < 0:
        return None
    tables = [
        table
        for name, table in module.named_modules()
        if isinstance(table, nn.Embedding) and "position" in name and table.num_embeddings == limit
    ]
    # Some families (RoBERTa) start counting positions behind their padding index.
    skipped = max((table.padding_idx + 1 for table in tables if table.padding_idx is not None), default=0)
    return int(limit) - skipped
