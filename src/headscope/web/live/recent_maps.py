"""The maps of the latest looks, kept for the page, which asks for them layer by layer."""

from __future__ import annotations

from collections import OrderedDict
from secrets import token_urlsafe
from threading import Lock

from headscope.results.look import Look
from headscope.web.packing import layer_bytes

MOST_LOOKS = 16
MOST_BYTES = 256_000_000

Layers = dict[tuple[str, int], bytes]


class RecentMaps:
    """At most so many looks and bytes; those not asked for the longest go first, the newest always stays."""

    def __init__(self, looks: int = MOST_LOOKS, size: int = MOST_BYTES) -> None:
        self._looks, self._size = looks, size
        self._layers: OrderedDict[str, Layers] = OrderedDict()
        self._lock = Lock()

    def add(self, look: Look) -> str:
        """Keep the maps of a look, one byte a weight; return the id to ask for them."""
        layers: Layers = {
            (maps.stack, sheet.layer): layer_bytes(sheet) for maps in look.stacks for sheet in maps.sheets
        }
        id = token_urlsafe(12)
        with self._lock:
            self._layers[id] = layers
            while len(self._layers) > 1 and self._is_too_much():
                self._layers.popitem(last=False)
        return id

    def layer(self, id: str, stack: str, layer: int) -> bytes | None:
        """The maps (head, query, key) of one layer, None if they are not kept."""
        with self._lock:
            if id not in self._layers:
                return None
            self._layers.move_to_end(id)
            return self._layers[id].get((stack, layer))

    def _is_too_much(self) -> bool:
        size = sum(len(content) for layers in self._layers.values() for content in layers.values())
        return len(self._layers) > self._looks or size > self._size
