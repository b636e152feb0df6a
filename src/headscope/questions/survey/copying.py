"""Whether a head raises what it looks at, or holds it down: copying against copy suppression.

What head h takes from piece j is v_j W_O; through the gain of the last norm and the unembedding it changes
the logit of that same piece, against the mean of all logits, by c_j. The score is sum a_ij c_j / sum a_ij
|c_j| over queries of the second copy and keys of both: 1 where all that is looked at is raised, -1 where
all of it is held down (McDougall et al. 2023), 0 by chance. What the last norm divides by is left out: it
changes no sign. It is the direct effect alone: what later layers make of it does not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.explainers.projecting import Projecting, by_head, why_no_vectors
from headscope.models import Model, Sides
from headscope.models.unembedding import Unembedding, why_no_unembedding
from headscope.questions.survey.laid import copies_in
from headscope.tallies import ClusterMeans, Tally


def why_no_copying(model: Model) -> str | None:
    """Why it cannot be told of a model; None where it can."""
    return why_no_unembedding(model) or why_no_vectors(model)


class Copying:
    """The analysis; see the head of this file."""

    name = "copying"

    def work(self, setting: Setting) -> CopyingWork:
        return CopyingWork(setting)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        tally = tallies["copying"]
        assert isinstance(tally, ClusterMeans)
        versions = {"": tally.means(), "_se": tally.standard_errors()}
        data = {f"copying{suffix}": ("head", values[:, 0]) for suffix, values in versions.items()}
        return xr.Dataset(data, coords=setting.coordinates())


class CopyingWork(ListeningWork):
    """Hears weights and values of each layer."""

    needs: Need = "rows"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.tally = ClusterMeans(len(setting.chosen()), 1)
        self.tallies: Tallies = {"copying": self.tally}
        self._unembedding = Unembedding.of(setting.model)
        self._middle = self._unembedding.middle()
        # Looked for now, by passes of their own, and not while others listen.
        projecting = Projecting.of(setting.model)
        self._written = {site: self._unembedding.scaled(projecting.matrices(site)) for site in self.sites}

    def begin(self, sides: Sides) -> None:
        self._copies = copies_in(sides)
        ids = torch.as_tensor(sides.source.ids)
        self._towards = self._unembedding.rows(ids) - self._middle  # (batch, key, width)
        self._sums: dict[Site, torch.Tensor] = {}

    def take(self, heard: Heard) -> None:
        assert heard.value is not None
        indices = self.setting.indices(heard.site)
        value = by_head(heard.value.detach(), heard.site.heads)[:, indices].float()
        effect = effects(value, self._written[heard.site][indices].float(), self._towards.float())
        weights = self.setting.weights_of(heard).detach().double()
        device = weights.device
        copies = self._copies.to(device)
        counted = (copies[:, heard.rows, None] == 1) & (copies[:, None, :] >= 0)
        looked = weights * counted[:, None]
        sums = torch.stack([_along(looked, effect), _along(looked, effect.abs())], -1)  # (batch, head, 2)
        self._sums[heard.site] = self._sums[heard.site] + sums if heard.site in self._sums else sums

    def end(self, documents: Sequence[str]) -> None:
        sums = torch.cat([self._sums[site] for site in self.sites], 1).cpu().numpy()
        valid = sums[..., 1:] > 0
        self.tally.update(documents, sums[..., :1] / np.where(valid, sums[..., 1:], 1.0), valid)


def effects(value: torch.Tensor, matrices: torch.Tensor, towards: torch.Tensor) -> torch.Tensor:
    """c_j of each head, (batch, head, key).

    value: (batch, head, key, dim). matrices: (head, dim, width). towards: (batch, key, width).

    >>> effects(torch.tensor([[[[2.0]]]]), torch.tensor([[[1.0, -1.0]]]), torch.tensor([[[0.0, 3.0]]]))
    tensor([[[-6.]]])
    """
    asked = torch.einsum("bkw,hdw->bhkd", towards, matrices)
    return (asked * value).sum(-1)


def _along(weights: torch.Tensor, effect: torch.Tensor) -> torch.Tensor:
    """Effects taken with weights (batch, head, query, key), over all queries and keys: (batch, head)."""
    return (weights.sum(2) * effect.double()).sum(-1)
