"""Norms of what attention mixes (Kobayashi et al. 2020, 2021): a long vector counts more than its weight."""

from __future__ import annotations

import torch

from headscope.attention import Site
from headscope.explainers.asked import Asked
from headscope.explainers.attention import laid_out, stacks_at
from headscope.explainers.chain import chain_of, taken_alone, why_no_chain
from headscope.explainers.deciding import deciding
from headscope.explainers.explainer import Explainer, one_pass
from headscope.explainers.hearing import Hearing
from headscope.explainers.projecting import Projecting, by_head, why_no_vectors
from headscope.heads import POOLS, Stack
from headscope.measures.norms import block_norms, head_norms, layer_norms, rows_of_shares
from headscope.models import Model
from headscope.models.norms import scaled, spread
from headscope.nets.disan import Disa

FIRST, SECOND = "Kobayashi et al. 2020", "Kobayashi et al. 2021"


def norms_of_heads(asked: Asked, site: Site) -> torch.Tensor:
    """(text, head, query, key)."""
    value = asked.hearing.values[site]
    assert value is not None
    return head_norms_at(asked.model, site, asked.hearing.maps[site], value)


def norms_of_layer(asked: Asked, site: Site) -> torch.Tensor:
    """(text, query, key)."""
    value = asked.hearing.values[site]
    assert value is not None
    return layer_norms_at(asked.model, site, asked.hearing.maps[site], value)


def head_norms_at(model: Model, site: Site, weights: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """(text, head, query, key) of what was heard at a site: weights of that shape, and values."""
    return head_norms(weights, Projecting.of(model).lengths(site, value))


def layer_norms_at(model: Model, site: Site, weights: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """(text, query, key); heads that stand side by side have each their own numbers of the vector."""
    projecting = Projecting.of(model)
    if projecting.declared:
        return head_norms_at(model, site, weights, value).pow(2).sum(1).sqrt()
    return layer_norms(weights, projecting.vectors(site, value))


def _last(asked: Asked, heads: bool) -> torch.Tensor:
    """The deciding row of the last layer, as shares."""
    rows, by_stack = deciding(asked), dict[Stack, torch.Tensor]()
    for stack in stacks_at(asked.model):
        site = asked.model.sites_of(stack)[-1]
        norms = _norms(asked, site, heads)
        by_stack[stack] = rows_of_shares(torch.bmm(rows[:, None], norms.double()[asked.texts])[:, 0])
    pools = asked.model.sites_of("pool") if "document" in by_stack else []
    below = [rows_of_shares(_norms(asked, site, heads).double()) for site in pools]
    return laid_out(asked, by_stack, *below)


def _norms(asked: Asked, site: Site, heads: bool) -> torch.Tensor:
    """(text, query, key)."""
    return norms_of_heads(asked, site).mean(1) if heads else norms_of_layer(asked, site)


def block_maps(asked: Asked) -> dict[Site, torch.Tensor]:
    """Norms of each attention with what goes past it and its layer norm, (text, query, key); of attention to
    a source, that which goes past stands behind the keys: (text, query, key and query)."""
    projecting = Projecting.of(asked.model)
    if projecting.declared:
        return {site: _of_net(asked, site) for site in asked.model.sites.sites}
    hearing = _heard_with_sums(asked)
    calls = {norm: iter(read) for norm, read in hearing.sums.items()}
    maps = {}
    for site in asked.model.sites.sites:
        around = projecting.surroundings[projecting.module_of(site)]
        value = hearing.values[site]
        assert value is not None
        maps[site] = _block(projecting, site, hearing.maps[site], value, next(calls[around.norm]))
    return maps


def _of_net(asked: Asked, site: Site) -> torch.Tensor:
    """The norms of a net's attention; past a pool goes nothing, past a block of DiSAN what its gate lets."""
    norms, block = norms_of_layer(asked, site), Projecting.of(asked.model).module_of(site)
    if not isinstance(block, Disa):
        return norms
    weights, value = asked.hearing.maps[site], asked.hearing.values[site]
    assert value is not None
    own = value[..., 0].transpose(1, 2)  # (text, piece, feature), each feature a head
    mixed = (weights @ value)[..., 0].transpose(1, 2)
    with torch.no_grad():
        gate = torch.sigmoid(block.gate_mix(mixed) + block.gate_own(own) + block.gate_bias)
    # u_i = sum_j (1 - F_i) P_ij h_j + F_i h_i, with the gate F as it is in this text.
    taken = weights * (1 - gate).transpose(1, 2)[..., None]
    taken = taken.permute(0, 2, 3, 1)  # (text, query, key, feature)
    gated: torch.Tensor = torch.linalg.vector_norm(taken * own[:, None], dim=-1)
    at_itself = taken.diagonal(dim1=1, dim2=2).transpose(1, 2)  # (text, piece, feature)
    gated.diagonal(dim1=-2, dim2=-1).copy_(((at_itself + gate) * own).norm(dim=-1))
    return gated


def _heard_with_sums(asked: Asked) -> Hearing:
    """The pass as it was heard, or another one where nobody knew yet which norms matter."""
    wanted = {around.norm for around in Projecting.of(asked.model).surroundings.values()}
    if wanted <= asked.hearing.sums.keys():
        return asked.hearing
    vars(asked).pop("hearing")
    return asked.hearing


def _block(
    projecting: Projecting, site: Site, weights: torch.Tensor, value: torch.Tensor, read: torch.Tensor
) -> torch.Tensor:
    """The norms of one block; read: (text, query, width), by the norm that shows what goes past."""
    around, matrices = projecting.surroundings[projecting.module_of(site)], projecting.matrices(site)
    bias = getattr(around.projections.output, "bias", None)
    output = mixed_output(weights, value, matrices) + (0 if bias is None else bias.detach())
    read = read.reshape(output.shape)
    own, scale = read if around.past else read - output, torch.ones_like(read[..., :1])
    # Centring and gain are linear, so they are done once for the matrices, not for every vector.
    if around.inside:
        matrices, own = scaled(around.norm, matrices), scaled(around.norm, own)
        scale = spread(around.norm, read)
    if around.between is not None:
        matrices = scaled(around.between, matrices)
        weights = weights / spread(around.between, output)[:, None]
    vectors = projecting.vectors(site, value, matrices)
    if site.stack == "cross":
        norms = torch.cat([layer_norms(weights, vectors), torch.diag_embed(own.norm(dim=-1))], -1)
    else:
        norms = block_norms(weights, vectors, own)
    return norms / scale


def mixed_output(weights: torch.Tensor, value: torch.Tensor, matrices: torch.Tensor) -> torch.Tensor:
    """The sum of all vectors, (text, query, width): the attention's output without its bias."""
    each = weights @ by_head(value, weights.shape[1])
    return torch.einsum("bhqd,hdw->bqw", each, matrices.to(each))


def _blocks(asked: Asked) -> torch.Tensor:
    """Shares of the norms of all blocks, followed through the layers."""
    maps = {site: rows_of_shares(norms.double()) for site, norms in block_maps(asked).items()}
    return chain_of(asked, maps, taken_alone).followed(asked.texts)


def why_no_blocks(model: Model) -> str | None:
    """Why the surroundings of its attention are not known; None where they are."""
    reason = why_no_chain(model) or why_no_vectors(model)
    if reason is not None:
        return reason
    projecting = Projecting.of(model)
    if projecting.declared:
        blocks = [projecting.module_of(site) for site in model.sites.sites if site.stack not in POOLS]
        known = all(isinstance(block, Disa) for block in blocks)
    else:
        known = projecting.surroundings.keys() == projecting.projections.keys()
    return None if known else "how what goes past its attention is joined with it is not known"


NORMS = (
    Explainer(
        "norms-heads", "norms of heads, last layer", FIRST, "maps", one_pass,
        lambda asked: _last(asked, heads=True), why_no_vectors,
    ),
    Explainer(
        "norms", "norms of layers, last layer", FIRST, "maps", one_pass,
        lambda asked: _last(asked, heads=False), why_no_vectors,
    ),
    Explainer(
        "norms-blocks", "norms of blocks, all layers", SECOND, "maps", one_pass, _blocks, why_no_blocks
    ),
)  # fmt: skip
