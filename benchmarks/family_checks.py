"""What must hold for a model of any family while it is attached to the core, and after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from benchmarks.family_loading import Inputs, Mismatch, first_of, run, state_of
from headscope.attention import Ablate, Heard, Recorder, RowBlocks, Site, Sites, attach
from headscope.attention.bypass import FIELDS, BypassSites
from headscope.attention.listen import Need
from headscope.heads import Head


class Outputs(Recorder):
    """Keeps whole maps and what each head hands on."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: dict[Site, Heard] = {}

    def hear(self, heard: Heard) -> None:
        super().hear(heard)
        self.heard[heard.site] = heard


class Rows:
    """Puts the blocks of each site together again."""

    needs: Need = "rows"

    def __init__(self) -> None:
        self.blocks: dict[Site, list[torch.Tensor]] = {}

    def hear(self, heard: Heard) -> None:
        self.blocks.setdefault(heard.site, []).append(heard.weights.clone())


def check_all(model: Any, sites: Sites, inputs: Inputs) -> list[str]:
    """Run every check; returns what could not be checked, raises `Mismatch` for what does not hold."""
    before, kernel = state_of(model), run(model, inputs)
    with eager(model):
        plain = run(model, inputs)
        shown = run(model, inputs, output_attentions=True)
    listener = Outputs()
    with attach(model, sites, [listener]):
        heard = run(model, inputs)
    same(heard, plain, 0.0, "outputs while listening differ from eager outputs")
    notes = check_maps(listener, shown)
    own_gap = gap(kernel, plain)
    if own_gap < 1e-3:
        notes += check_blocks(model, sites, inputs, listener)
    else:
        notes.append(f"no blocks compared: its fast kernel and its eager attention differ by {own_gap:.1g}")
    check_ablation(model, sites, inputs, listener)
    if state_of(model) != before:
        raise Mismatch("the model is not as it was after it was let go")
    same(run(model, inputs), kernel, 0.0, "outputs changed after the model was let go")
    return notes


def check_maps(listener: Recorder, shown: Any) -> list[str]:
    """The maps that were heard are those that the model shows itself."""
    own = [part for name in FIELDS for part in getattr(shown, name, None) or () if part is not None]
    if not own:
        return ["shows no maps of its own"]
    heard = [maps[0] for maps in listener.maps.values()]
    tensors = [part for part in own if isinstance(part, torch.Tensor)]
    wrong = [one for one in heard if not any(same_map(one, other) for other in tensors)]
    if wrong and len(own) >= len(heard):
        raise Mismatch(f"{len(wrong)} of {len(heard)} maps differ from the model's own")
    return []


def check_blocks(model: Any, sites: Sites, inputs: Inputs, whole: Recorder) -> list[str]:
    """Blocks of rows beside the fast kernel add up to the whole maps, on real queries."""
    if isinstance(sites, BypassSites):
        return ["no blocks: computes attention outside the shared function"]
    difference = block_gap(model, sites, inputs, whole)
    if difference > 1e-5:
        # The rounding of two kernels grows with the layers; a mistake stays as large in double precision.
        exact = Recorder()
        model.double()
        with attach(model, sites, [exact]):
            run(model, inputs)
        difference = block_gap(model, sites, inputs, exact)
        model.float()
    if not difference <= 1e-5:
        raise Mismatch(f"blocks differ from the whole map by {difference:.1e}")
    return []


def block_gap(model: Any, sites: Sites, inputs: Inputs, whole: Recorder) -> float:
    """Largest difference between maps put together from blocks and whole ones."""
    rows = Rows()
    with attach(model, sites, [rows], blocks=RowBlocks(budget=1)):
        run(model, inputs)
    gaps = []
    for site, blocks in rows.blocks.items():
        together, one = torch.cat(blocks, dim=2), whole.maps[site][0]
        real = real_queries(site, inputs, one)
        gaps.append(float(((together - one).abs() * real[:, None, :, None]).max()))
    return max(gaps)


def check_ablation(model: Any, sites: Sites, inputs: Inputs, listener: Outputs) -> None:
    """A head without output is the same as a zeroed slice before the output projection, if there is one."""
    site = sites.sites[-1]
    projection = find_projection(model, inputs, listener.heard[site])
    if projection is None or site in sites.facts.entangled:
        return
    head = Head(site.stack, site.layer, site.heads - 1)
    with attach(model, sites, edits=[Ablate([head])]):
        ablated = run(model, inputs)
    module, call = projection
    with eager(model), zeroed(module, call, site):
        expected = run(model, inputs)
    same(ablated, expected, 1e-6, "ablating a head differs from zeroing its slice")


def find_projection(model: nn.Module, inputs: Inputs, heard: Heard) -> tuple[nn.Module, int] | None:
    """The module that is given a site's joined head outputs, and the number of that call of it."""
    if heard.value is None:
        return None
    joined = heard.outputs.flatten(2)
    calls: dict[nn.Module, int] = {}
    found: list[tuple[nn.Module, int]] = []

    def look(module: nn.Module, given: tuple[Any, ...]) -> None:
        number = calls[module] = calls.get(module, -1) + 1
        if given and isinstance(given[0], torch.Tensor) and given[0].shape[-1:] == joined.shape[-1:]:
            same_size = given[0].numel() == joined.numel()
            if same_size and torch.allclose(given[0].reshape(joined.shape), joined, atol=1e-6):
                found.append((module, number))

    leaves = [
        module for module in model.modules() if not list(module.children()) and list(module.parameters())
    ]
    hooks = [module.register_forward_pre_hook(look) for module in leaves]
    try:
        with eager(model):
            run(model, inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return found[0] if found else None


@contextmanager
def zeroed(module: nn.Module, call: int, site: Site) -> Iterator[None]:
    """Zero the last head's slice of what one call of a projection is given."""
    count = -1

    def cut(module: nn.Module, given: tuple[Any, ...]) -> tuple[Any, ...]:
        nonlocal count
        count += 1
        if count != call:
            return given
        joined = given[0].clone()
        joined[..., -(joined.shape[-1] // site.heads) :] = 0
        return (joined, *given[1:])

    hook = module.register_forward_pre_hook(cut)
    try:
        yield
    finally:
        hook.remove()


@contextmanager
def eager(model: Any) -> Iterator[None]:
    """The model with its own eager attention."""
    configs = {id(part.config): part.config for part in model.modules() if hasattr(part, "config")}
    before = {key: config._attn_implementation_internal for key, config in configs.items()}
    for config in configs.values():
        config._attn_implementation_internal = "eager"
    try:
        yield
    finally:
        for key, config in configs.items():
            config._attn_implementation_internal = before[key]


def same(one: Any, other: Any, tolerance: float, says: str) -> None:
    """Refuse outputs whose first tensors, the last hidden states, differ by more than the tolerance."""
    difference = gap(one, other)
    if not difference <= tolerance:
        raise Mismatch(f"{says}, by {difference:.1e}")


def gap(one: Any, other: Any) -> float:
    """Largest difference of the first tensors, in units of the largest number if that is above 1."""
    first, second = first_of(one), first_of(other)
    return float((first - second).abs().max()) / max(1.0, float(second.abs().max()))


def same_map(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and torch.equal(one, other)


def real_queries(site: Site, inputs: Inputs, weights: torch.Tensor) -> torch.Tensor:
    """(batch, query) bool: queries that are not padding; all of them where the mask does not fit the site."""
    mask = inputs["attention_mask"]
    if site.stack == "cross" or weights.shape[2] != mask.shape[1] or weights.shape[0] != mask.shape[0]:
        return torch.ones(weights.shape[0], weights.shape[2], dtype=torch.bool)
    return mask.bool()
