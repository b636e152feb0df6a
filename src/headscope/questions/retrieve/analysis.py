"""How often each head finds a needle: Wu et al. 2024, retrieval score.

While the model writes the secret down, a head hits a token of it where its strongest key is that token in the
needle and the token produced is the same; each token of the secret counts once. The score is the share of the
secret's tokens that are hit, so that it is never above 1 (the published code counts a token as often as it is
hit). How much of a secret was found is the share of its tokens that are produced (ROUGE-1 recall).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import torch
import xarray as xr

from headscope.analyses.analysis import Setting, Tallies
from headscope.attention import Ablate, Heard, Listener, Site
from headscope.attention.listen import Need
from headscope.heads import Head
from headscope.models import Sides
from headscope.tallies import Rows, Tally
from headscope.tasks.stepping import written_on
from headscope.text import Segment


class Retrieval:
    """The analysis; off: heads that the model is run without, of which none is then scored."""

    name = "retrieval"

    def __init__(self, off: Sequence[Head] = ()) -> None:
        self.off = tuple(off)

    def work(self, setting: Setting) -> RetrievalWork:
        return RetrievalWork(setting, self.off)

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """Over `trial`: `recall` and `document`; with `head`, `hits`."""
        tally = tallies["trials"]
        assert isinstance(tally, Rows)
        rows = tally.result()
        data = {
            "hits": (("trial", "head"), rows[:, 1:]),
            "recall": ("trial", rows[:, 0]),
            "document": ("trial", tally.documents()),
        }
        return xr.Dataset(data, coords=setting.coordinates())


class RetrievalWork:
    """Writes behind each text by itself."""

    def __init__(self, setting: Setting, off: Sequence[Head]) -> None:
        self.setting, self.off = setting, off
        self.tally = Rows((1 + len(setting.chosen()),))
        self.tallies: Tallies = {"trials": self.tally}

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self.segments = sides.segments

    def end(self, documents: Sequence[str]) -> None:
        self.tally.update(documents, np.stack([self._row(segment) for segment in self.segments]))

    def _row(self, segment: Segment) -> np.ndarray:
        """Recall, then the score of each head."""
        places = np.flatnonzero(segment.word >= 0)
        top, model = TopKeys(), self.setting.model
        hits = np.zeros((len(self.setting.chosen()), len(places)), bool)

        def stepped(piece: int) -> None:
            keys = np.concatenate(
                [top.keys[site][self.setting.indices(site)] for site in self.setting.sites()]
            )
            hit = (keys[:, None] == places) & (segment.pieces[places] == piece)
            np.logical_or(hits, hit, out=hits)

        edits = [Ablate(self.off)] if self.off else []
        ids = torch.as_tensor(segment.pieces)
        written = written_on(model, ids, len(places), [top], edits, stepped)
        return np.concatenate([[recall(segment.pieces[places].tolist(), written)], hits.mean(1)])


class TopKeys:
    """Keeps the strongest key of every head, (head,) by site, for the last row that it heard."""

    needs: Need = "rows"

    def __init__(self) -> None:
        self.keys: dict[Site, np.ndarray] = {}

    def hear(self, heard: Heard) -> None:
        self.keys[heard.site] = heard.weights[0, :, -1].argmax(-1).cpu().numpy()


def recall(wanted: Sequence[int], written: Sequence[int]) -> float:
    """The share of wanted pieces that are written, each as often as it is wanted.

    >>> recall([7, 7, 8, 9], [7, 8, 8, 3])
    0.5
    """
    both = Counter(wanted) & Counter(written)
    return sum(both.values()) / len(wanted)
