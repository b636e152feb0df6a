"""The vectors that heads hand on: values through each head's part of the output projection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import nn

from headscope.attention import Site
from headscope.attention.site import SiteMap
from headscope.errors import ModelError
from headscope.measures.norms import projected_lengths
from headscope.models import Model
from headscope.models.pruning.projections import Projections, find_projections
from headscope.models.residuals import Surrounding, find_surroundings

_KEPT = "projecting"
"""Where a model keeps what was found, so that both are freed together."""


@dataclass(eq=False)
class Projecting:
    """The output projections of a model, found once; a net that declares its sites need not have any."""

    model: Model

    @classmethod
    def of(cls, model: Model) -> Projecting:
        """What is known of the model; refused where its heads cannot be told apart."""
        if _KEPT not in vars(model):
            vars(model)[_KEPT] = cls(model)
        found: Projecting = vars(model)[_KEPT]
        return found

    @cached_property
    def declared(self) -> bool:
        """Whether heads of a net hand on their values as they are, side by side: none has an `output`."""
        sites = self.model.sites
        return isinstance(sites, SiteMap) and all(
            hasattr(module, "site") and not hasattr(module, "output") for module in sites.modules()
        )

    @cached_property
    def projections(self) -> dict[nn.Module, Projections]:
        return {} if self.declared else find_projections(self.model)

    @cached_property
    def surroundings(self) -> dict[nn.Module, Surrounding]:
        return find_surroundings(self.model, self.projections)

    def module_of(self, site: Site) -> nn.Module:
        sites = self.model.sites
        assert isinstance(sites, SiteMap)
        return next(module for module, served in sites.modules().items() if site in served)

    def matrices(self, site: Site) -> torch.Tensor:
        """W_O of each head, (head, dim, width)."""
        own = self.projections[self.module_of(site)]
        weight: torch.Tensor = own.output.weight.detach()  # type: ignore[operator]
        by_column = weight.T if isinstance(own.output, nn.Linear) else weight  # (column, width)
        columns = own.columns.to(weight.device).argsort(stable=True)
        return by_column[columns].reshape(site.heads, -1, by_column.shape[1])

    def vectors(self, site: Site, value: torch.Tensor, matrices: torch.Tensor | None = None) -> torch.Tensor:
        """f_h(x_j), (text, key, head, width), of values (text, key-value head, key, dim)."""
        matrices = self.matrices(site) if matrices is None else matrices
        each = by_head(value, site.heads)
        return torch.matmul(each, matrices[None].to(each)).transpose(1, 2).contiguous()

    def lengths(self, site: Site, value: torch.Tensor) -> torch.Tensor:
        """|f_h(x_j)|, (text, head, key), of the same."""
        each = by_head(value, site.heads)
        return each.norm(dim=-1) if self.declared else projected_lengths(each, self.matrices(site).to(value))


def by_head(value: torch.Tensor, heads: int) -> torch.Tensor:
    """Values (text, head, key, dim) of each head, where several share those of a key-value head."""
    groups = heads // value.shape[1]
    return value.repeat_interleave(groups, dim=1) if groups > 1 else value


def known_norms(model: Model) -> list[nn.Module]:
    """The norms behind its attention, if they were looked for before."""
    found: Projecting | None = vars(model).get(_KEPT)
    if found is None or "surroundings" not in vars(found):
        return []
    return [around.norm for around in found.surroundings.values()]


def why_no_vectors(model: Model) -> str | None:
    """Why the vectors of heads cannot be had; None where they can."""
    if not model.shared_function:
        return "it attends outside the shared function and does not show its values"
    try:
        projecting = Projecting.of(model)
        found = projecting.declared or projecting.projections
    except ModelError:
        found = None
    return None if found else "which matrix takes what its heads put out cannot be told"
