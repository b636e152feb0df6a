"""A pruned module as its configuration cannot describe it: what differs, written down and put back.

The description says, for each part of the module, which numbers and shapes are other than in a module made
from the configuration. A module is loaded from it by transformers itself: its class is made to start small.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import nn

from headscope.errors import ModelError
from headscope.models.pruning.removed import Removed
from headscope.models.pruning.shared_bias import take, taken

FILE = "headscope.json"
FORMAT, VERSION = "headscope pruned model", 1


def whole(module: nn.Module, config: Any) -> nn.Module:
    """A module of the same class as a configuration describes it, without memory for its weights."""
    with torch.device("meta"):
        made: nn.Module = type(module)(config)
    return made


def differences(module: nn.Module, plain: nn.Module) -> dict[str, dict[str, Any]]:
    """By the name of a part: its numbers, shapes of parameters, and bias heads that the plain one has not."""
    others = dict(plain.named_modules())
    differing = {}
    for name, part in module.named_modules():
        if name not in others:
            raise ModelError(
                f"{type(module).__name__} has a part {name} that its configuration does not make"
            )
        other = vars(others[name])
        numbers = {
            key: value
            for key, value in vars(part).items()
            if type(value) is int and type(other.get(key)) is int and other[key] != value
        }
        shapes = {
            key: list(parameter.shape)
            for key, parameter in part._parameters.items()
            if parameter is not None and parameter.shape != other["_parameters"][key].shape
        }
        bias = taken(part)
        if numbers or shapes or bias:
            differing[name] = {"numbers": numbers, "shapes": shapes, "bias_heads": bias}
    return differing


def apply(module: nn.Module, described: dict[str, dict[str, Any]]) -> None:
    """Make a plain module as described; parameters that change their shape are left unset."""
    for name, difference in described.items():
        inner = module.get_submodule(name)
        for key, value in difference["numbers"].items():
            setattr(inner, key, value)
        for key, shape in difference["shapes"].items():
            old = inner.get_parameter(key)
            setattr(inner, key, nn.Parameter(old.detach().new_empty(shape), requires_grad=old.requires_grad))
        if difference["bias_heads"]:
            take(inner, *difference["bias_heads"])


def starting_small(cls: Any, place: str) -> Any:
    """The class to load a folder with: the given one, or for a pruned model one that starts small."""
    path = Path(place) / FILE
    if not path.is_file():
        return cls
    content = _read(path)
    if not issubclass(cls, transformers.PreTrainedModel):
        raise ModelError(f"{place}: config.json does not name the class of the pruned model; save it again")

    class Small(cls):  # type: ignore[misc]
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            apply(self, content["parts"])
            Removed.from_plain(content).remember(self)
            self.__class__ = cls

    Small.__name__, Small.__module__ = cls.__name__, cls.__module__
    return Small


def _read(path: Path) -> dict[str, Any]:
    content = json.loads(path.read_text(encoding="utf-8"))
    written = content.get("format"), content.get("version")
    if written != (FORMAT, VERSION):
        raise ModelError(
            f"{path}: format {written[0]!r}, version {written[1]!r}; this headscope reads {FORMAT!r}, "
            f"version {VERSION}: prune the model again, or install the headscope that wrote it"
        )
    missing = {"loads_with", "parts", "heads_before", "heads_removed"} - content.keys()
    if missing:
        raise ModelError(f"{path} lacks {', '.join(sorted(missing))}; prune the model again")
    return dict(content)
