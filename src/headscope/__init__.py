"""headscope: what each attention head of a model does, whether it matters, and whether to trust it."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headscope.heads import Head
    from headscope.jobs.ablate import ablate
    from headscope.jobs.attention import attention, open_maps, save_maps
    from headscope.jobs.compare import compare
    from headscope.jobs.coref import coref
    from headscope.jobs.finetune import finetune
    from headscope.jobs.info import info
    from headscope.jobs.looking import look
    from headscope.jobs.outputs import mean_outputs
    from headscope.jobs.probe import probe
    from headscope.jobs.prune import prune
    from headscope.jobs.show import show
    from headscope.jobs.survey import survey
    from headscope.jobs.syntax import syntax
    from headscope.models.load import load
    from headscope.models.pruned_folder import save_pruned
    from headscope.models.pruning import remove_heads
    from headscope.results.run import open
    from headscope.web.notebook import head_view, model_view, report_view
    from headscope.web.pages import report

__version__ = "0.1.0"

_PLACES = {
    "Head": "headscope.heads",
    "ablate": "headscope.jobs.ablate",
    "compare": "headscope.jobs.compare",
    "coref": "headscope.jobs.coref",
    "finetune": "headscope.jobs.finetune",
    "head_view": "headscope.web.notebook",
    "info": "headscope.jobs.info",
    "load": "headscope.models.load",
    "look": "headscope.jobs.looking",
    "mean_outputs": "headscope.jobs.outputs",
    "model_view": "headscope.web.notebook",
    "open": "headscope.results.run",
    "open_maps": "headscope.jobs.attention",
    "probe": "headscope.jobs.probe",
    "prune": "headscope.jobs.prune",
    "remove_heads": "headscope.models.pruning",
    "report": "headscope.web.pages",
    "report_view": "headscope.web.notebook",
    "save_maps": "headscope.jobs.attention",
    "save_pruned": "headscope.models.pruned_folder",
    "show": "headscope.jobs.show",
    "survey": "headscope.jobs.survey",
    "syntax": "headscope.jobs.syntax",
}

__all__ = [
    "Head",
    "__version__",
    "ablate",
    "attention",
    "compare",
    "coref",
    "finetune",
    "head_view",
    "info",
    "load",
    "look",
    "mean_outputs",
    "model_view",
    "open",
    "open_maps",
    "probe",
    "prune",
    "remove_heads",
    "report",
    "report_view",
    "save_maps",
    "save_pruned",
    "show",
    "survey",
    "syntax",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import headscope` itself costs nothing."""
    if name == "attention":
        return import_module("headscope.attention")
    if name not in _PLACES:
        raise AttributeError(f"headscope has no '{name}'; it offers {', '.join(__all__)}")
    return getattr(import_module(_PLACES[name]), name)


class _CallableRoom(ModuleType):
    """The room `headscope.attention` shares its name with a verb, so it can be called as one."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """`headscope.attention(model, text, ...)`; see `headscope.jobs.attention.attention`."""
        return import_module("headscope.jobs.attention").attention(*arguments, **options)


class _Package(ModuleType):
    """This package; importing the room `attention` sets it here, which makes it callable."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "attention" and isinstance(value, ModuleType):
            value.__class__ = _CallableRoom
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
