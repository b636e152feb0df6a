"""Where a model decides: the queries of its last attention whose output the answer is made of."""

from __future__ import annotations

import torch

from headscope.attention import Site
from headscope.attention.edit import Gate
from headscope.explainers.asked import Asked
from headscope.explainers.hearing import frozen
from headscope.heads import Stack
from headscope.models import Model


def last_stack(model: Model) -> Stack:
    """The stack whose last layer is nearest to the answer."""
    stacks = model.stacks()
    return next(stack for stack in ("pool", "cross", *reversed(stacks)) if stack in stacks)


def last_site(model: Model) -> Site:
    return model.sites_of(last_stack(model))[-1]


def deciding(asked: Asked) -> torch.Tensor:
    """How much each query of the last attention decides, (answer, query), rows that sum to 1.

    Where the place of an answer is known, that place. Else all queries whose output moves the answer at all,
    evenly, found by the gradient of a gate: one for a class token, every piece where a model takes the mean.
    A model whose last heads move nothing decides evenly at all pieces.
    """
    site = last_site(asked.model)
    queries = asked.sides.of(site.stack)[0]
    if bool((asked.places >= 0).all()) and site.stack != "pool":
        return torch.nn.functional.one_hot(asked.places, queries.ids.shape[1]).double()
    real = torch.from_numpy(queries.real).to(asked.texts.device)[asked.texts].double()
    moving = real if site.stack == "pool" else _moving(asked, site) * real
    rows = torch.where(moving.any(1, keepdim=True), moving, real)
    return rows / rows.sum(1, keepdim=True)


def _moving(asked: Asked, site: Site) -> torch.Tensor:
    """(answer, query): 1 where the output of the last heads moves the answer."""
    gate, apart = Gate(list(site)), asked.apart()
    with apart.attached(edits=[gate]) as module, frozen(module):
        value = apart.values(apart.run(module)).sum()
        (slope,) = torch.autograd.grad(value, [gate.gates[site]])
    return slope.ne(0).any(-1).double()
