"""What must hold for a model of any family that is loaded: it stays as it was, and what is said is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from headscope.attention import Ablate, Heard, Site, Sites, attach, find_sites
from headscope.attention.bypass import FIELDS
from headscope.attention.listen import Need
from headscope.attention.unchanged import unchanged
from headscope.heads import Head
from headscope.models.padding import sees_padding
from headscope.models.unheard import unheard_notes

Inputs = Mapping[str, torch.Tensor]
LONG = 64
"""Pieces of the text on which a model must come out as before it was loaded."""


TOLD = (
    "see padding", "change themselves when they run", "have layers that are not heard",
    "have weights that sum to less than 1", "hand on more than weights times values",
    "have heads that cannot be edited",
)  # fmt: skip


class Mismatch(Exception):
    """A check that does not hold."""


@dataclass(frozen=True)
class Loaded:
    """What loading finds out about a model."""

    sites: Sites
    sees_padding: bool
    unheard: list[str]

    def notes(self) -> list[str]:
        """What is told of the model, in short: some of `TOLD`."""
        facts = self.sites.facts
        less = any("less than 1" in note for note in facts.notes)
        holds = (
            self.sees_padding, facts.restless, self.unheard, less, facts.beyond, facts.entangled,
        )  # fmt: skip
        return [name for name, held in zip(TOLD, holds, strict=True) if held]


def load(model: nn.Module, inputs: Inputs) -> Loaded:
    """What `headscope.load` does with a module, held against what it was before."""
    counting = {name: tensor[:1] for name, tensor in inputs.items() if name != "attention_mask"}
    before, outputs = state_of(model), long_outputs(model, inputs)
    sites = find_sites(model, counting)
    padding = sites.facts.restless or sees_padding(model, counting, 0)
    after = state_of(model)
    changed = [name for name in before if before[name] != after[name]]
    if changed:
        raise Mismatch(f"loading changed the model: {', '.join(changed)}")
    again = long_outputs(model, inputs)
    if (outputs is None) != (again is None) or (outputs is not None and not torch.equal(outputs, again)):
        raise Mismatch("after loading, the model makes something else of a long text")
    return Loaded(sites, padding, unheard_notes(model, sites, "decoder_input_ids" in inputs))


def check_loaded(model: Any, loaded: Loaded, inputs: Inputs) -> None:
    """Whether what was found out about a model holds."""
    check_padding(model, loaded, inputs)
    check_heard(model, loaded, inputs)
    check_apart(model, loaded.sites, inputs)


def check_padding(model: Any, loaded: Loaded, inputs: Inputs) -> None:
    """A text in a padded batch comes out as it does alone, unless the model is said to see padding."""
    if loaded.sees_padding:
        return
    together = first_of(run(model, inputs))
    for row in range(1, len(together)):
        length = int(inputs["attention_mask"][row].sum())
        alone = first_of(
            run(model, {name: cut(name, tensor[row : row + 1], length) for name, tensor in inputs.items()})
        )
        real = together[row : row + 1, : alone.shape[1]]
        gap = float((real - alone).abs().max()) / max(1.0, float(alone.abs().max()))
        if not gap <= 1e-3:
            raise Mismatch(f"is not said to see padding, but a padded text differs by {gap:.1e}")


def cut(name: str, tensor: torch.Tensor, length: int) -> torch.Tensor:
    """An input without its padding."""
    return tensor if name == "decoder_input_ids" or tensor.ndim < 2 else tensor[:, :length]


def check_heard(model: Any, loaded: Loaded, inputs: Inputs) -> None:
    """Layers of which the model shows maps that are not heard are told of; what is heard are weights."""
    shown = run(model, inputs, output_attentions=True)
    own = [part for name in FIELDS for part in getattr(shown, name, None) or () if part is not None]
    if len(own) > len(loaded.sites.sites) and not loaded.unheard:
        raise Mismatch(
            f"shows {len(own)} maps, {len(loaded.sites.sites)} are heard, and nothing is said of it"
        )
    keeper = Keeper()
    with attach(model, loaded.sites, [keeper]):
        run(model, inputs)
    for site, weights in keeper.maps.items():
        rows = weights[0].sum(-1)  # the first text has no padding
        less = any("less than 1" in note for note in loaded.sites.facts.notes)
        if (
            float(weights[0].min()) < -1e-4
            or float(rows.max()) > 1.001
            or (not less and float(rows.min()) < 0.999)
        ):
            raise Mismatch(f"{site}: rows sum to {float(rows.min()):.3f} to {float(rows.max()):.3f}")


class Keeper:
    """Keeps maps as they are, in the graph."""

    needs: Need = "map"

    def __init__(self) -> None:
        self.maps: dict[Site, torch.Tensor] = {}

    def hear(self, heard: Heard) -> None:
        self.maps[heard.site] = heard.weights


def check_apart(model: Any, sites: Sites, inputs: Inputs) -> None:
    """Without a head, the output no longer depends on its map, and still does on those of the others."""
    site = sites.sites[-1]
    if site in sites.facts.entangled or site.heads < 2:
        return
    keeper = Keeper()
    removed = Ablate([Head(site.stack, site.layer, 0)])
    with torch.enable_grad(), unchanged(model), attach(model, sites, [keeper], [removed]):
        torch.manual_seed(0)
        output = first_of(model(**inputs))
    weights = keeper.maps[site]
    if not weights.requires_grad:
        raise Mismatch("its maps are in no graph, so ablation could not be checked")
    (slopes,) = torch.autograd.grad((output * torch.rand_like(output)).sum(), weights, allow_unused=True)
    if slopes is None or bool(slopes[:, 0].any()) or not bool(slopes[:, 1:].flatten(2).any(-1).all()):
        raise Mismatch("a head that was removed still reaches the output, or others do not")


def run(model: Any, inputs: Inputs, **options: Any) -> Any:
    """One forward pass that leaves the model as it was, from one seed, for families that draw numbers."""
    torch.manual_seed(0)
    with torch.no_grad(), unchanged(model):
        return model(**inputs, **options)


def first_of(outputs: Any) -> torch.Tensor:
    """The last hidden states."""
    return next(part for part in outputs.to_tuple() if isinstance(part, torch.Tensor))


def long_outputs(model: nn.Module, inputs: Inputs) -> torch.Tensor | None:
    """What a model makes of a long text, without being changed by it; None where it does not take one."""
    repeats = -(-LONG // inputs["input_ids"].shape[1])
    longer = {
        name: tensor[:1] if tensor.ndim < 2 else tensor[:1].repeat_interleave(repeats, 1)[:, :LONG]
        for name, tensor in inputs.items()
    }
    try:
        return first_of(run(model, longer))
    except Exception:  # a family may refuse a long text in any way
        return None


def state_of(model: nn.Module) -> dict[str, Any]:
    """Everything that tells how a model computes, and what attaching could leave behind, in plain values."""
    modules = dict(model.named_modules())
    tensors = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    kept = int | float | str | tuple | None
    return {
        "parts": [(name, type(part).__name__, part.training) for name, part in modules.items()],
        "attributes": [
            {name: value for name, value in vars(part).items() if isinstance(value, kept)}
            for part in modules.values()
        ],
        "hooks": [len(part._forward_hooks) + len(part._forward_pre_hooks) for part in modules.values()],
        "kernels": [
            str(getattr(getattr(part, "config", None), "_attn_implementation_internal", None))
            for part in modules.values()
        ],
        "configurations": repr(
            [
                part.config.to_dict()
                for part in modules.values()
                if hasattr(getattr(part, "config", None), "to_dict")
            ]
        ),
        "tensors": {name: tensor.double().nan_to_num().sum().item() for name, tensor in tensors.items()},
    }
