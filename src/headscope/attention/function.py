"""The one attention function: registered with transformers, it lets listeners hear and edits change.

The scores are never computed here: the modelling file's own eager function does that, so soft-capping,
sinks, position bias and grouped keys stay the family's business. Three names are registered: WHOLE calls
the eager function once per layer; BLOCKS leaves the fast kernel on for the output and recomputes the
weights in blocks of query rows for the listeners alone; EAGER_BLOCKS is for models that run the eager
kernel, whose own layers may count on its masks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import nn
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from headscope.attention.blocks import RowBlocks, causal_rows, rows_of
from headscope.attention.listen import Heard
from headscope.attention.session import Session
from headscope.errors import ModelError


class Name(str):
    """A registered name that stands in for another: families with sparse attention build their masks only
    where the implementation is called "eager" or "sdpa", so this one answers to both names.

    >>> name = Name("headscope_whole", "eager")
    >>> name == "eager", name == "headscope_whole", name in {"eager"}, name in {"headscope_whole"}
    (True, True, False, True)
    """

    like: str

    def __new__(cls, name: str, like: str) -> Name:
        made = super().__new__(cls, name)
        made.like = like
        return made

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.like

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True or self.like == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    # Registries are dictionaries: by its hash a name is found as itself alone.
    __hash__ = str.__hash__


WHOLE = Name("headscope_whole", "eager")
BLOCKS = Name("headscope_blocks", "sdpa")
EAGER_BLOCKS = Name("headscope_eager_blocks", "eager")

Returned = tuple[torch.Tensor, torch.Tensor]

sessions: WeakKeyDictionary[nn.Module, Session] = WeakKeyDictionary()
"""The open session of each attached model's modules."""


def attend_whole(
    module: nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    dropout: float = 0.0,
    **options: Any,
) -> Returned:
    """Attention with whole maps: (batch, query, head, dim) and weights (batch, head, query, key)."""
    session = sessions[module]
    output, weights = eager_function(module)(
        module, query, key, value, attention_mask, dropout=0.0, **options
    )
    if session.counting is not None:
        session.count(module, weights)
        return output, weights
    rows = torch.arange(query.shape[2], device=query.device)
    heard = Heard(session.sites.next_site(module), weights, rows, value, attention_mask)
    return session.pass_on(heard, output, dropout if module.training else 0.0)


def attend_blocks(
    module: nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    dropout: float = 0.0,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Attention through the model's own kernel; listeners hear blocks of query rows."""
    session = sessions[module]
    site = session.sites.next_site(module)
    call = (module, query, key, value, attention_mask)
    kernel = session.kernel
    if kernel == "eager":
        return _eager_in_blocks(session.blocks, call, dropout, options, session, site), None
    output, _ = _interface(module)[kernel](*call, dropout=dropout, **options)
    if session.wants(site):
        for heard in _weights_in_blocks(session.blocks, call, options, site):
            session.tell(heard)
    return output, None


def eager_function(module: nn.Module) -> Callable[..., Returned]:
    """The eager attention function of the modelling file that defines a module's forward."""
    forward = inspect.unwrap(type(module).forward)
    names = [name for name in forward.__code__.co_names if name.endswith("eager_attention_forward")]
    found = forward.__globals__.get(names[0] if names else "eager_attention_forward")
    if found is None:
        raise ModelError(f"{type(module).__name__} has no eager attention function to listen to")
    return found


def _interface(module: nn.Module) -> Any:
    """The registry a module reads: the global one, unless its file keeps its own."""
    return inspect.unwrap(type(module).forward).__globals__.get(
        "ALL_ATTENTION_FUNCTIONS", ALL_ATTENTION_FUNCTIONS
    )


def _weights_in_blocks(
    blocks: RowBlocks, call: tuple[Any, ...], options: dict[str, Any], site: Any
) -> Iterator[Heard]:
    module, query, key, value, mask = call
    # Values of width 0: the eager function then spends nothing on the output, which is not needed here.
    no_value = value[..., :0]
    eager = eager_function(module)
    for rows in blocks.over(query, key):
        block_mask = _mask_rows(module, query, key, mask, rows, options)
        _, weights = eager(
            module, query[:, :, rows], key, no_value, block_mask, dropout=0.0,
            **rows_of(options, rows, query.shape[2], key.shape[2]),
        )  # fmt: skip
        yield Heard(site, weights, rows, value, block_mask)


def _eager_in_blocks(
    blocks: RowBlocks,
    call: tuple[Any, ...],
    dropout: float,
    options: dict[str, Any],
    session: Session,
    site: Any,
) -> torch.Tensor:
    """The output itself row block by row block, where the kernel in use is the eager function."""
    module, query, key, value, mask = call
    eager = eager_function(module)
    sampled = blocks.sample(query.shape[2])
    outputs = []
    for rows in blocks.all_rows().over(query, key):
        block_mask = _mask_rows(module, query, key, mask, rows, options)
        output, weights = eager(
            module, query[:, :, rows], key, value, block_mask, dropout=dropout,
            **rows_of(options, rows, query.shape[2], key.shape[2]),
        )  # fmt: skip
        outputs.append(output)
        chosen = rows if sampled is None else rows[torch.isin(rows, sampled)]
        if session.wants(site) and len(chosen):
            inside = chosen - rows[0]
            some_mask = block_mask
            if block_mask is not None and block_mask.shape[2] > 1:
                some_mask = block_mask[:, :, inside]
            session.tell(Heard(site, weights[:, :, inside], chosen, value, some_mask))
    return torch.cat(outputs, dim=1)


def _mask_rows(
    module: nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    mask: torch.Tensor | None,
    rows: torch.Tensor,
    options: dict[str, Any],
) -> torch.Tensor | None:
    """The additive mask of some query rows, as the eager function wants it."""
    if mask is not None and mask.ndim == 4:
        part = mask[:, :, rows] if mask.shape[2] > 1 else mask
        if part.dtype != torch.bool:
            return part
        hidden = torch.finfo(query.dtype).min
        return torch.zeros_like(part, dtype=query.dtype).masked_fill_(~part, hidden)
    declared = options.get("is_causal")
    causal = getattr(module, "is_causal", True) if declared is None else declared
    window = options.get("sliding_window")
    return causal_rows(query, key, mask, rows, bool(causal) and query.shape[2] > 1, window)


def register() -> None:
    """Make the names known to transformers, with the masks of what each stands in for."""
    for name, function in ((WHOLE, attend_whole), (BLOCKS, attend_blocks), (EAGER_BLOCKS, attend_blocks)):
        ALL_ATTENTION_FUNCTIONS.register(name, function)
        ALL_MASK_ATTENTION_FUNCTIONS.register(name, ALL_MASK_ATTENTION_FUNCTIONS[name.like])


register()
