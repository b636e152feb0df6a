"""Which explainers are asked: those that are named, or those that a model allows."""

from __future__ import annotations

from collections.abc import Sequence

from headscope.errors import ModelError
from headscope.explainers import EXPLAINERS, Explainer, explainers_of
from headscope.models import Model

ALL = "all"


def chosen(
    model: Model, by: Sequence[str], usual: Sequence[str], seed: int
) -> tuple[list[Explainer], list[str]]:
    """The explainers that were asked for; without a wish the usual ones, with `all` every one, as far as the
    model allows, and a note on each that it does not.

    by: names, several of which may stand in one text, parted by commas.
    """
    wished = [name.strip() for part in by for name in part.split(",")]
    names = [*EXPLAINERS] if ALL in wished else wished or list(usual)
    explainers = explainers_of(names, seed)
    refused = {explainer.name: reason for explainer in explainers if (reason := explainer.refusal(model))}
    if refused and wished and ALL not in wished:
        name, reason = next(iter(refused.items()))
        raise ModelError(f"{name} is not defined for {model.name}: {reason}")
    notes = [f"{name} is left out, for it is not defined here: {reason}" for name, reason in refused.items()]
    return [explainer for explainer in explainers if explainer.name not in refused], notes
