"""headscope: what each attention head of a model does, whether it matters, and whether to trust it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headscope.heads import Head
    from headscope.jobs.attention import attention, open_maps, save_maps
    from headscope.jobs.compare import compare
    from headscope.jobs.info import info
    from headscope.jobs.survey import survey
    from headscope.models.load import load
    from headscope.results.run import open

__version__ = "0.1.0"

_PLACES = {
    "Head": "headscope.heads",
    "attention": "headscope.jobs.attention",
    "compare": "headscope.jobs.compare",
    "info": "headscope.jobs.info",
    "load": "headscope.models.load",
    "open": "headscope.results.run",
    "open_maps": "headscope.jobs.attention",
    "save_maps": "headscope.jobs.attention",
    "survey": "headscope.jobs.survey",
}

__all__ = [
    "Head", "__version__", "attention", "compare", "info", "load", "open", "open_maps", "save_maps", "survey",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import headscope` itself costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"headscope has no '{name}'; it offers {', '.join(_PLACES)}")
    return getattr(import_module(_PLACES[name]), name)
