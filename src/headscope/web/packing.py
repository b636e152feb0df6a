"""Bytes and texts as the page reads them: deflated, in base64; and what is told of a text as it travels."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from dataclasses import asdict
from typing import Any

from headscope.results.linked import LinkedMap
from headscope.results.look import Axis, Explanation, Look, MadeToken, Sheet
from headscope.results.plain import plain
from headscope.results.quantised import quantise
from headscope.web.look_wire import (
    ExplanationWire,
    HeadName,
    KnownLink,
    LayerWire,
    LinkedWire,
    LookWire,
    MadeWire,
    Packed,
    PartWire,
)
from headscope.web.rounding import all_rounded


def packed(content: bytes) -> Packed:
    """Deflate bytes and write them in base64; the same bytes always give the same text."""
    return b64encode(zlib.compress(content, 9)).decode("ascii")


def packed_json(value: Any) -> Packed:
    """A plain value as packed JSON."""
    return packed(_json(value).encode("ascii"))


def layer_bytes(sheet: Sheet) -> bytes:
    """The weights of a layer as one byte each, (head, query, key) in order."""
    return quantise(sheet.weights).tobytes()


def wired(look: Look, title: str = "", id: str | None = None) -> LookWire:
    """A look as it travels: with its maps packed into it, or, with an id, without them."""
    axes: list[Axis] = []
    parts = [
        PartWire(
            maps.stack,
            _place(axes, maps.query),
            _place(axes, maps.key),
            [
                LayerWire(sheet.layer, sheet.heads, None if id is not None else packed(layer_bytes(sheet)))
                for sheet in maps.sheets
            ],
        )
        for maps in look.stacks
    ]
    return LookWire(
        id, title, look.model, axes, parts, look.output, look.window, look.windows, list(look.notes)
    )


def wired_explanation(explanation: Explanation, most_answers: int | None = None) -> ExplanationWire:
    """An explained text as it travels: the first answers, or all."""
    answers = explanation.answers[:most_answers]
    count = len(answers)
    return ExplanationWire(
        explanation.title,
        explanation.model,
        explanation.axes,
        answers,
        explanation.ways,
        [[all_rounded(row) for row in way] for way in explanation.importance[:, :count].tolist()],
        explanation.seen[:count].tolist(),
        explanation.offered,
        explanation.notes,
        len(explanation.answers) - count,
    )


def wired_linked(verb: str, linked: LinkedMap) -> LinkedWire:
    """A map with known links as it travels."""
    weights = [all_rounded(row) for row in linked.weights.tolist()]
    links = [KnownLink(*link) for link in linked.links.tolist()]
    return LinkedWire(**{**vars(linked), "verb": verb, "weights": weights, "links": links})


def wired_made(made: MadeToken) -> MadeWire:
    """Which heads made a token, as it travels."""
    heads = [HeadName(str(head), head.stack, head.layer, head.index) for head in made.heads]
    direct, removed = (all_rounded(values.tolist()) for values in (made.direct, made.removed))
    return MadeWire(**{**vars(made), "heads": heads, "direct": direct, "removed": removed})


def as_json(value: Any) -> str:
    """A wire object as JSON that can stand inside a script element: no '<' is left in it."""
    return _json(asdict(value)).replace("<", "\\u003c")


def _json(value: Any) -> str:
    # In ASCII, which no page encoding can break and which holds half a surrogate pair too.
    return json.dumps(plain(value), allow_nan=False, separators=(",", ":"))


def _place(axes: list[Axis], axis: Axis) -> int:
    """Where an axis stands in the list, put there if it is new."""
    if axis not in axes:
        axes.append(axis)
    return axes.index(axis)
