"""How much words should look at others, in the last column of CoNLL-U: `Attend=2:0.5,4:0.5`."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose

from headscope.text.lines import Place

_FIELD = "Attend="
_EXAMPLE = "such as Attend=2:0.5,4:0.5"


def parse_looks(places: Sequence[Place], miscs: Sequence[str]) -> list[tuple[int, int, float]]:
    """Of each word with such a field, the words it should look at and how much, each counted from 0.

    places, miscs: of the words of a sentence. The shares of a word must sum to 1.
    """
    looks: list[tuple[int, int, float]] = []
    for word, (place, misc) in enumerate(zip(places, miscs, strict=True)):
        value = next((part for part in misc.split("|") if part.startswith(_FIELD)), None)
        if value is None:
            continue
        shares = dict(_parse(place, pair, len(places)) for pair in value.removeprefix(_FIELD).split(","))
        total = sum(shares.values())
        if not isclose(total, 1, abs_tol=1e-3):
            raise place.error(f"the distribution of word {word + 1} sums to {total:g}, but must sum to 1")
        looks += [(word, other, share / total) for other, share in sorted(shares.items()) if share > 0]
    return looks


def _parse(place: Place, pair: str, words: int) -> tuple[int, float]:
    number, _, share = pair.partition(":")
    try:
        other, weight = int(number), float(share)
    except ValueError:
        raise place.error(f"words and shares are expected, {_EXAMPLE}, not '{pair[:60]}'") from None
    if not 1 <= other <= words:
        raise place.error(f"the distribution names word {other}, but its sentence has {words} words")
    if not 0 <= weight <= 1 + 1e-3:
        raise place.error(f"a share from 0 to 1 is expected, {_EXAMPLE}, not '{share[:60]}'")
    return other - 1, weight
