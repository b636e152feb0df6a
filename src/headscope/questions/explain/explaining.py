"""One text, explained in several ways: importances of its pieces for each of its answers."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from headscope.explainers import Explainer
from headscope.explainers.removal import log_likelihood
from headscope.questions.explain.examples import Example
from headscope.results.look import Answer, Explanation, Way


def explanation_of(example: Example, explainers: Sequence[Explainer]) -> Explanation:
    """The importances of all pieces, source and target, by each explainer."""
    asked = example.asked
    by_way = torch.stack([explainer(asked) for explainer in explainers]).cpu().numpy()
    likelihoods = log_likelihood(asked.answers(asked.hearing.logits), asked.entries).exp().tolist()
    return Explanation(
        example.document,
        asked.model.name,
        example.axes,
        [Answer(label, likelihood) for label, likelihood in zip(example.labels, likelihoods, strict=True)],
        [way_of(explainer) for explainer in explainers],
        by_way,
        asked.seen.cpu().numpy(),
    )


def way_of(explainer: Explainer) -> Way:
    """An explainer as pages name it."""
    return Way(explainer.name, explainer.title, explainer.signed)
