"""Saving a pruned model: as an ordinary folder where its configuration can say what it is, else with a
description that headscope reads."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, Literal

import torch

from headscope.attention import in_eval_mode
from headscope.errors import ModelError
from headscope.models.load import counting_inputs
from headscope.models.model import Model
from headscope.models.places import quiet, save_tokenizer
from headscope.models.pruning.rebuilding import FILE, FORMAT, VERSION, differences, whole
from headscope.models.pruning.removed import Removed

LoadsWith = Literal["transformers", "headscope"]

_ABOUT = {
    "transformers": "An ordinary model: transformers loads it, and so does headscope.",
    "headscope": "Heads were removed in a way that config.json cannot say. Load it with "
    "headscope.load(folder); transformers alone refuses it, because the sizes of its weights differ.",
}


def save_pruned(model: Model, folder: str | Path) -> LoadsWith:
    """Write a pruned model and its tokenizer into an empty folder, and say what loads it.

    That is transformers alone where all layers have as many heads and the configuration has a head size of
    its own; this is tried, not assumed. Else `headscope.load` does, and transformers fails on the sizes.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    if any(place.iterdir()):
        raise ModelError(f"{place} is not empty; save a pruned model in a new folder")
    with quiet():
        model.module.save_pretrained(place)
        if model.tokenizer is not None:
            save_tokenizer(model.tokenizer, place)
        ordinary = _describe(model, place)
    loads_with: LoadsWith = "transformers" if ordinary else "headscope"
    content = {
        "format": FORMAT,
        "version": VERSION,
        "about": _ABOUT[loads_with],
        "loads_with": loads_with,
        **Removed.of(model.module, model.sites.sites).to_plain(),
        "parts": {} if ordinary else differences(model.module, whole(model.module, model.module.config)),
    }
    (place / FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return loads_with


def _describe(model: Model, place: Path) -> bool:
    """Say the counts in config.json, if a module that is made and loaded from it is the same."""
    module, counts = model.module, {site.heads for site in model.sites.sites}
    config = deepcopy(module.config)
    if len(counts) > 1:
        return False
    try:
        _count(config.get_text_config(), counts.pop())
        if differences(module, whole(module, config)):
            return False
    except Exception:
        # Configurations check themselves in many ways; one that refuses the counts cannot say them.
        return False
    config.save_pretrained(place)
    again = type(module).from_pretrained(place, local_files_only=True, dtype=module.dtype)
    same = torch.equal(_outputs(model, module), _outputs(model, again.to(model.device)))
    if not same:
        module.config.save_pretrained(place)
    return same


def _count(config: Any, heads: int) -> None:
    """Set the number of heads, and of key-value groups in proportion."""
    before = config.num_attention_heads
    groups = getattr(config, "num_key_value_heads", None)
    if groups is not None:
        config.num_key_value_heads = groups * heads // before
    config.num_attention_heads = heads


def _outputs(model: Model, module: Any) -> torch.Tensor:
    with torch.no_grad(), in_eval_mode(module):
        found: torch.Tensor = module(**counting_inputs(module, model.tokenizer))[0]
    return found
