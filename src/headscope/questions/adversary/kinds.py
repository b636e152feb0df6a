"""Words of adversary: kinds of models, what they look with, what is measured, what is claimed."""

from __future__ import annotations

ADVERSARY, SEED, CONTROL, FROZEN, BASE = "adversary", "other seed", "control", "frozen", "base"
"""What a model is: the one on trial is the base."""

OWN, EVEN, ITSELF, RANDOM, NONE = "own", "even", "itself", "random", "none"
CONTROLS = (EVEN, ITSELF, RANDOM, NONE)
"""Even attention, attention to the own piece, maps drawn once for a text, heads that hand nothing on."""

SAME, WORDS, MIXED, PLAIN = "same", "single words", "mixed words", "mixed words beside the own"
"""The nets that maps are given to: another of the same kind; for classifiers each word alone under one
attention (Wiegreffe and Pinter 2019); for taggers each word's vector mixed by the maps, without and with a
path for the word itself (Yang, Is Attention Points Out the Only Path?)."""

PLAINER = (WORDS, MIXED, PLAIN)
"""Nets of another kind than the model."""

OF_ANSWERS = ("score", "f1", "loss", "variation", "half_variation", "agreement")
OF_MAPS = ("jsd", "jsd_matched", "kl", "kl_matched", "tau", "top")
MEASURES = (*OF_ANSWERS, *OF_MAPS)
"""What is told of each model, in the order of the tables."""

SPREAD = ("score", "variation", "jsd", "jsd_matched", "kl")
"""Measures whose spread over models is told."""

ELSEWHERE = "another attention gives the same answers"
NEEDED = "the task needs learned attention"
NEEDED_BY_COPIES = "a copy of the model that is trained on needs learned attention"
CARRIES = "its maps help another net"
FALLS = "maps of adversaries help less, the higher the penalty"
REGIMES = "at one penalty there are two kinds of adversaries"
EMPTY = "collapsed adversaries score as nets whose attention says nothing"
