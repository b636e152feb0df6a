"""Explainers: how much each piece of a text mattered for one answer, by every way that people compare.

One contract (`explainer.py`), one table; attention itself is one of them, in its readings.
"""

from __future__ import annotations

from collections.abc import Iterable

from headscope.errors import OptionError, choose_from
from headscope.explainers.asked import Asked, ask
from headscope.explainers.attention import READINGS, head_explainer
from headscope.explainers.erasure import ERASURE
from headscope.explainers.explainer import Cost, Explainer
from headscope.explainers.fixed import FIRST, random_explainer
from headscope.explainers.gradients import GRADIENTS
from headscope.explainers.norms import NORMS
from headscope.explainers.relevance import RELEVANCE
from headscope.explainers.through_layers import THROUGH_LAYERS
from headscope.explainers.value_zeroing import VALUE_ZEROING
from headscope.heads import Head

EXPLAINERS: dict[str, Explainer] = {
    explainer.name: explainer
    for explainer in (
        *READINGS,
        *THROUGH_LAYERS,
        *NORMS,
        VALUE_ZEROING,
        *RELEVANCE,
        *GRADIENTS,
        *ERASURE,
        FIRST,
        random_explainer(),
    )
}
"""By name; a head's name is one too, see `explainers_of`."""


def explainers_of(names: Iterable[str], seed: int = 0) -> list[Explainer]:
    """The explainers of some names, each once; a name such as L5H3 is that head's attention."""
    chosen = []
    for name in dict.fromkeys(names):
        if name == "random":
            chosen.append(random_explainer(seed))
        elif name in EXPLAINERS:
            chosen.append(EXPLAINERS[name])
        else:
            chosen.append(_of_head(name))
    return chosen


def _of_head(name: str) -> Explainer:
    try:
        Head.of(name)
    except OptionError:
        raise OptionError(choose_from("explainer", name, [*EXPLAINERS, "a head such as L5H3"])) from None
    return head_explainer(name)


__all__ = ["EXPLAINERS", "Asked", "Cost", "Explainer", "ask", "explainers_of"]
