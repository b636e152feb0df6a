"""How different heads are: mean Jensen-Shannon divergence per query between all pairs of a stack.

Clark et al. 2019 section 6, there a sum over tokens; here the mean within a segment, then over segments, in
nats. The distances are drawn in the plane, grouped, and tested: are heads of one layer closer than chance?

Their cost grows with the square of the heads. Of models with many, each segment gives a sample of its query
rows; how much groups of these differ tells how far that may be off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, RowBlocks, Site
from headscope.attention.listen import Need
from headscope.blocks import number_of
from headscope.heads import Stack
from headscope.measures import compiled, information
from headscope.measures.embedding import embed, group, layer_closeness
from headscope.measures.sampling import cautious_error, doubt, variance_of_mean
from headscope.models import Sides
from headscope.tallies import Means, Tally
from headscope.text import Segment

GROUPS = 8
"""The sampled rows of a segment are dealt to so many groups, or to as many as there are rows."""


class Distances:
    """The analysis; rows limits a segment to a seeded sample of its queries, taken from those that are heard.

    blocks: which rows are heard. Those are the same in segments of one length, so of what is only heard in
    part no error is told: it would have to know how queries of one place are alike.
    """

    name = "distances"

    def __init__(self, rows: int | None = None, blocks: RowBlocks | None = None) -> None:
        self.rows, self.blocks = rows, blocks or RowBlocks()

    @property
    def used(self) -> int | None:
        """How many rows of a segment are used at the most; None, where all are."""
        return min((limit for limit in (self.rows, self.blocks.rows) if limit is not None), default=None)

    def work(self, setting: Setting) -> DistancesWork:
        return DistancesWork(setting, self.rows, self.blocks)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        heads = setting.chosen()
        matrix, errors = np.full((2, len(heads), len(heads)), np.nan)
        positions = np.full((len(heads), 2), np.nan)
        clusters = np.zeros(len(heads), dtype=np.int64)
        attributes: dict[str, float] = {}
        for stack in setting.stacks():
            means, variances, doubts = _of_stack(tallies, stack)
            members = np.array([number for number, head in enumerate(heads) if head.stack == stack])
            divergence = means.result()
            picture = embed(divergence, setting.seed)
            layers = np.array([heads[number].layer for number in members])
            test = layer_closeness(divergence, layers, setting.seed)
            matrix[np.ix_(members, members)] = divergence
            if means.count:
                error = cautious_error(variances.total, doubts.total) / means.count
                errors[np.ix_(members, members)] = error
            positions[members] = picture.positions
            clusters[members] = group(divergence)
            attributes |= {
                f"stress_{stack}": picture.stress,
                f"within_layer_{stack}": test.within,
                f"between_layers_{stack}": test.between,
                f"layer_p_{stack}": test.p,
            }
        if self.blocks.rows is not None:
            errors[:] = np.nan
        sampled = {} if self.used is None else {"divergence_error": (("head", "other"), errors)}
        attributes |= {} if self.used is None else {"distance_rows": self.used}
        return xr.Dataset(
            {
                "divergence": (("head", "other"), matrix),
                **sampled,
                "position": (("head", "axis"), positions),
                "cluster": (("head",), clusters),
            },
            coords={**setting.coordinates(), "other": setting.coordinates()["head"][1], "axis": ["x", "y"]},
            attrs=attributes,
        )


class DistancesWork(ListeningWork):
    """Keeps the maps of one batch, all layers, until the batch has run."""

    needs: Need = "rows"

    def __init__(self, setting: Setting, rows: int | None, blocks: RowBlocks) -> None:
        super().__init__(setting)
        self.rows, self.blocks = rows, blocks
        sizes = Counter(head.stack for head in setting.chosen())
        self.tallies: Tallies = {
            name: Means((size, size)) for stack, size in sizes.items() for name in _names(stack)
        }

    def begin(self, sides: Sides) -> None:
        self.sides = sides
        self._ranks = {stack: self._drawn_of(stack) for stack in self.setting.stacks()}
        self._maps: dict[Site, list[list[torch.Tensor]]] = {}
        self._heard_rows: dict[Site, list[np.ndarray]] = {}

    def _drawn_of(self, stack: Stack) -> list[np.ndarray]:
        """In which order the rows of each segment are drawn, those that are not heard last."""
        lengths = [int(length) for length in self.sides.lengths(stack).query]
        heard = self.blocks.sample(self.sides.of(stack)[0].ids.shape[1])
        drawn = [self._drawn(*each) for each in zip(self.sides.segments, lengths, strict=True)]
        return drawn if heard is None else [_of_heard(ranks, heard.numpy()) for ranks in drawn]

    def _drawn(self, segment: Segment, length: int) -> np.ndarray:
        """In which order all rows of a segment are drawn, the same in all layers and in every batch."""
        seed = [self.setting.seed, number_of(segment.document), segment.index]
        return np.random.default_rng(seed).permutation(length)

    def take(self, heard: Heard) -> None:
        """Keep the sampled rows of each segment; no padding."""
        weights, rows = self.setting.weights_of(heard).detach(), heard.rows.cpu().numpy()
        kept = self._maps.setdefault(heard.site, [[] for _ in self.sides.segments])
        self._heard_rows.setdefault(heard.site, []).append(rows)
        for segment, ranks in enumerate(self._ranks[heard.site.stack]):
            here = torch.from_numpy(self._is_sampled(rows, ranks)).to(weights.device)
            kept[segment].append(weights[segment] if here.all() else weights[segment][:, here])

    def _is_sampled(self, rows: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        sampled: np.ndarray = rows < len(ranks)
        if self.rows is not None:
            sampled[sampled] = ranks[rows[sampled]] < self.rows
        return sampled

    def end(self, documents: Sequence[str]) -> None:
        for stack in self.setting.stacks():
            sites = [site for site in self.sites if site.stack == stack]
            rows = np.concatenate(self._heard_rows[sites[0]])
            for segment, ranks in enumerate(self._ranks[stack]):
                maps = torch.cat([_joined(self._maps[site][segment], 1) for site in sites])
                drawn, length = ranks[rows[self._is_sampled(rows, ranks)]], len(ranks)
                if sites[0].masked:
                    seeing = (maps.sum((0, 2)) > 0).cpu().numpy()
                    length -= int((~seeing).sum())
                    maps, drawn = maps[:, torch.from_numpy(seeing)], drawn[seeing]
                if maps.shape[1]:
                    self._update(stack, maps, drawn, length)

    def _update(self, stack: Stack, maps: torch.Tensor, ranks: np.ndarray, length: int) -> None:
        """Take in a segment's maps (head, row, key), of some rows of its length; ranks: the order drawn."""
        means, variances, doubts = _of_stack(self.tallies, stack)
        rows = len(ranks)
        if rows in (1, length):  # no error, or none that could be told
            means.update(divergences_of(maps)[None] / rows)
            return
        groups = min(GROUPS, rows)
        group = ranks.argsort().argsort() % groups
        sums = np.stack(
            [divergences_of(maps[:, torch.from_numpy(group == number)]) for number in range(groups)]
        )
        means.update(sums.sum(0)[None] / rows)
        variance = variance_of_mean(sums, np.bincount(group).tolist(), length)
        variances.update(variance[None])
        doubts.update(doubt(variance, groups - 1)[None])


def _of_heard(ranks: np.ndarray, heard: np.ndarray) -> np.ndarray:
    """The order of the heard rows among themselves; all others come behind them.

    >>> _of_heard(np.array([3, 0, 2, 1]), np.array([0, 2, 5])).tolist()
    [1, 4, 0, 4]
    """
    here = heard[heard < len(ranks)]
    order = np.full_like(ranks, len(ranks))
    order[here] = ranks[here].argsort().argsort()
    return order


def _names(stack: Stack) -> tuple[str, str, str]:
    return stack, f"{stack}-variance", f"{stack}-doubt"


def _of_stack(tallies: Mapping[str, Tally], stack: Stack) -> list[Means]:
    """Divergences of all segments, the variances that sampling gives them, and the doubts about these."""
    return [cast(Means, tallies[name]) for name in _names(stack)]


def _joined(blocks: list[torch.Tensor], axis: int) -> torch.Tensor:
    """Blocks side by side; one block alone is not copied."""
    return blocks[0] if len(blocks) == 1 else torch.cat(blocks, axis)


def divergences_of(maps: torch.Tensor) -> np.ndarray:
    """Sums over queries (head, head) of maps (head, query, key), the fastest way for where they are."""
    if maps.device.type == "cpu":
        return compiled.divergences(maps.float().numpy())
    return information.divergences(maps).cpu().numpy()
