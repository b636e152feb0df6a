"""Attention followed through the layers: rollout and flow (Abnar and Zuidema 2020)."""

from __future__ import annotations

import numpy as np
import torch

from headscope.explainers.asked import Asked, kept
from headscope.explainers.chain import Chain, Mix, chain_of, taken_alone, why_no_chain
from headscope.explainers.explainer import Explainer, one_pass
from headscope.measures.flow import attention_flow, saturation
from headscope.measures.norms import rows_of_shares
from headscope.measures.paths import with_residual

SOURCE = "Abnar and Zuidema 2020"


def _chain(asked: Asked, mix: Mix) -> Chain:
    return chain_of(asked, {site: maps.mean(1) for site, maps in asked.hearing.maps.items()}, mix)


def _rollout(asked: Asked) -> torch.Tensor:
    """The product of all layers' maps, half of each being the identity."""
    return _chain(asked, with_residual).followed(asked.texts)


def _plain_rollout(asked: Asked) -> torch.Tensor:
    """The product of all layers' maps."""
    return _chain(asked, taken_alone).followed(asked.texts)


@kept
def flows(asked: Asked) -> tuple[torch.Tensor, np.ndarray]:
    """Largest flow from each answer to each piece, (answer, piece), and the share of pieces, (answer,), whose
    flow is all that the lowest layer lets through: there it does not depend on the answer."""
    chain = _chain(asked, with_residual)
    device = asked.texts.device
    result = torch.zeros(asked.seen.shape, dtype=torch.float64, device=device)
    shares = np.zeros(len(asked.texts))
    for answer, text in enumerate(asked.texts.tolist()):
        seen = asked.seen[answer].nonzero()[:, 0]
        graph = _graph(chain, text, answer, seen)
        flow = attention_flow(graph, np.array([0]))
        shares[answer] = saturation(graph, flow, np.array([0]))
        result[answer, seen] = torch.from_numpy(flow[0]).to(device)
    return result, shares


def _graph(chain: Chain, text: int, answer: int, seen: torch.Tensor) -> np.ndarray:
    """The layers of one text without its padding, and above them one whose first node is the answer."""
    size = len(seen)
    graph = np.zeros((len(chain.steps) + 1, size, size))
    for layer, step in enumerate(chain.steps):
        graph[layer] = step[text][seen][:, seen].cpu().numpy()
    still = chain.still[:, seen.cpu()].numpy()
    graph[:-1, np.arange(size), np.arange(size)] += still * size  # nothing narrows what stands
    graph[-1, 0] = chain.rows[answer, seen].cpu().numpy()
    return graph


def _flow(asked: Asked) -> torch.Tensor:
    """The largest flow to each piece, as shares."""
    return rows_of_shares(flows(asked)[0])


THROUGH_LAYERS = (
    Explainer("rollout", "attention rollout", SOURCE, "maps", one_pass, _rollout, why_no_chain),
    Explainer("product", "product of maps", SOURCE, "maps", one_pass, _plain_rollout, why_no_chain),
    Explainer("flow", "attention flow", SOURCE, "maps", one_pass, _flow, why_no_chain),
)
