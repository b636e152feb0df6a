"""Names of methods, which rooms without torch must know."""

from __future__ import annotations

FREQUENCY, POSITION, IDF, TFIDF = "frequency", "first position", "IDF", "TF-IDF"
BASELINES = (FREQUENCY, POSITION, IDF, TFIDF)
"""Each is a score by itself; the regression over all of them also has the word's place and length."""

BEST_HEAD, ALL_BASELINES, MIX = "best head", "all baselines", "mix of heads"
BY_MEAN, BY_MAX, BY_BOTH = "heads, mean", "heads, max", "heads, mean and max"
WITH_BASELINES, STATES = "heads and baselines", "hidden states"
SKILL = "keyword skill"
"""The order in which heads go that find keywords least."""
