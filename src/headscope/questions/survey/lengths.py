"""How much of what a head takes comes from the first token, where the length of what is taken counts.

Kobayashi et al. 2020, equation 5: a_ij |f_h(x_j)| instead of a_ij, as a share of the row, averaged over the
queries of a segment. A sink whose value is almost empty has a large weight and a small share here. Beside it
stands the share that even attention gives it, by the same lengths.
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
from headscope.questions.survey.block_sums import with_block_sums
from headscope.questions.survey.offers import RUNNING
from headscope.questions.survey.surface import visible_keys
from headscope.tallies import ClusterMeans, Tally


class Taken:
    """The analysis; see the head of this file."""

    name = "taken"

    def work(self, setting: Setting) -> TakenWork:
        return TakenWork(setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        tally = tallies["taken"]
        assert isinstance(tally, ClusterMeans)
        means, errors = tally.means(), tally.standard_errors()
        versions = {"": means[:, 0], "_se": errors[:, 0], "_uniform": means[:, 1]}
        data = {f"first_taken{suffix}": ("head", values) for suffix, values in versions.items()}
        dataset = xr.Dataset(data, coords=setting.coordinates())
        return with_block_sums(dataset, tally, {"first_taken": 0}, RUNNING)


class TakenWork(ListeningWork):
    """Hears weights and values of each layer."""

    needs: Need = "rows"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.tally = ClusterMeans(len(setting.chosen()), 2)
        self.tallies: Tallies = {"taken": self.tally}
        self._projecting = Projecting.of(setting.model)
        if not self._projecting.declared:
            # Looked for now, by a pass of its own, and not while others listen.
            self._projecting.projections  # noqa: B018

    def begin(self, sides: Sides) -> None:
        self._real, self._sides = torch.as_tensor(sides.source.real), sides
        self._sums: dict[Site, torch.Tensor] = {}
        self._rows: dict[Site, torch.Tensor] = {}

    def take(self, heard: Heard) -> None:
        assert heard.value is not None
        site = heard.site
        lengths = self._projecting.lengths(site, heard.value.detach())[:, self.setting.indices(site)]
        seen = visible_keys(heard, self._sides.lengths(site.stack))
        real = self._real.to(lengths.device)[:, heard.rows]
        each = [first_shares(weights, lengths) for weights in (self.setting.weights_of(heard).detach(), seen)]
        sums = torch.stack([(shares.double() * real[:, None]).sum(-1) for shares in each], -1)
        rows = real.sum(-1)
        self._sums[site] = self._sums[site] + sums if site in self._sums else sums
        self._rows[site] = self._rows[site] + rows if site in self._rows else rows

    def end(self, documents: Sequence[str]) -> None:
        sums = torch.cat([self._sums[site] for site in self.sites], 1).cpu().numpy()  # (batch, head, 2)
        rows = np.broadcast_to(self._rows[self.sites[0]].cpu().numpy()[:, None, None], sums.shape)
        self.tally.update(documents, sums / np.maximum(rows, 1), rows > 0)


def first_shares(weights: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """The first key's share of what each query takes, (batch, head, query); 0 where it takes nothing.

    weights: (batch, head, query, key), of which only the parts of a row count. lengths: (batch, head, key).

    >>> first_shares(torch.tensor([[[[0.5, 0.25, 0.25]]]]), torch.tensor([[[1.0, 2.0, 4.0]]])).item()
    0.25
    """
    total = (weights.to(lengths) @ lengths[..., None])[..., 0]
    return weights[..., 0] * lengths[..., :1] / total.where(total > 0, torch.ones_like(total))
