"""Where finished shards are kept."""

from __future__ import annotations

from typing import Protocol

from headscope.results.shards import Part


class ShardStore(Protocol):
    """Keeps states of shards in named parts, one for each run of a verb over data; a run folder is one."""

    def part(self, name: str) -> Part: ...
