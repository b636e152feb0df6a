"""Whether a head raises what it looks at, or holds it down: copying against copy suppression.

What head h takes from piece j is v_j W_O; through the gain of the last norm and the unembedding it changes
the logit of that same piece, against the mean of all logits, by c_j. The score is sum a_ij c_j / sum a_ij
|c_j| over queries of the second copy and keys of both: 1 where all that is looked at is raised, -1 where
all of it is held down (McDougall et al. 2023). What the last norm divides by is left out: it changes no sign.
It is the direct effect alone: what later layers make of it does not count.

Chance: the same with the values of the head turned at random, v_j R W_O. By chance a head stands as far from
0 as turned ones do (root mean square; their mean is 0, since R and -R are as likely). That is much where
embeddings are tied and a head has few dimensions: v_j W_O then holds the vector that makes the logit of j,
and a random matrix keeps its sign for most pieces. With random weights a head and its turned twins are alike
in distribution, whatever it looks at, so that this is its error there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import ListeningWork, Setting, Tallies
from headscope.attention import Heard, Site
from headscope.attention.listen import Need
from headscope.explainers.projecting import Projecting, by_head, why_no_vectors
from headscope.models import Model, Sides
from headscope.models.unembedding import Unembedding, why_no_unembedding
from headscope.questions.survey.block_sums import with_block_sums
from headscope.questions.survey.laid import copies_in
from headscope.questions.survey.offers import MADE
from headscope.tallies import ClusterMeans, Tally

TURNS = 16
"""Random turns of each head's values."""


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
        means, errors = tally.means(), tally.standard_errors()  # (head, as it is and turned)
        data = {
            "copying": means[:, 0],
            "copying_se": errors[:, 0],
            "copying_chance": np.sqrt((means[:, 1:] ** 2).mean(1)),
        }
        each = {name: ("head", values) for name, values in data.items()}
        dataset = xr.Dataset(each, coords=setting.coordinates())
        return with_block_sums(dataset, tally, {self.name: 0}, MADE)


class CopyingWork(ListeningWork):
    """Hears weights and values of each layer."""

    needs: Need = "rows"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.tally = ClusterMeans(len(setting.chosen()), 1 + TURNS)
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
        asked = asked_for(self._written[heard.site][indices].float(), self._towards.float())
        weights = self.setting.weights_of(heard).detach().double()
        copies = self._copies.to(weights.device)
        counted = (copies[:, heard.rows, None] == 1) & (copies[:, None, :] >= 0)
        looked = (weights * counted[:, None]).sum(2)  # (batch, head, key)
        sums = torch.stack([_along(looked, effect) for effect in effects(value, asked)], 2)
        self._sums[heard.site] = self._sums[heard.site] + sums if heard.site in self._sums else sums

    def end(self, documents: Sequence[str]) -> None:
        sums = torch.cat([self._sums[site] for site in self.sites], 1).cpu().numpy()  # (batch, head, way, 2)
        valid = sums[..., 1] > 0
        self.tally.update(documents, sums[..., 0] / np.where(valid, sums[..., 1], 1.0), valid)


def asked_for(matrices: torch.Tensor, towards: torch.Tensor) -> torch.Tensor:
    """What a value must be to raise its own piece, (batch, head, key, dim).

    matrices: (head, dim, width). towards: (batch, key, width).
    """
    return torch.einsum("bkw,hdw->bhkd", towards, matrices)


def effects(value: torch.Tensor, asked: torch.Tensor) -> Iterator[torch.Tensor]:
    """c_j of each head, (batch, head, key), of its values (batch, head, key, dim), then of turned ones.

    >>> own, *turned = effects(torch.tensor([[[[2.0]]]]), asked=torch.tensor([[[[-3.0]]]]))
    >>> own.item(), len(turned), {abs(effect.item()) for effect in turned}
    (-6.0, 16, {6.0})
    """
    yield (asked * value).sum(-1)
    for turn in random_turns(value.shape[-1], TURNS).to(value):
        yield (asked * (value @ turn)).sum(-1)


@cache
def random_turns(size: int, count: int) -> torch.Tensor:
    """Orthogonal matrices, (turn, size, size), drawn evenly (Stewart 1980); always the same."""
    drawn = np.random.default_rng(0).normal(size=(count, size, size))
    turned, triangle = np.linalg.qr(drawn)
    return torch.as_tensor(turned * np.sign(np.diagonal(triangle, axis1=1, axis2=2))[:, None])


def _along(looked: torch.Tensor, effect: torch.Tensor) -> torch.Tensor:
    """Effects and their sizes, taken with attention (batch, head, key): (batch, head, 2)."""
    both = torch.stack([effect, effect.abs()], -1).double()
    return (looked[..., None] * both).sum(-2)
