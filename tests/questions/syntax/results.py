"""Results of syntax made by hand, of any number of relations and heads."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

from headscope.results.result import Result
from tests.questions.survey.results import build_heads

READINGS = ["dep->head", "head<-dep", "head->dep"]
SENTENCE = ["[CLS]", "she", "fed", "the", "cat", "[SEP]"]


def build_relations(names: list[str], random: np.random.Generator) -> pd.DataFrame:
    """The best heads of relations, the most frequent first; those at even places are found."""
    count = len(names)
    accuracy = np.round(random.uniform(0.3, 0.8, count), 3)
    return pd.DataFrame(
        {
            "relation": names,
            "words": np.arange(count, 0, -1) * 100,
            "head": ["L0H1" if place % 3 == 2 else "L1H0" for place in range(count)],
            "other_head": "L1H0",
            "reading": "dep->head",
            "other_reading": "dep->head",
            "accuracy": accuracy,
            "low": accuracy - 0.05,
            "high": accuracy + 0.05,
            "offset_accuracy": 0.25,
            "same_data_head": "L1H0",
            "same_data_reading": "dep->head",
            "same_data_accuracy": accuracy + 0.04,
            "twin": 0.1,
            "found": [place % 2 == 0 and name != "all" for place, name in enumerate(names)],
        }
    )


def build_scores(stacks: dict[str, list[int]], names: list[str], random: np.random.Generator) -> xr.Dataset:
    """How often each head of a survey's stacks is right, for each relation and reading."""
    places = build_heads(stacks)[["stack", "layer", "index"]]
    dims = ("head", "relation", "reading")
    size = (places.sizes["head"], len(names), len(READINGS))
    offsets = np.full((2, *size[1:]), 0.25)
    return xr.Dataset(
        {
            "accuracy": (dims, random.uniform(0.0, 0.6, size)),
            "offset_accuracy": (("offset", *dims[1:]), offsets),
        },
        coords={**places.coords, "relation": names, "reading": READINGS, "offset": [-1, 1]},
    ).drop_vars(["other", "target", "distance", "key", "kind", "origin"], errors="ignore")


def build_sentences(labels: list[tuple[str, str, str]]) -> xr.Dataset:
    """A sentence for each relation, head and reading: 'cat' is asked, 'fed' is right; the last row is NaN."""
    size = len(SENTENCE) + 1
    weights = np.full((len(labels), size, size), np.nan)
    weights[:, :-1, :-1] = 0.1 / 5
    weights[:, :-1, -2] = 0.9
    weights[:, 4, :-1] = [0.1, 0.0, 0.8, 0.0, 0.0, 0.1]
    arc = np.full((len(labels), size), -1)
    arc[:, 4] = 2
    special = np.tile([True, False, False, False, False, True, False], (len(labels), 1))
    dims = ("example", "query")
    return xr.Dataset(
        {
            "weights": ((*dims, "key"), weights),
            "arc": (dims, arc),
            "special": (dims, special),
            "word": (dims, np.tile(np.array([*SENTENCE, ""], object), (len(labels), 1))),
        },
        coords={
            name: ("example", [label[place] for label in labels])
            for place, name in enumerate(("relation", "head", "reading"))
        },
    )


def build_syntax(
    relations: int = 7, stacks: dict[str, list[int]] | None = None, sentences: int = 2
) -> Result:
    """Build a syntax's result; by default 7 relations and their sum for 2 layers of 3 heads."""
    random = np.random.default_rng(2)
    names = ["all", *(f"rel{place}" for place in range(1, relations + 1))]
    table = build_relations(names, random)
    published = pd.DataFrame({"ours": ["rel1"], "published": [90.0]})
    scores = build_scores(stacks or {"encoder": [3, 3]}, names, random)
    head = str(scores["head"].values[0])
    labels = [(name, head, "dep->head") for name in names[1:] for _ in range(sentences)]
    return Result(
        "syntax",
        {"relations": scores, "relation_examples": build_sentences(labels)},
        {"relations": table, "published": published},
    )
