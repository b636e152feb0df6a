"""Edits: changes to attention that must return a tensor. Weight edits change what a head looks at,
output edits what it hands to the output projection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import torch

from headscope.attention.listen import Heard, Rows
from headscope.attention.site import Site
from headscope.errors import OptionError
from headscope.heads import STACKS, Head, Named, Stack


class Edit:
    """A change to some heads, or names of heads; `at(site)` gives their indices there.

    A name without a stack is of the model's first one, which is known when the edit is checked.
    """

    def __init__(self, heads: Iterable[Named]) -> None:
        self.heads = list(heads)
        self._place("encoder")

    def _place(self, first: Stack) -> None:
        self._indices: dict[tuple[str, int], list[int]] = {}
        self._placed = [Head.of(head, first) for head in self.heads]
        for head in self._placed:
            self._indices.setdefault((head.stack, head.layer), []).append(head.index)

    def at(self, site: Site) -> list[int]:
        """Indices of the edited heads at a site; empty for none."""
        return self._indices.get((site.stack, site.layer), [])

    def check(self, sites: Iterable[Site]) -> None:
        """Refuse heads that the model does not have."""
        sizes: dict[tuple[str, int], int] = {(site.stack, site.layer): site.heads for site in sites}
        self._place(next(stack for stack in STACKS if any(stack == other for other, _ in sizes)))
        for (stack, layer), indices in self._indices.items():
            size = sizes.get((stack, layer), 0)
            for index in indices:
                if not 0 <= index < size:
                    raise OptionError(
                        f"the model has no head L{layer}H{index} in its {stack}; {_extent(stack, sizes)}"
                    )


def _extent(stack: str, sizes: Mapping[tuple[str, int], int]) -> str:
    """What there is instead, counted from 0."""
    own = [size for (other, _), size in sizes.items() if other == stack]
    if not own:
        return f"it has {', '.join(dict.fromkeys(other for other, _ in sizes))}"
    return f"it has layers 0 to {len(own) - 1}, of up to {max(own)} heads, counted from 0"


class WeightEdit(Edit):
    """Changes the weights of its heads before dropout."""

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        """(batch, edited head, query, key) in, the same shape out; visible broadcasts to it."""
        raise TypeError(f"{type(self).__name__} does not say how it changes weights")

    def apply(self, heard: Heard, rows: Rows | None = None) -> Heard:
        """The call with the weights of the edited heads changed; of a step, as if all rows were there."""
        if rows is not None:
            return self._apply_to_step(heard, rows)
        indices = self.at(heard.site)
        before = heard.weights[:, indices]
        after = self.change(before, heard.visible, heard)
        if not isinstance(after, torch.Tensor) or after.shape != before.shape:
            came = tuple(after.shape) if isinstance(after, torch.Tensor) else type(after).__name__
            raise OptionError(
                f"{type(self).__name__} at {heard.site.stack} layer {heard.site.layer}: an edit must return "
                f"a tensor of shape {tuple(before.shape)}, not {came}"
            )
        weights = heard.weights.clone()
        weights[:, indices] = after.to(weights.dtype)
        return replace(heard, weights=weights)

    def _apply_to_step(self, heard: Heard, rows: Rows) -> Heard:
        """What is made of a row may be drawn or given for the whole map; rows of other steps are empty."""
        batch, heads, count, keys = heard.weights.shape
        here = slice(rows.first, rows.first + count)
        weights = heard.weights.new_zeros(batch, heads, rows.of, keys)
        weights[:, :, here] = heard.weights
        mask = None if heard.mask is None else heard.mask[:, :, :1].expand(-1, -1, rows.of, -1)
        whole = replace(
            heard, weights=weights, rows=Rows(0, rows.of).places(rows.of, weights.device), mask=mask
        )
        return replace(heard, weights=self.apply(whole).weights[:, :, here])


class OutputEdit(Edit):
    """Changes what its heads hand to the output projection."""

    def change(self, output: torch.Tensor, site: Site) -> torch.Tensor:
        """(batch, query, edited head, dim) in, the same shape out."""
        raise TypeError(f"{type(self).__name__} does not say how it changes outputs")

    def change_step(self, output: torch.Tensor, site: Site, rows: Rows) -> torch.Tensor:
        """The same of some query rows; most edits do not look at queries."""
        return self.change(output, site)

    def apply(self, output: torch.Tensor, site: Site, rows: Rows | None = None) -> torch.Tensor:
        """(batch, query, head, dim) with the edited heads changed."""
        indices = self.at(site)
        before = output[:, :, indices]
        after = self.change(before, site) if rows is None else self.change_step(before, site, rows)
        changed = output.clone()
        changed[:, :, indices] = after.to(output.dtype)
        return changed


class Scale(OutputEdit):
    """Multiply heads by a gate: a number, or a tensor (batch,) that may carry a gradient."""

    def __init__(self, heads: Iterable[Named], gate: float | torch.Tensor) -> None:
        super().__init__(heads)
        self.gate = gate

    def change(self, output: torch.Tensor, site: Site) -> torch.Tensor:
        gate = self.gate
        return output * (gate.reshape(-1, 1, 1, 1) if isinstance(gate, torch.Tensor) else gate)


class Gate(OutputEdit):
    """Multiply heads by ones that carry a gradient, one for each example, query and head.

    `gates` holds them by site after a forward pass, (batch, query, edited head): the gradient with respect
    to them is the loss's sensitivity to a head (Michel et al. 2019, section 4.1).
    """

    def __init__(self, heads: Iterable[Named]) -> None:
        super().__init__(heads)
        self.gates: dict[Site, torch.Tensor] = {}

    def change(self, output: torch.Tensor, site: Site) -> torch.Tensor:
        return self.change_step(output, site, Rows(0, output.shape[1]))

    def change_step(self, output: torch.Tensor, site: Site, rows: Rows) -> torch.Tensor:
        """All steps have a part of one gate, which the first of them makes."""
        batch, count, heads = output.shape[:3]
        if rows.first == 0:
            self.gates[site] = output.new_ones(batch, rows.of, heads).requires_grad_()
        return output * self.gates[site][:, rows.first : rows.first + count, :, None]


class Ablate(OutputEdit):
    """Remove heads: their output becomes zero, or their mean output vector over a corpus.

    means: for each head a vector (dim,), as `headscope.mean_outputs` measures it.
    """

    def __init__(self, heads: Iterable[Named], means: Mapping[Any, torch.Tensor] | None = None) -> None:
        self._given = means
        super().__init__(heads)

    def _place(self, first: Stack) -> None:
        super()._place(first)
        self.means = {Head.of(head, first): mean for head, mean in (self._given or {}).items()}

    def check(self, sites: Iterable[Site]) -> None:
        """Refuse heads that the model lacks, or whose mean was not measured."""
        super().check(sites)
        missing = [head for head in self._placed if self._given is not None and head not in self.means]
        if missing:
            raise OptionError(f"no mean output was measured for head {missing[0]}")

    def change(self, output: torch.Tensor, site: Site) -> torch.Tensor:
        if self._given is None:
            return torch.zeros_like(output)
        vectors = [self.means[Head(site.stack, site.layer, index)] for index in self.at(site)]
        return torch.stack(vectors).to(output).expand_as(output)


class Uniform(WeightEdit):
    """Spread attention evenly over the visible keys."""

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        return share_out(visible.to(weights.dtype).expand_as(weights))


class Freeze(WeightEdit):
    """Hold heads at given weights: for each head a tensor (query, key) or (batch, query, key)."""

    def __init__(self, weights: Mapping[Named, torch.Tensor]) -> None:
        self._given = weights
        super().__init__(weights)

    def _place(self, first: Stack) -> None:
        super()._place(first)
        self.weights = {Head.of(head, first): weights for head, weights in self._given.items()}

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        site = heard.site
        maps = [self.weights[Head(site.stack, site.layer, index)] for index in self.at(site)]
        try:
            frozen = [map.to(weights).expand_as(weights[:, 0]) for map in maps]
        except RuntimeError as error:
            raise OptionError(
                f"frozen weights of shape {tuple(maps[0].shape)} do not fit maps of {tuple(weights.shape)}"
            ) from error
        return torch.stack(frozen, dim=1)


class Permute(WeightEdit):
    """Shuffle each query's weights over its visible keys, the same way for the same seed."""

    def __init__(self, heads: Iterable[Named], seed: int = 0) -> None:
        super().__init__(heads)
        self.seed = seed

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        generator = torch.Generator().manual_seed(self.seed)
        keys = torch.rand(weights.shape, generator=generator).to(weights.device)
        return shuffled(weights, visible, keys)


class Erase(WeightEdit):
    """Take chosen keys away and renormalise the rest.

    keys: (key,) or (batch, key) bool. A row with nothing left stays all zero.
    """

    def __init__(self, heads: Iterable[Named], keys: torch.Tensor) -> None:
        super().__init__(heads)
        self.keys = keys

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        if self.keys.shape[-1] != weights.shape[-1]:
            raise OptionError(f"{self.keys.shape[-1]} keys to erase from, the map has {weights.shape[-1]}")
        erased = self.keys.to(weights.device).bool().reshape(-1, 1, 1, weights.shape[-1])
        return share_out(weights.masked_fill(erased, 0.0))


class Replace(WeightEdit):
    """Put a function of your own in place: (weights, heard) to weights of the same shape."""

    def __init__(
        self, heads: Iterable[Named], function: Callable[[torch.Tensor, Heard], torch.Tensor]
    ) -> None:
        super().__init__(heads)
        self.function = function

    def change(self, weights: torch.Tensor, visible: torch.Tensor, heard: Heard) -> torch.Tensor:
        return self.function(weights, heard)


def share_out(weights: torch.Tensor) -> torch.Tensor:
    """Scale each row to sum 1; a row of zeros stays zero."""
    total = weights.sum(-1, keepdim=True)
    return weights / total.where(total > 0, torch.ones_like(total))


def shuffled(weights: torch.Tensor, visible: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Each row's weights in the order of random numbers below 1, hidden keys behind in both orders."""
    hidden = ~visible.expand_as(weights)
    order = keys.expand_as(weights).masked_fill(hidden, 2.0).argsort(dim=-1, stable=True)
    home = hidden.to(torch.int8).argsort(dim=-1, stable=True)
    return torch.empty_like(weights).scatter(-1, home, weights.gather(-1, order))
