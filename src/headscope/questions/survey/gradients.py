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
from headscope.attention import Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.measures.surface import Lengths
from headscope.models import Sides
from headscope.questions.survey.surface import visible_keys
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
        hidden = self.setting.model.kinds.names.index("other special")
        by_site = [
            kind_means(gradient, heard, self.sides.lengths(heard.site.stack), hidden)
            for gradient, heard in attention_gradients(self.setting, self.loss, self.sides)
        ]
        values, valid = (np.concatenate(arrays, axis=1) for arrays in zip(*by_site, strict=True))
        self.tally.update(documents, values, valid)


class _Hearing:
    """Keeps what it hears at each site as it is, in the graph."""

    needs: Need = "map"

    def __init__(self) -> None:
        self.heard: dict[Site, Heard] = {}

    def hear(self, heard: Heard) -> None:
        self.heard[heard.site] = heard


def attention_gradients(setting: Setting, loss: Loss, sides: Sides) -> list[tuple[torch.Tensor, Heard]]:
    """For each site, the gradient of the summed per-example losses, (batch, chosen head, query, key)."""
    hearing = _Hearing()
    with torch.enable_grad(), setting.model.attached([hearing], gradients=True, whole=True) as module:
        total = loss.per_example(module, sides).sum()
    heard = [hearing.heard[site] for site in setting.sites()]
    # A layer that the loss does not reach has no gradient: a true zero.
    gradients = torch.autograd.grad(total, [each.weights for each in heard], materialize_grads=True)
    return [
        (gradient[:, setting.indices(each.site)], each)
        for gradient, each in zip(gradients, heard, strict=True)
    ]


def kind_means(
    gradient: torch.Tensor, heard: Heard, lengths: Lengths, hidden: int
) -> tuple[np.ndarray, np.ndarray]:
    """Mean magnitude over the weights on keys of each kind: (batch, head, 1 + kind), and which exist.

    The first is over all keys that are not masked (of kind `hidden`). Only weights between real pieces
    that the query may look at count.
    """
    device, keys = gradient.device, gradient.shape[-1]
    rows = heard.rows[None, :] < torch.as_tensor(lengths.query, device=device)[:, None]
    visible = visible_keys(heard, lengths) & rows[:, None, :, None]
    kinds = torch.as_tensor(lengths.key_kinds[:, :keys], device=device)
    columns = torch.cat([(kinds != hidden)[..., None], one_hot(kinds, lengths.kinds)], dim=-1).double()
    size = (gradient.detach().abs() * visible).sum(2, dtype=torch.float64) @ columns
    count = (visible.sum(2, dtype=torch.float64) @ columns).expand_as(size)
    return (size / count.clamp_min(1)).cpu().numpy(), (count > 0).cpu().numpy()
