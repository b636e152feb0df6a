"""Where finished shards are kept."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from headscope.results.shards import ShardState


class ShardStore(Protocol):
    """Keeps the states of shards, and of a run's first shards merged into one; a run folder is one.

    A verb with several runs over data has a named part for each, such as `syntax/twin-1`.
    """

    def has_shard(self, verb: str, number: int) -> bool: ...

    def read_shard(self, verb: str, number: int) -> ShardState | None: ...

    def write_shard(
        self, verb: str, number: int, arrays: dict[str, np.ndarray], meta: dict[str, Any]
    ) -> None: ...

    def read_merged(self, verb: str) -> tuple[ShardState, int] | None:
        """The state of all shards up to the one before the number that comes with it."""

    def write_merged(self, verb: str, past: int, arrays: dict[str, np.ndarray], meta: dict[str, Any]) -> None:
        """Keep one state in place of those up to the one before `past`, which go."""
