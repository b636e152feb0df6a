"""Maps weighed by their gradients: generic attention (Chefer et al. 2021), and the last row alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import torch

from headscope.attention import Site
from headscope.explainers.asked import Asked
from headscope.explainers.attention import laid_out, stacks_at
from headscope.explainers.chain import chain_of, decoder_layers
from headscope.explainers.deciding import deciding
from headscope.explainers.explainer import Explainer, both_ways
from headscope.explainers.hearing import Hearing, frozen
from headscope.measures.paths import crossed_relevance, relevance, weighed_by_gradient
from headscope.models import Model

Slopes = dict[Site, tuple[torch.Tensor, torch.Tensor]]
"""By site maps (answer, head, query, key) and the gradients of the answers' logits with respect to them."""


def slopes_of(apart: Asked, of: Callable[[Asked, torch.Tensor], torch.Tensor] = Asked.values) -> Slopes:
    """One pass forward and one back; each answer has a text of its own.

    of: what the slopes are of, (answer,), given what is asked and the logits.
    """
    hearing, shared = Hearing(), apart.model.shared_function
    with apart.attached([hearing], gradients=True) as module:
        # A family outside the shared function has no maps in a graph that no parameter takes part in.
        with frozen(module) if shared else nullcontext(), torch.enable_grad():
            value = of(apart, apart.run(module)).sum()
        sites = list(hearing.maps)
        maps = [hearing.maps[site] for site in sites]
        slopes = torch.autograd.grad(value, maps, allow_unused=True, materialize_grads=True)
    return {site: (map.detach(), slope) for site, map, slope in zip(sites, maps, slopes, strict=True)}


def _generic(asked: Asked) -> torch.Tensor:
    """The deciding row of relevance, to which every layer adds its weighed map."""
    apart = asked.apart()
    slopes = slopes_of(apart)
    weighed = {site: weighed_by_gradient(*pair).double() for site, pair in slopes.items()}
    if apart.sides.target is not None:
        return _crossed(apart, weighed)
    # The chain of R <- R + A R, with the identity as what is kept.
    chain = chain_of(apart, weighed, lambda taken, kept: taken + kept)
    return chain.followed(apart.texts) - _own(apart)


def _own(apart: Asked) -> torch.Tensor:
    """The identity that relevance begins with, which is no relevance; a pool has none."""
    if "pool" in apart.model.stacks():
        return torch.zeros(apart.seen.shape, dtype=torch.float64, device=apart.texts.device)
    return deciding(apart)


def _crossed(apart: Asked, weighed: dict[Site, torch.Tensor]) -> torch.Tensor:
    """Relevance of source and target pieces for a step of the target."""
    model = apart.model
    size, device = apart.sizes[1], apart.texts.device
    target, still = (_identities(count, apart) for count in (size, apart.sizes[0]))
    below = [weighed[site] for site in model.sites_of("encoder")]
    encoded = relevance(below) if below else still
    source = torch.zeros(len(apart.texts), size, apart.sizes[0], dtype=torch.float64, device=device)
    for own, cross in decoder_layers(model):
        kept = torch.zeros_like(target) if own is None else weighed[own]
        target, source = crossed_relevance(target, source, kept, weighed[cross], encoded)
    rows = deciding(apart)
    both = [torch.bmm(rows[:, None], each)[:, 0] for each in (source, target)]
    return torch.cat([both[0], both[1] - rows], 1)


def _identities(size: int, apart: Asked) -> torch.Tensor:
    """What relevance begins with, (text, piece, piece)."""
    identity = torch.eye(size, dtype=torch.float64, device=apart.texts.device)
    return identity.repeat(len(apart.texts), 1, 1)


def _last_row(asked: Asked) -> torch.Tensor:
    """Weight times gradient in the last layer's deciding row, summed over heads."""
    apart = asked.apart()
    return _of_last(apart, {site: weights * slope for site, (weights, slope) in slopes_of(apart).items()})


def likelihood_slopes(asked: Asked) -> tuple[torch.Tensor, torch.Tensor]:
    """How the log probability follows the weights of the last layer's deciding row, (answer, piece).

    The slopes summed over heads, and weight times slope. They rank pieces as slopes of the probability itself
    do (Serrano and Smith 2019, section 5).
    """

    def likelihood(apart: Asked, logits: torch.Tensor) -> torch.Tensor:
        return apart.answers(logits).log_softmax(-1).gather(1, apart.entries[:, None])[:, 0]

    apart = asked.apart()
    pairs = slopes_of(apart, likelihood)
    slopes = _of_last(apart, {site: slope for site, (_, slope) in pairs.items()})
    products = _of_last(apart, {site: weights * slope for site, (weights, slope) in pairs.items()})
    return slopes.masked_fill(~asked.seen, 0.0), products.masked_fill(~asked.seen, 0.0)


def _of_last(apart: Asked, maps: dict[Site, torch.Tensor]) -> torch.Tensor:
    """The last layer's deciding row of maps (answer, head, query, key), their sum: (answer, piece)."""
    rows = (deciding(apart) > 0).double()[:, None]
    last = {stack: apart.model.sites_of(stack)[-1] for stack in stacks_at(apart.model)}
    by_stack = {stack: torch.bmm(rows, maps[site].sum(1).double())[:, 0] for stack, site in last.items()}
    return laid_out(apart, by_stack)


def why_no_slopes(model: Model) -> str | None:
    """Why gradients with respect to maps cannot be had; None where they can."""
    return model.why_no_weight_edits


RELEVANCE = (
    Explainer(
        "generic", "generic attention", "Chefer et al. 2021", "gradients", both_ways, _generic, why_no_slopes
    ),
    Explainer(
        "attention-gradient", "attention x gradient", "Serrano and Smith 2019", "gradients", both_ways,
        _last_row, why_no_slopes, signed=True,
    ),
)  # fmt: skip
