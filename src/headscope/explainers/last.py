"""The attention nearest to the answer, and a gate on it that shows at which queries the answer is made."""

from __future__ import annotations

from headscope.attention import Site
from headscope.attention.edit import Gate
from headscope.heads import POOLS, Stack
from headscope.models import Model


def last_stack(model: Model) -> Stack:
    """The stack whose last layer is nearest to the answer."""
    stacks = model.stacks()
    return next(stack for stack in (*reversed(POOLS), "cross", *reversed(stacks)) if stack in stacks)


def last_site(model: Model) -> Site:
    """Its last layer."""
    return model.sites_of(last_stack(model))[-1]


def last_gate(model: Model) -> Gate | None:
    """A gate on its heads; None where their output cannot be told from the rest."""
    site = last_site(model)
    return None if model.sites.facts.why_no_edits("", [site]) else Gate(list(site))
