"""Heads as treebanks write them, checked to make one tree per sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headscope.text.layers import ROOT
from headscope.text.lines import Place
from headscope.text.readers.blocks import parse_number


def parse_heads(places: Sequence[Place], texts: Sequence[str]) -> np.ndarray:
    """Read the heads of one sentence, counted from 1 with 0 for the root; the answer is (word,), from 0.

    ``places`` holds the line of each word, for the errors.

    >>> parse_heads([Place("a.conllu", 1), Place("a.conllu", 2)], ["2", "0"])
    array([ 1, -1])
    """
    numbers = [parse_number(place, "a head", text) for place, text in zip(places, texts, strict=True)]
    heads = np.array(numbers, dtype=np.int64) - 1
    fault = _find_fault(heads)
    if fault is not None:
        word, problem = fault
        raise places[word].error(problem)
    return heads


def _find_fault(heads: np.ndarray) -> tuple[int, str] | None:
    """A word that keeps the heads from being a tree, and why."""
    size = len(heads)
    beyond, own = _places(heads >= size), _places(heads == np.arange(size))
    roots = _places(heads == ROOT)
    if beyond:
        problem = (
            f"head {heads[beyond[0]] + 1} of word {beyond[0] + 1} is outside its sentence of {size} words"
        )
        return beyond[0], problem
    if own:
        return own[0], f"word {own[0] + 1} is its own head"
    if not roots:
        return 0, "no word of this sentence is the root; one must have head 0"
    if len(roots) > 1:
        return roots[1], f"word {roots[1] + 1} is a second root; word {roots[0] + 1} is one already"
    looping = _find_cycle(heads)
    if looping is not None:
        return looping, f"word {looping + 1} depends on itself, through the words that it depends on"
    return None


def _places(where: np.ndarray) -> list[int]:
    return np.flatnonzero(where).tolist()


def _find_cycle(heads: np.ndarray) -> int | None:
    """The first word that its own head depends on."""
    size = len(heads)
    above = np.append(np.where(heads == ROOT, size, heads), size)
    for _ in range(size.bit_length()):
        above = above[above]  # twice as far up as before: in the end above every root, or within a cycle
    looping = above[above < size]
    return int(looping.min()) if looping.size else None
