"""headscope: what each attention head of a model does, whether it matters, and whether to trust it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from headscope.questions import VERBS

__version__ = "0.2.0"

_PLACES = {
    "Head": "headscope.heads",
    "draw": "headscope.questions.pictures",
    "head_view": "headscope.web.views.notebook",
    "info": "headscope.cli.info",
    "load": "headscope.models.load",
    "look": "headscope.questions.maps.offers",
    "mean_outputs": "headscope.engine.outputs",
    "model_view": "headscope.web.views.notebook",
    "open": "headscope.results.run",
    "open_maps": "headscope.questions.maps.offers",
    "remove_heads": "headscope.models.pruning.removal",
    "report": "headscope.web.report.pages",
    "report_view": "headscope.web.views.notebook",
    "save_maps": "headscope.questions.maps.offers",
    "save_pruned": "headscope.models.pruning.folder",
}
"""Public names that are no verbs, and where they live."""

__all__ = ["__version__", *sorted([*_PLACES, *VERBS])]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import headscope` itself costs nothing."""
    if name in VERBS:
        value = import_module("headscope.questions.asking").function_of(VERBS[name])
    elif name in _PLACES:
        value = getattr(import_module(_PLACES[name]), name)
    else:
        raise AttributeError(f"headscope has no '{name}'; it offers {', '.join(__all__)}")
    globals()[name] = value  # the same object the next time
    return value


def __dir__() -> list[str]:
    return list(__all__)
