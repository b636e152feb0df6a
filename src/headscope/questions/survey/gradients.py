"""How much a head's attention to a kind of key matters for the model's own loss.

Clark et al. 2019 figure 3: the magnitude of the gradient of the loss with respect to each attention weight,
averaged over the weights on keys of a kind. Masked pieces do not count as keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr
from torch.nn.functional import one_hot

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Heard, Listener, Recorder, Site
from headscope.measures.surface import Lengths
from headscope.models import Sides
from headscope.tallies import ClusterMeans, Tally
from headscope.tasks.losses import Loss

ALL = "all"


class Gradients:
    """The analysis, for a loss."""

    name = "gradients"

    def __init__(self, loss: Loss) -> None:
        self.loss = loss

    def work(self, setting: Setting) -> GradientsWork:
        return GradientsWork(setting, self.loss)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        tally = tallies["gradients"]
        assert isinstance(tally, ClusterMeans)
        return xr.Dataset(
            {
                "gradient": (("head", "key"), tally.means()),
                "gradient_se": (("head", "key"), tally.standard_errors()),
            },
            coords={**setting.coordinates(), "key": [ALL, *setting.model.kinds.names]},
            attrs={"loss": self.loss.name},
        )


class GradientsWork:
    """Runs a batch a second time, forwards and backwards."""

    def __init__(self, setting: Setting, loss: Loss) -> None:
        self.setting, self.loss = setting, loss
        kinds = len(setting.model.kinds.names)
        self.tally = ClusterMeans(len(setting.chosen()), kinds + 1)
        self.tallies: Tallies = {"gradients": self.tally}

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self.sides = self.loss.prepare(sides)

    def end(self, documents: Sequence[str]) -> None:
        maps = attention_gradients(self.setting, self.loss, self.sides)
        hidden = self.setting.model.kinds.names.index("other special")
        found = [kind_means(gradient, heard, self.sides.lengths(site.stack), hidden)
                 for site, (gradient, heard) in maps.items()]  # fmt: skip
        values, valid = (np.concatenate(part, axis=1) for part in zip(*found, strict=True))
        self.tally.update(documents, values, valid)


class _Visible(Recorder):
    """A recorder that also remembers what each query could see."""

    def __init__(self) -> None:
        super().__init__(gradient=True)
        self.heard: dict[Site, Heard] = {}

    def hear(self, heard: Heard) -> None:
        super().hear(heard)
        self.heard[heard.site] = heard


def attention_gradients(setting: Setting, loss: Loss, sides: Sides) -> dict[Site, tuple[torch.Tensor, Heard]]:
    """Gradient of the summed per-example losses, (batch, chosen head, query, key), by site."""
    recorder = _Visible()
    with torch.enable_grad(), setting.model.attached([recorder], gradients=True, whole=True) as module:
        total = loss.per_example(module, sides).sum()
    sites = setting.sites()
    maps = [recorder.maps[site][0] for site in sites]
    gradients = torch.autograd.grad(total, maps, allow_unused=True)
    found = {}
    for site, weights, gradient in zip(sites, maps, gradients, strict=True):
        # A layer that the loss does not reach has no gradient: a true zero.
        whole = torch.zeros_like(weights) if gradient is None else gradient
        found[site] = whole[:, setting.indices(site)], recorder.heard[site]
    return found


def kind_means(
    gradient: torch.Tensor, heard: Heard, lengths: Lengths, hidden: int
) -> tuple[np.ndarray, np.ndarray]:
    """Mean magnitude over the weights on keys of each kind: (batch, head, 1 + kind), and which exist.

    The first is over all keys that are not masked (of kind `hidden`). Only weights between real pieces
    that the query may look at count.
    """
    device, keys = gradient.device, gradient.shape[-1]
    rows = heard.rows[None, :] < torch.as_tensor(lengths.query, device=device)[:, None]
    real = torch.arange(keys, device=device) < torch.as_tensor(lengths.key, device=device)[:, None]
    visible = heard.visible & rows[:, None, :, None] & real[:, None, None, :]
    if heard.site.causal:
        visible = visible & (torch.arange(keys, device=device) <= heard.rows[:, None])
    kinds = one_hot(torch.as_tensor(lengths.key_kinds[:, :keys], device=device), lengths.kinds)
    everything = (torch.as_tensor(lengths.key_kinds[:, :keys], device=device) != hidden)[..., None]
    columns = torch.cat([everything, kinds], dim=-1).double()
    size = (gradient.detach().abs() * visible).sum(2, dtype=torch.float64) @ columns
    count = (visible.sum(2, dtype=torch.float64) @ columns).expand_as(size)
    return (size / count.clamp_min(1)).cpu().numpy(), (count > 0).cpu().numpy()
