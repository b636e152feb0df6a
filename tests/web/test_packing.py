"""Looks and texts as they travel: nothing is lost but the last digits of weights, nothing is run."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode

import numpy as np

from headscope.results.look import Axis, Look, Sheet, StackMaps
from headscope.results.quantised import restore
from headscope.web.packing import as_json, layer_bytes, packed, packed_json, wired
from headscope.web.report_wire import Fact
from headscope.web.wire import Page

READ = Axis(["[CLS]", "owls", "[SEP]"], [0, 1, 2], ["[CLS]", "owls", "[SEP]"], [True, False, True])
WRITTEN = Axis(["<s>", "Eulen"], [0, 1], ["<s>", "Eulen"], [True, False])


def unpacked(text: str) -> bytes:
    return zlib.decompress(b64decode(text))


def sheet(layer: int, queries: int, keys: int) -> Sheet:
    weights = np.random.default_rng(layer).dirichlet(np.ones(keys), (2, queries))
    return Sheet(layer, [0, 5], weights)


def look() -> Look:
    parts = [
        StackMaps("encoder", READ, READ, [sheet(0, 3, 3), sheet(1, 3, 3)]),
        StackMaps("cross", WRITTEN, READ, [sheet(0, 2, 3)]),
    ]
    return Look("tiny", parts, notes=["one note"])


def test_bytes_come_back() -> None:
    content = bytes(range(256)) * 3
    assert unpacked(packed(content)) == content
    assert json.loads(unpacked(packed_json({"a": [1, None, "é"]}))) == {"a": [1, None, "é"]}


def test_a_look_carries_its_maps_one_byte_a_weight() -> None:
    wire = wired(look(), "a title")
    layer = wire.parts[1].layers[0]
    sent = np.frombuffer(unpacked(layer.data or ""), np.uint8)
    assert sent.size == 2 * 2 * 3
    original = look().stacks[1].sheets[0].weights
    # Half a step of the root, 1/510, to both sides: (r + 1/510)^2 - r^2.
    assert (np.abs(restore(sent.reshape(2, 2, 3)) - original) <= np.sqrt(original) / 255 + 510.0**-2).all()


def test_an_axis_travels_once() -> None:
    wire = wired(look())
    assert wire.axes == [READ, WRITTEN]
    assert [(part.query, part.key) for part in wire.parts] == [(0, 0), (1, 0)]


def test_with_an_id_the_maps_stay_behind() -> None:
    wire = wired(look(), id="k3")
    assert wire.id == "k3"
    assert all(layer.data is None for part in wire.parts for layer in part.layers)
    assert layer_bytes(look().stacks[0].sheets[0]) == unpacked(wired(look()).parts[0].layers[0].data or "")


def test_text_cannot_end_the_script_element() -> None:
    hostile = "</script><script>alert(1)</script><!-- \u2028 \u202e \ud800"
    text = as_json(Fact(hostile, "x"))
    assert "<" not in text
    assert text.isascii()
    assert json.loads(text)["name"] == hostile


def test_a_page_is_plain_json() -> None:
    assert json.loads(as_json(Page("Title", "0"))) == {
        "title": "Title", "version": "0", "report": None, "live": None, "view": None,
    }  # fmt: skip
