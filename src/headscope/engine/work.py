"""A worker's part: one shard in, the tallies of every analysis out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import torch
import xarray as xr

from headscope.analyses.analysis import Analysis, Setting, Tallies, Work
from headscope.attention import Edit, Listener, RowBlocks
from headscope.engine.shards import CHARACTERS, Shard
from headscope.models import Model, Sides, sides_of
from headscope.models.forecast import shortage_told, to_reduce
from headscope.text import Batch, Cutter, Document, Segment, Skipped
from headscope.text.batches import Progress


@dataclass(frozen=True)
class Plan:
    """What every worker does with a shard.

    pieces: longest segment. cutter: how documents become segments. blocks: listen block-wise, for long
    inputs. edits: changes to attention under which the model runs; listeners hear what is left by them.
    characters: how many fill a shard; sums over other shards differ in their last bits.
    """

    setting: Setting
    analyses: Sequence[Analysis]
    pieces: int
    batch_size: int
    cutter: Cutter
    blocks: RowBlocks | None = None
    edits: Sequence[Edit] = ()
    characters: int = CHARACTERS

    def with_model(self, model: Model | None) -> Plan:
        """The same of another model; of none where it is to travel without."""
        return replace(self, setting=replace(self.setting, model=model))  # type: ignore[arg-type]

    def arrays(self, done: Done) -> list[xr.Dataset]:
        """What each analysis makes of its merged tallies."""
        return [analysis.arrays(done.tallies[analysis.name], self.setting) for analysis in self.analyses]

    def cut(self, document: Document) -> Iterator[Segment | Skipped]:
        """The segments of a document, in order, and what is left out."""
        return self.cutter(document, self.setting.model.tokenizer, self.pieces)

    def segments(
        self, documents: Iterable[Document], skipped: Counter[str] | None = None
    ) -> Iterator[Segment]:
        """The segments of documents; words that are left out are counted by their reason."""
        skipped = Counter() if skipped is None else skipped
        for segment in chain.from_iterable(map(self.cut, documents)):
            if isinstance(segment, Skipped):
                skipped[segment.reason] += segment.words
            else:
                yield segment


@dataclass
class Done:
    """The tallies of each analysis, and what they were taken over; skipped words by their reason."""

    tallies: dict[str, Tallies] = field(default_factory=dict)
    segments: int = 0
    words: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def merge(self, other: Done) -> None:
        """Take in another shard's."""
        self.segments += other.segments
        self.words += other.words
        self.skipped.update(other.skipped)
        for name, group in other.tallies.items():
            for key, tally in group.items():
                mine = self.tallies.setdefault(name, {})
                if key in mine:
                    mine[key].merge(tally)
                else:
                    mine[key] = tally


def run_shard(plan: Plan, shard: Shard, progress: Progress | None = None) -> Done:
    """Run a shard through the model once; `progress` is told of each batch."""
    model = plan.setting.model
    works = {analysis.name: analysis.work(plan.setting) for analysis in plan.analyses}
    listeners = [listener for work in works.values() for listener in work.listeners()]
    done = Done({name: work.tallies for name, work in works.items()})
    segments = plan.segments(shard.documents, done.skipped)
    for batch in model.batches(segments, plan.batch_size):
        with shortage_told(to_reduce(batch_size=plan.batch_size)):
            _run_batch(plan, batch, list(works.values()), listeners)
        words = sum(len(segment.words) for segment in batch.segments)
        done.segments += len(batch.segments)
        done.words += words
        if progress is not None:
            progress(len(batch.segments), words)
    return done


def run_segment(plan: Plan, segment: Segment, listener: Listener) -> Sides:
    """Run a single segment for one listener; what the model was given."""
    model = plan.setting.model
    sides = sides_of(model, next(model.batches([segment], 1)))
    with torch.no_grad(), model.attached([listener], plan.edits) as module:
        module(**sides.inputs)
    return sides


def _run_batch(plan: Plan, batch: Batch, works: Sequence[Work], listeners: Sequence[Listener]) -> None:
    model = plan.setting.model
    sides = sides_of(model, batch)
    for work in works:
        work.begin(sides)
    # Where nobody listens, the works run the model themselves, each in its own way.
    if listeners:
        with torch.no_grad(), model.attached(listeners, plan.edits, blocks=plan.blocks) as module:
            module(**sides.inputs)
    documents = [segment.document for segment in batch.segments]
    for work in works:
        work.end(documents)
