"""Sets of words taken away from the texts of answers, each set once, whichever order led there."""

from __future__ import annotations

import numpy as np
import torch

from headscope.explainers.removal import judged_without
from headscope.questions.trust.answering import Answered


class Without:
    """What is answered without sets of words; it remembers what it has asked."""

    def __init__(self, answered: Answered, removal: str) -> None:
        self.asked, self.words, self.removal = answered.asked, answered.words, removal
        self.real = self.words.real.cpu().numpy()  # (answer, word)
        self._known: list[dict[bytes, tuple[float, int]]] = [{} for _ in self.real]

    def __call__(self, sets: np.ndarray, wanted: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Probability of each answer without sets of words, and what is answered then; (answer, set) each.

        sets: bool (answer, set, word). wanted: bool (answer, set), all by default; NaN and -1 elsewhere.
        """
        sets = sets & self.real[:, None]
        wanted = np.ones(sets.shape[:2], bool) if wanted is None else wanted
        names = [[name.tobytes() for name in answer] for answer in np.packbits(sets, axis=2)]
        self._ask(sets, wanted, names)
        chances, decisions = np.full(sets.shape[:2], np.nan), np.full(sets.shape[:2], -1)
        for answer, places in enumerate(wanted):
            for place in np.flatnonzero(places):
                chances[answer, place], decisions[answer, place] = self._known[answer][names[answer][place]]
        return chances, decisions

    def _ask(self, sets: np.ndarray, wanted: np.ndarray, names: list[list[bytes]]) -> None:
        """Run the texts without those sets that are not known yet."""
        new: list[dict[bytes, int]] = [
            {names[answer][place]: place for place in np.flatnonzero(places).tolist()}
            for answer, places in enumerate(wanted)
        ]
        for known, own in zip(self._known, new, strict=True):
            for name in own.keys() & known.keys():
                del own[name]
        most = max(map(len, new), default=0)
        if not most:
            return
        gone, asks = np.zeros((len(new), most, sets.shape[2]), bool), np.zeros((len(new), most), bool)
        for answer, own in enumerate(new):
            gone[answer, : len(own)], asks[answer, : len(own)] = sets[answer, list(own.values())], True
        device = self.asked.texts.device
        pieces = self.words.pieces(torch.from_numpy(gone).to(device))
        judged = judged_without(self.asked, pieces, self.removal, torch.from_numpy(asks).to(device))
        chances, decisions = judged.likelihood.exp().tolist(), judged.decision.tolist()
        for answer, own in enumerate(new):
            for number, name in enumerate(own):
                self._known[answer][name] = chances[answer][number], decisions[answer][number]
