"""Other attention in the place of a net's own, while it learns and while it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import torch

from headscope.attention import Heard, Site, attach
from headscope.attention.edit import Ablate, Edit, Uniform, WeightEdit, share_out
from headscope.heads import STACKS
from headscope.models import Model
from headscope.questions.adversary.hearing import Inputs, Known, keys_of
from headscope.questions.adversary.kinds import CONTROLS, EVEN, ITSELF, NONE, RANDOM

Weigh = Callable[[Heard], torch.Tensor]
Source = Callable[[Inputs], Weigh]
"""The inputs of a pass to the weights of each site, which broadcast to those that are heard."""


def known_maps(known: Known) -> Source:
    """The maps of a model."""

    def of(inputs: Inputs) -> Weigh:
        maps = known.maps(inputs)
        return lambda heard: maps[heard.site]

    return of


def drawn_maps(seed: int) -> Source:
    """Rows drawn evenly from all that there are, the same for a text in every batch and epoch."""

    def of(inputs: Inputs) -> Weigh:
        keys, sizes = keys_of(inputs), inputs["attention_mask"].sum(1).tolist()

        def weigh(heard: Heard) -> torch.Tensor:
            place = STACKS.index(heard.site.stack), heard.site.layer
            drawn = np.zeros(heard.weights.shape, np.float32)
            for row, (key, size) in enumerate(zip(keys, sizes, strict=True)):
                random = np.random.default_rng([seed, *place, *np.frombuffer(key, np.uint8)])
                queries = size if heard.site.queries == "piece" else drawn.shape[2]
                shape = drawn.shape[1], queries, size
                drawn[row, :, :queries, :size] = random.standard_exponential(shape, np.float32)
            numbers = torch.from_numpy(drawn).to(heard.weights)
            return share_out(numbers * heard.visible)

        return weigh

    return of


class Given(WeightEdit):
    """Holds all heads of some sites at maps that depend on the texts which the module is run on."""

    def __init__(self, sites: Sequence[Site], source: Source) -> None:
        super().__init__(head for site in sites for head in site)
        self._source = source
        self._weigh: Weigh | None = None

    @contextmanager
    def reading(self, module: Any) -> Iterator[None]:
        """Take note of what the module is given."""
        hook = module.register_forward_pre_hook(self._note, with_kwargs=True)
        try:
            yield
        finally:
            hook.remove()

    def _note(self, module: Any, arguments: tuple[Any, ...], inputs: Mapping[str, Any]) -> None:
        tensors = {name: value for name, value in inputs.items() if isinstance(value, torch.Tensor)}
        self._weigh = self._source(tensors)

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        assert self._weigh is not None, "the module was run without being read"
        return self._weigh(heard).to(weights).expand_as(weights)


class Itself(WeightEdit):
    """All attention to the own piece; a row that does not see itself stays empty."""

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        own = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)[heard.rows]
        return (own * visible).expand_as(weights)


def controls_of(sites: Sequence[Site]) -> list[str]:
    """The controls that mean something: a text that looks has no piece of its own."""
    piecewise = all(site.queries == "piece" for site in sites)
    return [control for control in CONTROLS if control != ITSELF or piecewise]


def edit_of(control: str, sites: Sequence[Site], seed: int) -> Edit:
    """What makes a control of a net."""
    heads = [head for site in sites for head in site]
    made: dict[str, Edit] = {
        EVEN: Uniform(heads),
        ITSELF: Itself(heads),
        RANDOM: Given(sites, drawn_maps(seed)),
        NONE: Ablate(heads),
    }
    return made[control]


@contextmanager
def edited(model: Model, edit: Edit | None) -> Iterator[None]:
    """A model whose attention is changed for the length of a `with`."""
    with ExitStack() as stack:
        if edit is not None:
            stack.enter_context(attach(model.module, model.sites, edits=[edit]))
        if isinstance(edit, Given):
            stack.enter_context(edit.reading(model.module))
        yield
