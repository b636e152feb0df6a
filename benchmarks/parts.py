"""The parts of the evidence, in the order of the page. To add one: a module here, and a line in `PARTS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from benchmarks.rows import Row

PARTS = (
    "speed",
    "memory",
    "cluster",
    "long_input",
    "figure3",
    "decoders",
    "learned_induction",
    "retrieving",
    "nulls",
    "syntax",
    "structure",
    "learned_trees",
    "explanations",
    "trust",
    "trusted_encoder",
    "trusted_language",
    "trusted_nets",
    "adversary",
    "adversary_sst",
    "adversary_encoder",
    "coreference",
    "probes",
    "layers",
    "sentences",
    "keywords",
    "remembering",
    "ablation",
    "pruning",
    "tasks",
    "nets",
    "chunker",
    "han",
    "translation",
    "translator",
    "alignment",
    "families",
    "peers",
)


@dataclass(frozen=True)
class Part:
    """What a module says of itself: `TITLE`, `SAYS`, `DATA`, `REDUCED` and `run`.

    says: how it measures. data: names of the files that it reads (`benchmarks.data`). run: gives its rows.
    reduced: keywords of `run` for a short run, whose limits a busy machine keeps too.
    """

    name: str
    title: str
    says: str
    data: tuple[str, ...]
    run: Callable[..., list[Row]]
    reduced: dict[str, Any]


def load(name: str) -> Part:
    """A part by the name of its module, imported only now."""
    module = import_module(f"benchmarks.{name}")
    return Part(name, module.TITLE, module.SAYS, module.DATA, module.run, module.REDUCED)
