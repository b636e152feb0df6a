"""How different heads are: mean Jensen-Shannon divergence per query between all pairs of a stack.

Clark et al. 2019 section 6, there a sum over tokens; here the mean within a segment, then over segments, in
nats. The distances are drawn in the plane, grouped, and tested: are heads of one layer closer than chance?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, RowBlocks, Site
from headscope.attention.listen import Need
from headscope.heads import Stack
from headscope.measures import compiled, information
from headscope.measures.embedding import embed, group, layer_closeness
from headscope.models import Sides
from headscope.tallies import Means, Tally


class Distances:
    """The analysis; rows limits a segment to a seeded sample of its queries, the same in all layers."""

    name = "distances"

    def __init__(self, rows: int | None = None) -> None:
        self.rows = rows

    def work(self, setting: Setting) -> DistancesWork:
        return DistancesWork(setting, self.rows)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        heads = setting.chosen()
        matrix = np.full((len(heads), len(heads)), np.nan)
        positions = np.full((len(heads), 2), np.nan)
        clusters = np.zeros(len(heads), dtype=np.int64)
        attributes: dict[str, float] = {}
        for stack in setting.stacks():
            tally = tallies[stack]
            assert isinstance(tally, Means)
            members = np.array([number for number, head in enumerate(heads) if head.stack == stack])
            divergence = tally.result()
            picture = embed(divergence, setting.seed)
            layers = np.array([heads[number].layer for number in members])
            test = layer_closeness(divergence, layers, setting.seed)
            matrix[np.ix_(members, members)] = divergence
            positions[members] = picture.positions
            clusters[members] = group(divergence)
            attributes |= {
                f"stress_{stack}": picture.stress,
                f"within_layer_{stack}": test.within,
                f"between_layers_{stack}": test.between,
                f"layer_p_{stack}": test.p,
            }
        return xr.Dataset(
            {
                "divergence": (("head", "other"), matrix),
                "position": (("head", "axis"), positions),
                "cluster": (("head",), clusters),
            },
            coords={**setting.coordinates(), "other": setting.coordinates()["head"][1], "axis": ["x", "y"]},
            attrs=attributes,
        )


class DistancesWork(ListeningWork):
    """Keeps the maps of one batch, all layers, until the batch has run."""

    needs: Need = "rows"

    def __init__(self, setting: Setting, rows: int | None) -> None:
        super().__init__(setting)
        self.rows = rows
        sizes = Counter(head.stack for head in setting.chosen())
        self.tallies: Tallies = {stack: Means((size, size)) for stack, size in sizes.items()}

    def begin(self, sides: Sides) -> None:
        self.sides = sides
        self._maps: dict[Site, list[torch.Tensor]] = {}
        self._heard_rows: dict[Site, list[torch.Tensor]] = {}

    def take(self, heard: Heard) -> None:
        weights, rows = self.setting.weights_of(heard).detach(), heard.rows
        sample = self._sample(heard.site.stack)
        if sample is not None:
            sampled = torch.isin(rows, sample.to(rows.device))
            weights, rows = weights[:, :, sampled], rows[sampled]
        self._maps.setdefault(heard.site, []).append(weights)
        self._heard_rows.setdefault(heard.site, []).append(rows)

    def _sample(self, stack: Stack) -> torch.Tensor | None:
        """The sampled query positions of this batch, the same in all layers."""
        count = self.sides.lengths(stack).query_kinds.shape[1]
        return RowBlocks(rows=self.rows, seed=self.setting.seed).sample(count)

    def end(self, documents: Sequence[str]) -> None:
        for stack in self.setting.stacks():
            tally = self.tallies[stack]
            assert isinstance(tally, Means)
            sites = [site for site in self.sites if site.stack == stack]
            maps = [_joined(self._maps[site], 2) for site in sites]
            rows = _joined(self._heard_rows[sites[0]], 0)
            for segment, length in enumerate(self.sides.lengths(stack).query):
                real = int((rows < int(length)).sum())
                if real:
                    together = torch.cat([layer[segment, :, :real] for layer in maps])
                    tally.update(divergences_of(together)[None] / real)


def _joined(blocks: list[torch.Tensor], axis: int) -> torch.Tensor:
    """Blocks side by side; one block alone is not copied."""
    return blocks[0] if len(blocks) == 1 else torch.cat(blocks, axis)


def divergences_of(maps: torch.Tensor) -> np.ndarray:
    """Sums over queries (head, head) of maps (head, query, key), the fastest way for where they are."""
    if maps.device.type == "cpu":
        return compiled.divergences(maps.float().numpy())
    return information.divergences(maps).cpu().numpy()
