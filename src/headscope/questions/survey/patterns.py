"""How much of each head's attention follows patterns, with and without what rests on the first token.

Shares beside standard errors over documents, and what attention spread evenly over the visible keys gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.measures.patterns import Pattern, Patterns, PatternSums, behind
from headscope.models import Sides
from headscope.questions.survey.behind import LEAST
from headscope.questions.survey.block_sums import with_block_sums
from headscope.questions.survey.even import beside_even, versions_of
from headscope.questions.survey.surface import visible_keys
from headscope.tallies import ClusterMeans, Tally

BEHIND = "behind"
"""Goes before the name of a pattern where the first token is left out."""


class Laid(Protocol):
    """A way to lay patterns over a batch."""

    @property
    def names(self) -> Sequence[str]:
        """Theirs, in the order in which they are laid."""
        ...

    def __call__(self, sides: Sides, queries: torch.Tensor) -> Sequence[Pattern]: ...


class Following:
    """The analysis, for patterns laid over every batch.

    name: of its text, and of its arrays, each (head, its `name`). measures: which patterns surveys can be
    compared in, by what they are called there.
    """

    def __init__(self, name: str, laid: Laid, measures: Mapping[str, str]) -> None:
        self.name, self.laid, self.measures = name, laid, measures

    def work(self, setting: Setting) -> FollowingWork:
        return FollowingWork(setting, self.name, self.laid)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        tally = tallies[self.name]
        assert isinstance(tally, ClusterMeans)
        size, data = len(self.laid.names), {}
        for suffix, values in versions_of(tally, len(setting.chosen())).items():
            data[self.name + suffix] = (("head", f"{self.name}_pattern"), values[:, :size])
            data[f"{self.name}_{BEHIND}{suffix}"] = (("head", f"{self.name}_pattern"), values[:, size:])
        labels = {f"{self.name}_pattern": list(self.laid.names)}
        dataset = xr.Dataset(data, coords={**setting.coordinates(), **labels})
        columns = {name: self.laid.names.index(pattern) for name, pattern in self.measures.items()}
        return with_block_sums(dataset, tally, columns, self.name)


class FollowingWork(ListeningWork):
    """Hears each layer once and turns it into sums at once."""

    needs: Need = "rows"

    def __init__(self, setting: Setting, name: str, laid: Laid) -> None:
        super().__init__(setting)
        self.laid = laid
        self.tally = ClusterMeans(2 * len(setting.chosen()), 2 * len(laid.names))
        self.tallies: Tallies = {name: self.tally}

    def begin(self, sides: Sides) -> None:
        self.sides = sides
        self._sums: dict[Site, PatternSums] = {}
        self._even: dict[Site, PatternSums] = {}
        self._of_mask: dict[tuple[object, ...], tuple[Patterns, PatternSums, torch.Tensor | None]] = {}

    def take(self, heard: Heard) -> None:
        patterns, even = self._seen(heard)
        sums = patterns.sums(self.setting.weights_of(heard).detach())
        for kept, new in ((self._sums, sums), (self._even, even)):
            kept[heard.site] = kept[heard.site] + new if heard.site in kept else new

    def _seen(self, heard: Heard) -> tuple[Patterns, PatternSums]:
        """The patterns among what the rows see, and even attention; shared by layers of one mask."""
        mask, rows = heard.mask, heard.rows
        key = (id(mask), heard.site.stack, heard.site.causal, int(rows[0]), len(rows))
        if key not in self._of_mask:
            visible = visible_keys(heard, self.sides.lengths(heard.site.stack))
            even = visible / visible.sum(-1, keepdim=True).clamp_min(1)
            each = list(self.laid(self.sides, rows.cpu()))
            each += [behind(pattern, rows.cpu()) for pattern in each]
            device = visible.device
            each = [Pattern(pattern.targets.to(device), pattern.rows.to(device)) for pattern in each]
            patterns = Patterns.of(each, visible[:, 0])
            if len(rows) < visible.shape[-1]:  # of long texts, not all blocks are kept
                return patterns, patterns.sums(even)
            # The mask is kept with them, so that no other tensor can take its identity meanwhile.
            self._of_mask[key] = patterns, patterns.sums(even), mask
        return self._of_mask[key][:2]

    def end(self, documents: Sequence[str]) -> None:
        own, even = ([scores_of(sums[site]) for site in self.sites] for sums in (self._sums, self._even))
        self.tally.update(documents, *beside_even(own, even))


def scores_of(sums: PatternSums) -> tuple[np.ndarray, np.ndarray]:
    """Shares per segment, (segment, head, pattern), and which are defined; the second half of the patterns
    are those behind the first token, shares of what is not on it."""
    mass, rest, rows = (tensor.cpu().numpy() for tensor in sums)
    half = mass.shape[-1] // 2
    count = np.broadcast_to(rows[:, None], mass.shape)
    below = np.concatenate([count[..., :half], rest[..., half:]], -1)
    valid = (count > 0) & (below >= LEAST * count)
    return mass / np.where(valid, below, 1.0), valid
