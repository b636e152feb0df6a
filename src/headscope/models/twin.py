"""Random twins: a model whose embeddings are kept and whose other weights are as before training.

What a head of the twin scores comes from the words, their places and the architecture alone; so it is
the baseline for what training gave the head.
"""

from __future__ import annotations

import re
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any

import torch
import transformers
from torch import nn

from headscope.errors import ModelError
from headscope.models.load import with_module
from headscope.models.model import Model
from headscope.models.vectors import vectors_in

_POSITION = re.compile(r"(^|[._])(position|pos_?emb|wpe)", re.IGNORECASE)
_NOT_ABSOLUTE = re.compile(r"relative|bias|attention|attn", re.IGNORECASE)
_DONE = "_is_hf_initialized"


def random_twin(model: Model, seed: int) -> Model:
    """A copy of a model with its word and position embeddings, and all other weights drawn anew.

    Word embeddings are those of the inputs (and of the outputs, where both are tied); position embeddings
    are tables of absolute positions. Relative ones, such as T5's attention bias or DeBERTa's distances, say
    how attention works rather than where a piece stands: they are drawn anew. Weights are drawn by the
    family's own initialiser on the CPU, so a seed gives the same twin on every device; neither the model
    nor torch's random state is changed. Buffers stay, but for those which the initialiser sets.
    """
    _check(model.module)
    try:
        module = deepcopy(model.module)
    except Exception as error:
        raise ModelError(f"{model.name} cannot be copied, so it has no random twin: {error}") from error
    kept = _kept(model.module)
    _draw(module.cpu(), seed, kept)
    module.to(model.device)
    note = f"random twin: all weights are drawn with seed {seed}, but for {', '.join(kept)}"
    return replace(
        with_module(model, module),
        name=f"{model.name}, random twin {seed}",
        notes=[*model.notes, note],
        recipe=model.recipe and model.recipe._replace(twin=seed),
    )


def _check(module: Any) -> None:
    """Refuse what the family's initialiser does not know."""
    kind = type(module).__name__
    packages = {type(part).__module__.partition(".")[0] for part in module.modules()}
    if "peft" in packages:
        raise ModelError(f"{kind} has an adapter; take the random twin of the model without it")
    if not isinstance(module, transformers.PreTrainedModel):
        raise ModelError(f"{kind} has no random twin: only models of transformers say how they start")
    parameters = list(module.parameters())
    quantised = getattr(module, "hf_quantizer", None) is not None
    if quantised or not all(parameter.is_floating_point() for parameter in parameters):
        raise ModelError(f"{kind} is quantised; load it in float32 or bfloat16 to take its random twin")
    devices = sorted({str(parameter.device) for parameter in parameters})
    if len(devices) > 1 or devices == ["meta"]:
        raise ModelError(f"{kind} is on {', '.join(devices)}; put it on one device to take its random twin")


def _kept(module: Any) -> dict[str, torch.Tensor]:
    """Word and position embeddings by name."""
    words = {id(weight) for table in _input_tables(module) for weight in vectors_in(table)}
    if not words:
        raise ModelError(f"{type(module).__name__} has no word embeddings that its random twin could keep")
    return {
        name: weight
        for name, weight in module.named_parameters()
        if id(weight) in words or _is_position_table(module, name)
    }


def _input_tables(module: Any) -> list[nn.Module]:
    """The input embeddings of the model and of the models inside it: two stacks may have one each."""
    tables = []
    for inner in module.modules():
        if isinstance(inner, transformers.PreTrainedModel):
            with suppress(NotImplementedError):
                tables.append(inner.get_input_embeddings())
    return [table for table in tables if isinstance(table, nn.Module)]


def _is_position_table(module: nn.Module, name: str) -> bool:
    """Whether a parameter is a table of absolute positions: an embedding's weight, or one of its own."""
    owner, _, leaf = name.rpartition(".")
    if not _POSITION.search(name) or _NOT_ABSOLUTE.search(name):
        return False
    return isinstance(module.get_submodule(owner), nn.Embedding) or _POSITION.search(leaf) is not None


def _draw(module: Any, seed: int, kept: dict[str, torch.Tensor]) -> None:
    """Initialise a module in place, then put the kept weights back."""
    parameters = dict(module.named_parameters())
    # Loading marks what it has read, and the initialiser passes over what is marked.
    for marked in (*module.modules(), *parameters.values(), *module.buffers()):
        vars(marked).pop(_DONE, None)
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        # So that a weight the initialiser does not reach is seen, and never stays as trained.
        for parameter in parameters.values():
            parameter.fill_(torch.nan)
        torch.default_generator.manual_seed(seed)
        module.initialize_weights()
        for name, weight in kept.items():
            parameters[name].copy_(weight)
    missed = [name for name in parameters.keys() - kept.keys() if bool(parameters[name].isnan().any())]
    if missed:
        raise ModelError(
            f"{type(module).__name__} does not say how {', '.join(sorted(missed)[:3])} start; "
            "a random twin needs a model whose _init_weights sets every weight"
        )
