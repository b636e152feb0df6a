"""Where a model decides: the queries of its last attention whose output the answer is made of."""

from __future__ import annotations

import torch

from headscope.attention import Site
from headscope.errors import ModelError
from headscope.explainers.asked import Asked, kept
from headscope.explainers.last import last_site


@kept
def deciding(asked: Asked) -> torch.Tensor:
    """How much each query of the last attention decides, (answer, query), rows that sum to 1.

    Where the place of an answer is known, that place. Else all queries whose output moves the answer at all,
    evenly, found by the gradient of a gate: one for a class token, every piece where a model takes the mean.
    A model whose last heads move nothing decides evenly at all pieces.
    """
    site = last_site(asked.model)
    queries = asked.sides.of(site.stack)[0]
    if bool((asked.places >= 0).all()) and site.queries == "piece":
        return torch.nn.functional.one_hot(asked.places, queries.ids.shape[1]).double()
    real = torch.from_numpy(queries.real).to(asked.texts.device)[asked.texts].double()
    moving = real if site.queries != "piece" else _moving(asked.apart(), site) * real
    rows = torch.where(moving.any(1, keepdim=True), moving, real)
    return rows / rows.sum(1, keepdim=True)


def _moving(apart: Asked, site: Site) -> torch.Tensor:
    """(answer, query): 1 where the output of the last heads moves the answer."""
    hearing = apart.hearing
    if hearing.gate is None:
        raise ModelError(
            f"at which piece {apart.model.name} decides cannot be found, as what its last heads hand on "
            "cannot be told from the rest; explain it by gradients or occlusion"
        )
    values = apart.values(hearing.graph).sum()
    (slope,) = torch.autograd.grad(values, [hearing.gate.gates[site]], retain_graph=True)
    return slope.ne(0).any(-1).double()
