"""Some documents of a corpus: by a test, or texts held out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from headscope.blocks import number_of
from headscope.errors import InputError
from headscope.text.corpus import Corpus
from headscope.text.documents import Document


def some_of(corpus: Corpus, keep: Callable[[Document], bool]) -> Corpus:
    """The documents that are to be kept, of the same source."""
    return corpus.derived(lambda: filter(keep, corpus))


def hold_out(corpus: Corpus, texts: np.ndarray, share: float) -> tuple[Corpus, Corpus]:
    """Split a corpus: what is left to train on, and a share of its texts.

    texts: (document,) the number of each document's text (`number_of`). Which ones are held out depends on
    the texts alone, and equal texts go together, so that none is on both sides.
    """
    different = np.unique(texts)
    count = max(1, round(share * len(different)))
    if count >= len(different):
        raise InputError(
            f"{corpus.source}: {len(different)} different texts are too few to hold {share:.0%} out; give "
            "more, or other data to choose the weights with (--dev)"
        )
    held = frozenset(different[:count].tolist())
    return (
        some_of(corpus, lambda document: number_of(document.text) not in held),
        some_of(corpus, lambda document: number_of(document.text) in held),
    )
