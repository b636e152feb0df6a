"""The one attention function: registered with transformers, it lets listeners hear and edits change.

The scores are never computed here: the modelling file's own eager function does that, so soft-capping,
sinks, position bias and grouped keys stay the family's business. Three names are registered: WHOLE calls
the eager function once per layer; BLOCKS leaves the fast kernel on for the output and recomputes the
weights in blocks of query rows for the listeners alone; EAGER_BLOCKS is for models that run the eager
kernel, whose own layers may count on its masks. Our own nets call `attend` with weights of any kind.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import torch
from torch import nn
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from headscope.attention.blocks import RowBlocks, additive, causal_rows, rows_of
from headscope.attention.calls import Counted, Returned, count_call
from headscope.attention.listen import Heard, Rows, mix_values
from headscope.attention.session import Session
from headscope.attention.site import Site
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
    session, eager = sessions[module], eager_function(module)

    def attend(query: torch.Tensor) -> Returned:
        return eager(module, query, key, value, attention_mask, dropout=0.0, **options)

    if session.sites is None:
        counted, returned = count_call(module, attend, query, value)
        session.calls.append(counted)
        return returned
    output, weights = attend(query)
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
    assert session.sites is not None
    assert session.blocks is not None
    site = session.sites.next_site(module)
    call = _Call(module, query, key, value, attention_mask, options)
    if session.kernel == "eager":
        return _eager_in_blocks(call, dropout, session, session.blocks, site), None
    kernel = _interface(module)[session.kernel]
    output, _ = kernel(module, query, key, value, attention_mask, dropout=dropout, **options)
    if session.listeners:
        for rows in session.blocks.over(query, key):
            # Values of width 0: the eager function then spends nothing on the output, which is not needed.
            _, weights, mask = call.attend(rows, value[..., :0])
            session.tell(Heard(site, weights, rows, value, mask))
    return output, None


def attend(
    module: nn.Module,
    weights: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None = None,
    dropout: float = 0.0,
    rows: Rows | None = None,
) -> torch.Tensor:
    """Values (batch, head, key, dim) mixed by weights (batch, head, query, key): (batch, query, head, dim).

    mask: (batch, 1, query, key) bool, true where a query sees a key. rows: where a net attends step by step,
    each looking back on what the last one saw, which rows of the map these are. The module has a `site`.
    """
    session = sessions.get(module)
    if session is not None and session.sites is None and (rows is None or rows.first == 0):
        session.calls.append(Counted(module, weights.detach(), plain=True, apart=True))
    if session is None or session.sites is None:
        return mix_values(nn.functional.dropout(weights, dropout, module.training), value)
    site, steps = session.site_of(module, rows), None if rows is None else session.steps[module]
    count = weights.shape[2]
    places = (rows or Rows(0, count)).places(count, weights.device)
    heard = Heard(site, weights, places, value, mask)
    if session.blocks is None:
        chance = dropout if module.training else 0.0
        return session.pass_on(heard, mix_values(weights, value), chance, steps)[0]
    whole = heard if steps is None else steps.join(heard)[1]
    if whole is not None:
        session.tell(_sampled(whole, session.blocks))
    return mix_values(nn.functional.dropout(weights, dropout, module.training), value)


def _sampled(heard: Heard, blocks: RowBlocks) -> Heard:
    """What is heard of a map where some rows stand for all."""
    sampled = blocks.sample(len(heard.rows))
    if sampled is None:
        return heard
    mask = None if heard.mask is None else heard.mask[:, :, sampled]
    return replace(heard, weights=heard.weights[:, :, sampled], rows=sampled, mask=mask)


def eager_function(module: nn.Module) -> Callable[..., Returned]:
    """The eager attention function of the modelling file that defines a module's forward."""
    forward = inspect.unwrap(type(module).forward)
    names = [name for name in forward.__code__.co_names if name.endswith("eager_attention_forward")]
    eager = forward.__globals__.get(names[0] if names else "eager_attention_forward")
    if eager is None:
        raise ModelError(f"{type(module).__name__} has no eager attention function to listen to")
    return eager


def _interface(module: nn.Module) -> Any:
    """The registry a module reads: the global one, unless its file keeps its own."""
    return inspect.unwrap(type(module).forward).__globals__.get(
        "ALL_ATTENTION_FUNCTIONS", ALL_ATTENTION_FUNCTIONS
    )


class _Call(NamedTuple):
    """What a family hands to the attention function."""

    module: nn.Module
    query: torch.Tensor
    key: torch.Tensor
    value: torch.Tensor
    mask: torch.Tensor | None
    options: dict[str, Any]

    def attend(
        self, rows: torch.Tensor, value: torch.Tensor, dropout: float = 0.0
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """The eager function for some query rows: output, weights and the additive mask of these rows."""
        mask = self._mask(rows)
        options = rows_of(self.options, rows, self.query.shape[2], self.key.shape[2])
        eager = eager_function(self.module)
        query = self.query[:, :, rows]
        output, weights = eager(self.module, query, self.key, value, mask, dropout=dropout, **options)
        return output, weights, mask

    def _mask(self, rows: torch.Tensor) -> torch.Tensor | None:
        mask = self.mask
        if mask is not None and mask.ndim == 4:
            own = mask[:, :, rows] if mask.shape[2] > 1 else mask
            return additive(own, self.query.dtype) if own.dtype == torch.bool else own
        declared = self.options.get("is_causal")
        causal = getattr(self.module, "is_causal", True) if declared is None else declared
        several = self.query.shape[2] > 1
        window = self.options.get("sliding_window")
        return causal_rows(self.query, self.key, mask, rows, bool(causal) and several, window)


def _eager_in_blocks(
    call: _Call, dropout: float, session: Session, blocks: RowBlocks, site: Site
) -> torch.Tensor:
    """The output itself row block by row block, where the kernel in use is the eager function."""
    sampled = blocks.sample(call.query.shape[2])
    outputs = []
    for rows in replace(blocks, rows=None).over(call.query, call.key):
        output, weights, mask = call.attend(rows, call.value, dropout)
        outputs.append(output)
        heard_rows = rows if sampled is None else rows[torch.isin(rows, sampled)]
        if session.listeners and len(heard_rows):
            inside = heard_rows - rows[0]
            if mask is not None and mask.shape[2] > 1:
                mask = mask[:, :, inside]
            session.tell(Heard(site, weights[:, :, inside], heard_rows, call.value, mask))
    return torch.cat(outputs, dim=1)


def register() -> None:
    """Make the names known to transformers, with the masks of what each stands in for."""
    for name, function in ((WHOLE, attend_whole), (BLOCKS, attend_blocks), (EAGER_BLOCKS, attend_blocks)):
        ALL_ATTENTION_FUNCTIONS.register(name, function)
        ALL_MASK_ATTENTION_FUNCTIONS.register(name, ALL_MASK_ATTENTION_FUNCTIONS[name.like])


register()
