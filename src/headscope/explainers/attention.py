"""Attention itself as an explanation, in its readings."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from headscope.attention import Site
from headscope.errors import OptionError
from headscope.explainers.asked import Asked
from headscope.explainers.deciding import deciding
from headscope.explainers.explainer import Explainer, one_pass
from headscope.explainers.last import last_stack
from headscope.heads import POOLS, Head, Named, Stack
from headscope.models import Model


def stacks_at(model: Model) -> list[Stack]:
    """The stacks that say where an answer looks: in an encoder-decoder the target's own attention, too."""
    last: Stack = last_stack(model)
    if last == "cross":
        return [stack for stack in (last, "decoder") if stack in model.stacks()]
    return [last] if last in (*POOLS, "encoder", "decoder") else model.stacks()


def laid_out(
    asked: Asked, by_stack: dict[Stack, torch.Tensor], below: torch.Tensor | None = None
) -> torch.Tensor:
    """Numbers (answer, key) of each stack in their places among all pieces, (answer, piece).

    Stacks that look at the same pieces, as the two directions of a net do, count alike. What is said of a
    sentence is dealt out to its pieces by their weights in it, or by `below`, (text, sentence, piece).
    """
    if "document" in by_stack:
        (pool,) = asked.model.sites_of("pool")
        shares = asked.hearing.maps[pool].mean(1) if below is None else below
        return torch.bmm(by_stack["document"][:, None], shares.double()[asked.texts])[:, 0]
    if asked.sides.target is None:
        return torch.stack(list(by_stack.values())).mean(0)
    size, device = len(asked.texts), asked.texts.device
    nothing = [torch.zeros(size, keys, dtype=torch.float64, device=device) for keys in asked.sizes]
    return torch.cat([by_stack.get("cross", nothing[0]), by_stack.get("decoder", nothing[1])], 1)


def _row(asked: Asked, site: Site, heads: list[int] | None, rows: torch.Tensor) -> torch.Tensor:
    """What the deciding queries give each key, (answer, key), mean over heads."""
    maps = asked.hearing.maps[site]
    weights = maps.mean(1) if heads is None else maps[:, heads].mean(1)
    return torch.bmm(rows[:, None].to(weights), weights[asked.texts])[:, 0].double()


def weights_at(asked: Asked, sites: Sequence[Site]) -> torch.Tensor:
    """What the deciding position gives each piece, (answer, piece): mean over the heads of some sites."""
    rows = deciding(asked)
    by_stack: dict[Stack, torch.Tensor] = {}
    for stack in dict.fromkeys(site.stack for site in sites):
        layers = [_row(asked, site, None, rows) for site in sites if site.stack == stack]
        by_stack[stack] = torch.stack(layers).mean(0)
    return laid_out(asked, by_stack)


def _last(asked: Asked) -> torch.Tensor:
    """The row of the deciding position in the last layer."""
    return weights_at(asked, [asked.model.sites_of(stack)[-1] for stack in stacks_at(asked.model)])


def _all_layers(asked: Asked) -> torch.Tensor:
    """The same, mean over all layers."""
    stacks = stacks_at(asked.model)
    return weights_at(asked, [site for stack in stacks for site in asked.model.sites_of(stack)])


def _received(asked: Asked) -> torch.Tensor:
    """What each piece receives in the last layer: mean over its heads and all queries that are real."""
    by_stack: dict[Stack, torch.Tensor] = {}
    for stack in stacks_at(asked.model):
        maps = asked.hearing.maps[asked.model.sites_of(stack)[-1]].mean(1)[asked.texts].double()
        real = torch.from_numpy(asked.sides.of(stack)[0].real).to(maps)[asked.texts]
        if stack in ("decoder", "cross"):
            behind = torch.arange(real.shape[1], device=maps.device) > asked.places[:, None]
            real = real.masked_fill(behind & (asked.places >= 0)[:, None], 0.0)
        by_stack[stack] = torch.bmm(real[:, None], maps)[:, 0] / real.sum(1, keepdim=True)
    return laid_out(asked, by_stack)


def head_explainer(name: Named) -> Explainer:
    """The row of the deciding position in one head."""

    def explain(asked: Asked) -> torch.Tensor:
        head, rows = asked.model.head(name), deciding(asked)
        site = next(site for site in asked.model.sites_of(head.stack) if site.layer == head.layer)
        return laid_out(asked, {head.stack: _row(asked, site, [head.index], rows)})

    def refusal(model: Model) -> str | None:
        head = model.head(name)
        if head not in model.heads():
            raise OptionError(f"the model has no head {head}")
        if head.stack in stacks_at(model):
            return None
        return f"an answer is not given at a query of its {head.stack}"

    title = f"attention of head {name}" if isinstance(name, str) else f"attention of head {Head.of(name)}"
    return Explainer(str(name), title, "", "maps", one_pass, explain, refusal)


READINGS = (
    Explainer("attention", "attention, last layer", "", "maps", one_pass, _last),
    Explainer("received", "attention received, last layer", "", "maps", one_pass, _received),
    Explainer("layers", "attention, all layers", "", "maps", one_pass, _all_layers),
)
