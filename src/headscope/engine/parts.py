"""Several runs of one verb in one store: each part numbers its shards beyond those of the one before."""

from __future__ import annotations

from typing import Any

import numpy as np

from headscope.engine.stores import ShardStore
from headscope.results.shards import ShardState

_APART = 10**7
"""Shards of a part are fewer than this."""


class PartStore:
    """Keeps the shards of one part; part 0 is the store itself."""

    def __init__(self, store: ShardStore, part: int) -> None:
        self._store, self._first = store, part * _APART

    def has_shard(self, verb: str, number: int) -> bool:
        return self._store.has_shard(verb, self._first + number)

    def read_shard(self, verb: str, number: int) -> ShardState | None:
        return self._store.read_shard(verb, self._first + number)

    def write_shard(
        self, verb: str, number: int, arrays: dict[str, np.ndarray], meta: dict[str, Any]
    ) -> None:
        self._store.write_shard(verb, self._first + number, arrays, meta)

    def read_merged(self, verb: str, first: int = 0) -> tuple[ShardState, int] | None:
        kept = self._store.read_merged(verb, self._first + first)
        return None if kept is None else (kept[0], kept[1] - self._first)

    def write_merged(
        self, verb: str, past: int, arrays: dict[str, np.ndarray], meta: dict[str, Any], first: int = 0
    ) -> None:
        self._store.write_merged(verb, self._first + past, arrays, meta, self._first + first)


def part_of(store: ShardStore | None, part: int) -> ShardStore | None:
    """The store of a part, if there is a store."""
    return None if store is None else PartStore(store, part)
