"""The local runner: shard after shard in this process."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from headscope.engine.shards import Shard
from headscope.engine.states import to_state
from headscope.engine.work import Plan, run_shard
from headscope.results.shards import ShardState
from headscope.text.batches import Progress


class Local:
    """One worker, which is this process."""

    def states(
        self, plan: Plan, shards: Iterable[Shard], progress: Progress | None = None
    ) -> Generator[tuple[int, ShardState], None, None]:
        """The number and state of each shard, as soon as it is done."""
        for shard in shards:
            yield shard.number, to_state(run_shard(plan, shard, progress))
