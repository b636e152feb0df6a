"""How much of what a head takes comes from the first token, where the length of what is taken counts.

Kobayashi et al. 2020, equation 5: a_ij |f_h(x_j)| instead of a_ij, as a share of the row, averaged over the
queries of a segment. A sink whose value is almost empty has a large weight and a small share here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.explainers.projecting import Projecting
from headscope.models import Sides
from headscope.tallies import ClusterMeans, Tally


class Taken:
    """The analysis; see the head of this file."""

    name = "taken"

    def work(self, setting: Setting) -> TakenWork:
        return TakenWork(setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        tally = tallies["taken"]
        assert isinstance(tally, ClusterMeans)
        versions = {"": tally.means(), "_se": tally.standard_errors()}
        data = {f"first_taken{suffix}": ("head", values[:, 0]) for suffix, values in versions.items()}
        return xr.Dataset(data, coords=setting.coordinates())


class TakenWork(ListeningWork):
    """Hears weights and values of each layer."""

    needs: Need = "rows"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.tally = ClusterMeans(len(setting.chosen()), 1)
        self.tallies: Tallies = {"taken": self.tally}
        self._projecting = Projecting.of(setting.model)
        if not self._projecting.declared:
            # Looked for now, by a pass of its own, and not while others listen.
            self._projecting.projections  # noqa: B018

    def begin(self, sides: Sides) -> None:
        self._real = torch.as_tensor(sides.source.real)
        self._sums: dict[Site, torch.Tensor] = {}
        self._rows: dict[Site, torch.Tensor] = {}

    def take(self, heard: Heard) -> None:
        assert heard.value is not None
        site = heard.site
        lengths = self._projecting.lengths(site, heard.value.detach())
        weights, lengths = self.setting.weights_of(heard).detach(), lengths[:, self.setting.indices(site)]
        total = (weights @ lengths[..., None].to(weights))[..., 0]  # (batch, head, query)
        shares = weights[..., 0] * lengths[..., :1] / total.where(total > 0, torch.ones_like(total))
        real = self._real.to(shares.device)[:, heard.rows]
        sums, rows = (shares.double() * real[:, None]).sum(-1), real.sum(-1)
        self._sums[site] = self._sums[site] + sums if site in self._sums else sums
        self._rows[site] = self._rows[site] + rows if site in self._rows else rows

    def end(self, documents: Sequence[str]) -> None:
        sums = torch.cat([self._sums[site] for site in self.sites], 1).cpu().numpy()
        rows = np.broadcast_to(self._rows[self.sites[0]].cpu().numpy()[:, None], sums.shape)
        self.tally.update(documents, (sums / np.maximum(rows, 1))[..., None], (rows > 0)[..., None])
