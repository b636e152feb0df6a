"""Explanations that look at nothing: what any other must beat."""

from __future__ import annotations

import numpy as np
import torch

from headscope.explainers.asked import Asked
from headscope.explainers.explainer import Cost, Explainer


def random_explainer(seed: int = 0) -> Explainer:
    """Numbers drawn from the seed and the text, the same in every batch."""

    def explain(asked: Asked) -> torch.Tensor:
        drawn = np.zeros(asked.seen.shape)
        for answer, (text, seen) in enumerate(zip(asked.texts.tolist(), asked.seen.cpu(), strict=True)):
            places = np.flatnonzero(seen.numpy())
            random = np.random.default_rng([seed, *asked.ids[text][places].tolist()])
            drawn[answer, places] = random.random(len(places))
        return torch.from_numpy(drawn).to(asked.texts.device)

    return Explainer("random", "chance", "", "nothing", lambda asked: Cost(0), explain)


def _first(asked: Asked) -> torch.Tensor:
    """1 for the first piece, 1/2 for the second, and so on; a target begins anew."""
    ranks = torch.cat([torch.arange(1, size + 1) for size in asked.sizes]).to(asked.texts.device)
    return (1 / ranks.double()).expand(asked.seen.shape)


FIRST = Explainer("first", "the earlier, the more", "", "nothing", lambda asked: Cost(0), _first)
