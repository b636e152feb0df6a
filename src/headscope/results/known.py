"""Tables that give heads roles for what they were found to know; a survey reads them (`--known`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from headscope.results.declaration import HEAD, Column, Declaration
from headscope.results.vocabulary import ROLES


class Known(NamedTuple):
    """Something that a head knows: its short name, how often the head is right, and how that was found."""

    head: str
    role: str
    name: str
    score: float
    rule: str


def known_frame(rows: Sequence[Known]) -> pd.DataFrame:
    """A row for each thing that a head knows.

    >>> known_frame([]).columns.tolist()
    ['head', 'role', 'name', 'score', 'rule']
    """
    return pd.DataFrame(rows, columns=Known._fields)


def says_known(name: str, score: str, unit: str = "") -> Declaration:
    """What such a table says about itself; name: what is known, score: how well."""
    return Declaration(
        "What heads were found to know",
        ("head", "name"),
        {
            "head": HEAD["head"],
            "role": Column("role for a survey", kind="note", levels=ROLES),
            "name": Column(name),
            "score": Column(score, unit, kind="note"),
            "rule": Column("the same in words"),
        },
    )
