"""Whether attention of a language model may be trusted: SmolLM2, for the next pieces of plain text."""

from __future__ import annotations

import subprocess
from math import isnan
from time import process_time
from typing import Any

import headscope
from benchmarks.data import DEMO, path
from benchmarks.rows import Row, at_least, told
from benchmarks.smollm2 import REQUIREMENT, gguf
from benchmarks.timing import computing_with
from headscope.results.result import Result

TITLE = "Trust: a language model"
SAYS = (
    "`headscope trust --quick` with SmolLM2-135M on the text that comes with headscope, cut into texts "
    "of 8 words, at two places of each, drawn at random: is the piece that the model would write next "
    "explained by its last layer's attention? Beside it stand attention x gradient, gradient x input and "
    "leave-one-out; other explanations, single heads and adversaries were left out, as they would take "
    "many times as long. One thread, in seconds on the processor."
)
DATA = (DEMO,)
POSITIONS, ANSWERS, WORDS = 100, 2, 8
REDUCED: dict[str, Any] = {"positions": 0}


def run(positions: int = POSITIONS) -> list[Row]:
    """All of it; none of no positions: the model is too large for a short run."""
    if not positions:
        return [told("SmolLM2-135M: not asked in a short run", "")]
    try:
        weights = gguf()
    except (OSError, subprocess.CalledProcessError) as error:
        return [told("SmolLM2-135M: not asked", f"cannot get {REQUIREMENT}: {error}")]
    with computing_with(1):
        model = headscope.load(str(weights))
        began = process_time()
        texts = texts_of(positions // ANSWERS)
        result = headscope.trust(model, texts, quick=True, answers=ANSWERS, limit=len(texts))
        seconds = process_time() - began
    return [*rows_of(result, positions), told("all of it, loading left out", seconds, "CPU s")]


def texts_of(count: int) -> list[str]:
    """The first texts of so many words, one after the other."""
    words = path(DEMO).read_text("utf-8").split()
    return [" ".join(words[start : start + WORDS]) for start in range(0, count * WORDS, WORDS)]


def rows_of(result: Result, positions: int) -> list[Row]:
    """What was asked, every explanation, and the card."""
    asked = result.table("answered").iloc[0]
    rows = [
        at_least("positions", int(asked["answers"]), "next pieces", positions),
        told("texts that they are in", int(asked["documents"])),
        told("mean probability of the piece that it would write", float(asked["probability"])),
        told("pieces that are those of the text", 100 * float(asked["right"]), "%"),
        told("words that can be taken away, mean", float(asked["words"])),
    ]
    rows += [explanation_row(one) for one in result.table("faithfulness").itertuples()]
    claims = result.table("claims")
    rows += [claim_row(claim) for claim in claims[claims["answers"] > 0].itertuples()]
    card = result.table("card").iloc[0]
    instead = [told("card: use instead", str(card["instead"]))] if card["instead"] else []
    return [*rows, told("card", str(card["summary"])), *instead]


def explanation_row(one: Any) -> Row:
    """What happens without the words that an explanation names."""
    tau = "" if isnan(one.tau) else f"; tau {one.tau:.3f} ({one.tau_low:.3f} to {one.tau_high:.3f})"
    both = f"{one.comprehensiveness:.3f} / {one.sufficiency:.3f}; AOPC {one.aopc:.3f}"
    return told(f"{one.explanation}: comprehensiveness / sufficiency", f"{both}{tau}")


def claim_row(claim: Any) -> Row:
    """A verdict with its numbers."""
    ends = f"{claim.value:.3f} ({claim.value_low:.3f} to {claim.value_high:.3f})"
    return told(claim.claim, f"{claim.verdict}: {ends}, held against {claim.baseline:.3f}")
