"""A look from whatever holds attention: maps with tokens, a model's output, labelled maps, or a look."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from headscope.errors import OptionError
from headscope.heads import Stack
from headscope.results.look import Axis, Look, Sheet, Special, StackMaps
from headscope.web.views.given_maps import are_steps, sheets_of
from headscope.web.views.given_tokens import axis_of

Tokens = Sequence[str] | None
MOST_WEIGHTS = 64_000_000
LEFT, REST = "left", "(hidden)"
"""What is left of each row, beside maps of which tokens are hidden; and a key that stands for these."""
_MAPS = ("attention", "encoder_attention", "decoder_attention", "cross_attention")
"""The arguments that hold maps; a model's output has the same under these names in the plural."""


@dataclass(frozen=True)
class ViewInputs:
    """What a view is given, under the names of its arguments; pretty: whether tokens are made readable."""

    attention: Any
    tokens: Tokens
    sentence_b_start: int | None
    pretty: bool
    encoder_attention: Any
    decoder_attention: Any
    cross_attention: Any
    encoder_tokens: Tokens
    decoder_tokens: Tokens

    @property
    def special(self) -> Special:
        """How the special tokens of labelled maps are shown: as they came."""
        hides = isinstance(self.attention, xr.DataArray) and LEFT in self.attention.coords
        return _hiding(self.attention) if hides else "shown"

    def look(self) -> Look:
        """What was given, as a look."""
        if self.attention is not None and self._is_stacked():
            raise OptionError(
                "both attention and encoder_attention, decoder_attention or cross_attention were given; "
                "attention is for models with one stack, the others are for encoder-decoders"
            )
        if isinstance(self.attention, Look):
            if self.tokens is not None:
                raise OptionError("a look brings its tokens with it; leave out tokens")
            return self.attention
        if isinstance(self.attention, xr.DataArray):
            return _labelled(self.attention, self)
        if any(hasattr(self.attention, f"{name}s") for name in _MAPS):
            # Models without cross-attention give an empty sequence of it, or none.
            maps: dict[str, Any] = {name: getattr(self.attention, f"{name}s", None) or None for name in _MAPS}
            return replace(self, **maps)._by_stack()
        return self._by_stack()

    def _is_stacked(self) -> bool:
        return any(getattr(self, name) is not None for name in _MAPS[1:])

    def _by_stack(self) -> Look:
        if self.sentence_b_start is not None and self._is_stacked():
            raise OptionError("sentence_b_start goes with attention; an encoder-decoder reads no pairs here")
        encoder = self.tokens if self.encoder_tokens is None else self.encoder_tokens
        decoder = self.decoder_tokens
        stacks: list[tuple[Stack | None, Any, Tokens, Tokens]] = [
            (None, self.attention, self.tokens, self.tokens),
            ("encoder", self.encoder_attention, encoder, encoder),
            ("decoder", self.decoder_attention, decoder, decoder),
            ("cross", self.cross_attention, decoder, encoder),
        ]
        # With nothing at all, the reason is the usual one: a model that was asked in vain.
        present = [stack for stack in stacks if stack[1] is not None] or stacks[:1]
        return Look("", [self._stack(*stack) for stack in present])

    def _stack(self, stack: Stack | None, maps: Any, query: Tokens, key: Tokens) -> StackMaps:
        sheets = sheets_of(maps)
        shape = sheets[0].weights.shape[1:]
        # The last piece that generate() wrote was never read, so it is in no map.
        spare = 1 if are_steps(maps) else 0
        on_query = self.axis(query, shape[0], spare, "queries")
        on_key = self.axis(key, shape[1], 0 if stack == "cross" else spare, "keys")
        odd = next((sheet for sheet in sheets if sheet.weights.shape[1:] != shape), None)
        if odd is not None:
            raise OptionError(
                f"layer {odd.layer} has maps {odd.weights.shape[1:]}, layer 0 has {shape}; expected the same"
            )
        return StackMaps(stack or _stack_of(sheets), on_query, on_key, sheets)

    def axis(self, tokens: Tokens, size: int, spare: int, side: str) -> Axis:
        """Tokens as the axis of maps of a size; spare: how many more may come."""
        if tokens is None:
            raise OptionError(
                "the maps have no tokens; give tokens=tokenizer.convert_ids_to_tokens(inputs.input_ids[0]), "
                "or encoder_tokens and decoder_tokens for an encoder-decoder"
            )
        if len(tokens) not in (size, size + spare):
            raise OptionError(
                f"{len(tokens)} tokens came, but the maps have {size} {side}; give the tokens of the same "
                "encoding, special ones included"
            )
        return axis_of(tokens[:size], self.pretty, self.sentence_b_start)


def only(look: Look, layers: Collection[int] | None, heads: Collection[int] | None) -> Look:
    """A look with some layers and heads only, all for None."""
    sheets = [sheet for stack in look.stacks for sheet in stack.sheets]
    _check_numbers("layer", layers, {sheet.layer for sheet in sheets})
    _check_numbers("head", heads, {head for sheet in sheets for head in sheet.heads})
    stacks = [replace(stack, sheets=_only(stack.sheets, layers, heads)) for stack in look.stacks]
    size = sum(sheet.weights.size for stack in stacks for sheet in stack.sheets)
    if size > MOST_WEIGHTS:
        raise OptionError(
            f"{size:,} weights are too many for one page, which holds {MOST_WEIGHTS:,}; choose fewer layers "
            "with include_layers, or a shorter text"
        )
    return replace(look, stacks=[stack for stack in stacks if stack.sheets])


def _check_numbers(what: str, wanted: Collection[int] | None, there: set[int]) -> None:
    missing = sorted(set(wanted or ()) - there)
    if missing or (wanted is not None and not len(wanted)):
        came = f"no {what} {missing[0]}" if missing else f"include_{what}s is empty"
        raise OptionError(f"{came}: the maps have {what}s {', '.join(map(str, sorted(there)))}")


def _only(sheets: list[Sheet], layers: Collection[int] | None, heads: Collection[int] | None) -> list[Sheet]:
    wanted = []
    for sheet in sheets:
        places = [place for place, head in enumerate(sheet.heads) if heads is None or head in heads]
        if places and (layers is None or sheet.layer in layers):
            wanted.append(Sheet(sheet.layer, [sheet.heads[place] for place in places], sheet.weights[places]))
    return wanted


def _labelled(maps: xr.DataArray, inputs: ViewInputs) -> Look:
    """The maps of `headscope.attention`, which bring their labels with them."""
    for axis in ("head", "layer"):
        maps = maps if axis in maps.dims else maps.expand_dims(axis)
    if set(maps.dims) != {"layer", "head", "query", "key"}:
        raise OptionError(f"the maps have the axes {maps.dims}; expected layer, head, query and key")
    maps = maps.transpose("layer", "head", "query", "key")
    query, key = (_labelled_axis(maps, inputs, name) for name in ("query", "key"))
    key, values = (_with_rest(key), _whole(maps)) if LEFT in maps.coords else (key, maps.values)
    sheets = [
        Sheet(int(layer), [int(maps["head"][place]) for place in there], weights[there])
        for layer, weights in zip(maps["layer"].values, values, strict=True)
        # Heads that this layer lacks and others have are NaN throughout.
        for there in [np.flatnonzero(~np.isnan(weights).all(axis=(1, 2)))]
    ]
    stack = maps.attrs.get("stack") or _stack_of(sheets)
    return Look(str(maps.attrs.get("model", "")), [StackMaps(stack, query, key, sheets)])


def _with_rest(key: Axis) -> Axis:
    """Keys behind one that stands for those which are hidden."""
    second = None if key.second is None else key.second + 1
    words = [0, *(word + 1 for word in key.words)]
    return Axis([REST, *key.pieces], words, [REST, *key.names], [True, *key.special], second)


def _whole(maps: xr.DataArray) -> np.ndarray:
    """Weights as they were before their rows were rescaled, behind what lies on hidden keys."""
    rows = maps.isel(key=0, drop=True)
    left = maps[LEFT].broadcast_like(rows).transpose(*rows.dims).values[..., None]
    shown = maps.values * left if _hiding(maps) == "renormalised" else maps.values
    return np.concatenate([1 - left, shown], axis=-1)


def _hiding(maps: xr.DataArray) -> Special:
    """How tokens of maps are hidden; xarray forgets attributes when it computes."""
    return "renormalised" if maps.attrs.get("special") == "renormalised" else "hidden"


def _labelled_axis(maps: xr.DataArray, inputs: ViewInputs, name: str) -> Axis:
    """The tokens that were given, else the labels, which are readable already."""
    if inputs.tokens is None:
        return axis_of(maps[name].values.tolist(), pretty=False, second=inputs.sentence_b_start)
    return inputs.axis(inputs.tokens, maps.sizes[name], 0, name)


def _stack_of(sheets: list[Sheet]) -> Stack:
    """A decoder's, where no token of a longer text looks at a later one; else an encoder's."""
    ahead = any(np.triu(np.nan_to_num(sheet.weights), k=1).any() for sheet in sheets)
    return "encoder" if ahead or sheets[0].weights.shape[-1] == 1 else "decoder"
