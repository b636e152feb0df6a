"""look: every map of one text, and what the model made of it, with all heads or some switched off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from headscope.attention import Ablate, Edit, Listener, Recorder
from headscope.errors import OptionError, choose_from
from headscope.heads import Named, Stack, check_numbers
from headscope.models import Model, load
from headscope.models.forecast import check_memory, forecast
from headscope.questions.maps.axes import axes_of
from headscope.questions.maps.inputs import Window, check_wishes, prepare, target_pieces, windows_of
from headscope.questions.maps.options import Options
from headscope.questions.maps.outputs import Reader, reader_for
from headscope.results.look import Look, Output, Sheet, StackMaps
from headscope.text import Segment

WINDOW = 512
"""Most pieces that are looked at together; a longer text is cut into windows."""

_ENDLESS = 10**9


@dataclass(frozen=True, kw_only=True)
class _Wish:
    """What is wanted of one window, checked against what the model has."""

    target: str | None
    generate: int
    off: Sequence[Named] = ()
    stacks: Sequence[Stack]
    layers: Sequence[int]
    heads: Sequence[int]
    output: bool = False

    @classmethod
    def of(cls, model: Model, **wish: Any) -> _Wish:
        Ablate(wish.get("off", ())).check(model.sites.sites)
        for stack in wish["stacks"]:
            if stack not in model.stacks():
                raise OptionError(choose_from("stack", stack, model.stacks()))
        sites = [site for stack in wish["stacks"] for site in model.sites_of(stack)]
        layers = check_numbers(wish.pop("layers"), 1 + max(site.layer for site in sites), "layer")
        heads = check_numbers(wish.pop("heads"), max(site.heads for site in sites), "head")
        return cls(layers=layers, heads=heads, **wish)


def look(
    model: Any,
    text: str,
    *,
    second: str | None = None,
    target: str | None = None,
    generate: int = 0,
    off: Sequence[Named] = (),
    window: int = 0,
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    stacks: Sequence[Stack] | None = None,
    output: bool = True,
) -> Look:
    """Run one text and keep its tokens, its maps and the model's output.

    second: the other text of a pair. target: what the decoder of an encoder-decoder reads. generate: how many
    pieces a decoder or encoder-decoder continues, with all its heads. off: heads whose output becomes zero;
    the maps are those of the model without them. window: which part of a text of more than 512 pieces.

    >>> seen = look("default", "Heads look.", off=["L1H3"])
    >>> seen.map("L4H8").key, seen.output.rows[0].label
    (['[CLS]', 'Heads', 'look', '.', '[SEP]'], 'mean of all pieces')
    """
    loaded = load(model)
    wish = _Wish.of(
        loaded, target=target, generate=generate, off=off, output=output,
        stacks=stacks or loaded.stacks(), layers=layers, heads=heads,
    )  # fmt: skip
    segment, windows, notes = cut_window(
        loaded, text, second=second, target=target, generate=generate, window=window
    )
    whole = _look_at(loaded, segment, wish)
    return replace(whole, window=window, windows=windows, notes=[*loaded.notes, *notes, *whole.notes])


def cut_window(
    model: Model, text: str, *, second: str | None, target: str | None, generate: int, window: int
) -> tuple[Segment, int, list[str]]:
    """A window of a text, how many it has, and what is to be said of that; options as `look` takes them."""
    check_wishes(model, target, generate)
    limit = min(WINDOW, _longest(model) - (generate if model.shape == "decoder" else 0))
    windows = windows_of(model, text, second, limit)
    segments = [cut for cut in windows if isinstance(cut, Segment)]
    if not 0 <= window < len(segments):
        raise OptionError(f"no window {window}: the text has windows 0 to {len(segments) - 1}")
    notes = [f"{cut.words} words are {cut.reason}" for cut in windows if not isinstance(cut, Segment)]
    if len(segments) > 1:
        notes.append(
            f"the text has {len(segments)} windows of at most {limit} pieces; each is run by itself, so no "
            "head looks from one into another"
        )
    segment = segments[window]
    if target is not None:
        pieces = target_pieces(model, target, limit)
        if len(pieces) > limit:
            notes.append(f"the target is cut off after {limit} pieces")
        segment = replace(segment, target=pieces[:limit])
    return segment, len(segments), notes


def look_whole(model: Model, options: Options, text: str) -> Look:
    """The maps of a text of any length that the model takes, without its output; a longer one is refused."""
    check_wishes(model, options.target, options.generate)
    stacks = [options.stack or model.stacks()[0]]
    wish = _Wish.of(
        model, target=options.target, generate=options.generate,
        stacks=stacks, layers=options.layers, heads=options.heads,
    )  # fmt: skip
    limit = _longest(model)
    segment, *more = windows_of(model, text, options.second, limit)
    if more or not isinstance(segment, Segment):
        raise OptionError(f"the text is longer than the {limit} pieces that the model takes")
    if options.target is not None:
        pieces = target_pieces(model, options.target, limit)
        if len(pieces) > limit:
            raise OptionError(f"the target is longer than the {limit} pieces that the model takes")
        segment = replace(segment, target=pieces)
    return _look_at(model, segment, wish)


def _longest(model: Model) -> int:
    return model.longest or _ENDLESS


def _look_at(model: Model, segment: Segment, wish: _Wish) -> Look:
    needed = forecast(model, len(segment), 1, distances=True, gradients=False, blockwise=False)
    check_memory(needed, f"Shorten the text (now {len(segment)} pieces)")
    window = prepare(model, segment, wish.target, wish.generate)
    recorder = Recorder(wish.layers, wish.heads)
    output = _run(model, window, recorder, wish)
    stacks = [_maps(model, stack, window, recorder, wish.heads) for stack in wish.stacks]
    return Look(model.name, stacks, output, notes=_told_written(model, window))


def _told_written(model: Model, window: Window) -> list[str]:
    """What the model wrote itself, as a note; its last piece was not read."""
    if not window.generated or window.wanted is None:
        return []
    return [f"written by the model itself: {model.tokenizer.decode(window.wanted).strip()}"]


def _run(model: Model, window: Window, recorder: Recorder, wish: _Wish) -> Output | None:
    """Record the maps of a pass without the heads that are off; say what changed from one with them."""
    reader = reader_for(model, window) if wish.output else None
    edits = [Ablate(wish.off)] if wish.off else []
    numbers = _pass(model, window, reader, [recorder], edits)
    if reader is None or numbers is None:
        return None
    if not edits:
        return reader.output(numbers, None)
    before = _pass(model, window, reader)
    assert before is not None
    return reader.output(before, numbers)


def _pass(
    model: Model,
    window: Window,
    reader: Reader | None,
    listeners: Sequence[Listener] = (),
    edits: Sequence[Edit] = (),
) -> torch.Tensor | None:
    """Run the model; what the reader keeps of its outputs, which may be large."""
    whole = reader is not None and reader.whole
    with torch.no_grad(), model.attached(listeners, edits, whole=whole) as module:
        outputs = module(**window.inputs)
    return None if reader is None else reader.read(outputs)


def _maps(model: Model, stack: Stack, window: Window, recorder: Recorder, heads: Sequence[int]) -> StackMaps:
    query, key = axes_of(model, stack, window.read, window.written, window.segment.types)
    sheets = []
    for site in model.sites_of(stack):
        for weights in recorder.maps.get(site, []):
            indices = [head for head in heads if head < site.heads]
            if indices:
                sheets.append(Sheet(site.layer, indices, weights[0].float().numpy()))
    return StackMaps(stack, query, key, sheets)
