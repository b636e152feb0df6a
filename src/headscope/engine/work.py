"""A worker's part: one shard in, the tallies of every analysis out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import torch

from headscope.analyses.analysis import Analysis, Setting, Tallies, Work
from headscope.attention import Listener, RowBlocks
from headscope.engine.shards import Shard
from headscope.measures.compiled import use_torch_threads
from headscope.models import sides_of
from headscope.text import Batch, Segment, batches, cut


@dataclass(frozen=True)
class Plan:
    """What every worker does with a shard.

    pieces: longest segment. pair: two spans in a segment. blocks: listen block-wise, for long inputs.
    """

    setting: Setting
    analyses: Sequence[Analysis]
    pieces: int
    batch_size: int
    pair: bool
    blocks: RowBlocks | None = None

    def segments(self, shard: Shard) -> Iterator[Segment]:
        """The segments of a shard, in order."""
        tokenizer = self.setting.model.tokenizer
        return chain.from_iterable(cut(one, tokenizer, self.pieces, self.pair) for one in shard.documents)


def run_shard(plan: Plan, shard: Shard, heard: Callable[[int, int], None]) -> dict[str, Tallies]:
    """Run a shard through the model once and return each analysis' tallies; `heard` is told
    after each batch how many segments and words it held."""
    use_torch_threads()
    model = plan.setting.model
    works = {analysis.name: analysis.work(plan.setting) for analysis in plan.analyses}
    listeners = [listener for work in works.values() for listener in work.listeners()]
    for batch in batches(plan.segments(shard), model.tokenizer, plan.batch_size, model.device):
        _run_batch(plan, batch, list(works.values()), listeners)
        heard(len(batch.segments), sum(len(segment.words) for segment in batch.segments))
    return {name: work.tallies for name, work in works.items()}


def _run_batch(plan: Plan, batch: Batch, works: Sequence[Work], listeners: Sequence[Listener]) -> None:
    model = plan.setting.model
    sides = sides_of(model, batch)
    for work in works:
        work.begin(sides)
    with torch.no_grad(), model.attached(listeners, blocks=plan.blocks) as module:
        module(**sides.inputs)
    documents = [segment.document for segment in batch.segments]
    for work in works:
        work.end(documents)
