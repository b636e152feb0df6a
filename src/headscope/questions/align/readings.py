"""The ways in which links are read off cross-attention, by their names."""

from __future__ import annotations

WEIGHTS, NORMS = "weights", "norms"
MEASURES = (WEIGHTS, NORMS)

OUTPUT, INPUT = "output", "input"
TOKENS = (OUTPUT, INPUT)
"""At which step a target word is read: where the decoder writes it, or one later, where it is read in."""

ARGMAX, THRESHOLD, MOVED = "argmax", "threshold", "moved"
CHOICES = (ARGMAX, THRESHOLD)

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
MOVES = (-2, -1, 1, 2)
RULES = (
    ARGMAX,
    *(f"{THRESHOLD} {share:g}" for share in THRESHOLDS),
    *(f"{MOVED} {step:+d}" for step in MOVES),
)
"""The source word with most attention; all words with at least a share; the word so far beside the first."""

ANY = "any"
"""Where a measure, token or choice is chosen as well."""

UNITS = ("head", "layer")

GOLD, HMM, IBM1 = "gold", "HMM", "IBM 1"
BEST_FIXED = "best of diagonal and offsets"
"""Names of what links are held against, and of what stands beside the heads."""


def rules_of(choice: str) -> list[int]:
    """The numbers of the rules that a choice stands for.

    >>> rules_of(ARGMAX), len(rules_of(THRESHOLD))
    ([0], 7)
    """
    return [number for number, rule in enumerate(RULES) if rule.split()[0] == choice]
