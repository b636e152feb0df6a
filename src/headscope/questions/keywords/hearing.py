"""What each word receives from each head, and what the layers hold of it: one pass over the texts.

Windows are segments of running text. Special tokens and punctuation neither look nor are looked at here: most
heads rest on them. Everything is kept word by word, in 16 bits, in shards on disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.analyses.hidden_states import Units, of_words
from headscope.attention import Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.blocks import number_of
from headscope.measures.received import received
from headscope.models import Sides
from headscope.models.states import hidden_states
from headscope.tallies import Rows, Tally
from headscope.tallies.hidden import Hidden, HiddenTally
from headscope.text.keyphrases import is_punctuation

KEPT = ("sum", "max", "samrank")
"""What is kept of each head and word: attention received in all, most from one word, and SAMRank's score."""

_PRECISION = np.dtype(np.float16)


class Received:
    """The analysis: it only gathers. layers: whose hidden states are kept too, 0 the embeddings; dim: their
    size."""

    name = "received"

    def __init__(self, layers: Sequence[int] = (), dim: int = 0) -> None:
        self.layers, self.dim = tuple(layers), dim

    def work(self, setting: Setting) -> ReceivedWork:
        return ReceivedWork(setting, self)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Nothing but the labels: what was heard stays in its shards."""
        return xr.Dataset(coords=setting.coordinates())


class ReceivedWork:
    """Runs the model itself, so that one pass gives both maps and hidden states."""

    needs: Need = "map"

    def __init__(self, setting: Setting, asked: Received) -> None:
        self.setting, self.asked, self.sites = setting, asked, setting.sites()
        self.received = HiddenTally((len(KEPT), 1, len(setting.chosen())), _PRECISION)
        self.hidden = HiddenTally((1, len(asked.layers), asked.dim), _PRECISION)
        self.places = Rows((1,))
        self.tallies: Tallies = {"received": self.received, "places": self.places}
        if asked.layers:
            self.tallies["hidden"] = self.hidden

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self._sides, segments = sides, sides.segments
        size = sides.source.ids.shape[1]
        self._numbers = np.stack([_padded(segment.word, size, -2) for segment in segments])
        self._special = np.stack([_padded(segment.special, size, True) for segment in segments])
        words = max(len(segment.words) for segment in segments)
        looks = [~np.array([is_punctuation(word) for word in segment.words]) for segment in segments]
        self._looking = np.stack([_padded(own, words, False) for own in looks])
        self._heard: dict[Site, np.ndarray] = {}

    def hear(self, heard: Heard) -> None:
        if heard.site not in self.sites:
            return
        weights = self.setting.weights_of(heard)
        self._heard[heard.site] = received(weights, self._numbers, self._looking, self._special)

    def end(self, documents: Sequence[str]) -> None:
        model, segments = self.setting.model, self._sides.segments
        states: Sequence[torch.Tensor] = ()
        if self.asked.layers:
            states = hidden_states(model, self._sides.inputs, [self])
        else:
            with torch.no_grad(), model.attached([self]) as module:
                module(**self._sides.inputs)
        units = Units.of([of_words(segment) for segment in segments], segments, self._numbers.shape[1])
        about = self._about(units, documents)
        # (batch, head, kept, word) of each site to (batch, word, kept, head)
        heard = np.concatenate([self._heard[site] for site in self.sites], 1).transpose(0, 3, 2, 1)
        real = np.arange(heard.shape[1]) < units.sizes[:, None]
        vectors = heard[real][:, :, None].astype(_PRECISION)
        self.received.add(Hidden(vectors=vectors, **about))
        self.places.update(documents, np.array([[segment.first_word] for segment in segments], np.float64))
        if states:
            pooled = [self._pooled(units, states[layer]) for layer in self.asked.layers]
            self.hidden.add(Hidden(vectors=np.stack(pooled, 1)[:, None], **about))

    def _about(self, units: Units, documents: Sequence[str]) -> dict[str, Any]:
        return {
            "known": units.known,
            "sizes": units.sizes,
            "documents": np.array([number_of(document) for document in documents], np.uint64),
            "index": np.array([segment.index for segment in self._sides.segments], np.int32),
        }

    def _pooled(self, units: Units, states: torch.Tensor) -> np.ndarray:
        """(word, dim) of one layer's (batch, piece, dim); too large numbers become the largest there are."""
        flat = states.detach().flatten(0, 1).float().cpu()
        largest = float(np.finfo(_PRECISION).max)
        return units.pool(flat, "mean").clamp(-largest, largest).numpy().astype(_PRECISION)


def directions(setting: Setting) -> np.ndarray:
    """Which words see a word in each head, (head,): 0 all, 1 itself and later ones, 2 itself and earlier."""
    ways = [2 if site.stack == "sees_later" else int(site.causal) for site in setting.sites()]
    counts = [len(setting.indices(site)) for site in setting.sites()]
    return np.repeat(ways, counts)


def _padded(values: np.ndarray, size: int, filling: int | bool) -> np.ndarray:
    return np.pad(values, (0, size - len(values)), constant_values=filling)
