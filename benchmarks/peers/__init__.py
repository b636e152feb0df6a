"""headscope beside other tools: views, statistics of heads over a text, and integrated gradients."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.corpus import DATA, source
from benchmarks.peers.decoder import decoder_rows
from benchmarks.peers.gradients import gradient_rows
from benchmarks.peers.plain import plain_rows
from benchmarks.peers.views import view_rows
from benchmarks.rows import Row, told
from benchmarks.timing import computing_with

__all__ = ["DATA", "REDUCED", "SAYS", "TITLE", "run"]

TITLE = "Other tools"
SAYS = (
    "BertViz, inseq, TransformerLens and captum as published, each installed in an environment of its own "
    "with the same torch and transformers, and a plain loop over `output_attentions` with numpy. They and "
    "headscope take turns in one run; each measures its own time on the processor, one thread, without "
    "loading; ratios are medians over turns. Peak memory is what the work adds to the loaded model, in a "
    "fresh process. Views show the same 72 maps of the embedded model. Statistics (entropy, offsets, the "
    "first token, special tokens) are computed by the same numpy code from the maps that a loop, "
    "TransformerLens or inseq give: by and by (batch by batch, or text by text), or after all maps were "
    "put together; ours are of `survey` without distances, which measures more than these. inseq gives no "
    "rows of the first word and of the last piece. Integrated gradients are of a classifier with an "
    "untrained head, with points of Gauss and Legendre; ours knows what its sum misses and adds points "
    "until it misses little."
)
REDUCED: dict[str, Any] = {"number": 16, "pieces": 64, "repeats": 3, "installed": False}


def run(
    number: int = 64,
    pieces: int = 128,
    repeats: int = 3,
    sizes: Sequence[int] = (32, 64, 128, 256),
    installed: bool = True,
) -> list[Row]:
    """All comparisons over so many segments; installed: also with tools in environments of their own.

    sizes: tokens of the texts that are viewed.
    """
    with computing_with(1), TemporaryDirectory(prefix="headscope-") as name:
        folder = Path(name)
        text = told("text", source())
        alone = plain_rows(number, pieces, repeats)
        if not installed:
            return [text, *alone]
        return [
            text,
            *view_rows(folder, sizes, repeats),
            *alone,
            *decoder_rows(folder, number, pieces, repeats),
            *gradient_rows(folder, repeats),
        ]
