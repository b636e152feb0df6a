"""Small models with batches of texts for the tests of adversary."""

from __future__ import annotations

from pathlib import Path

import torch

from headscope.explainers.given_attention import sites_in
from headscope.models import Model, Sides, load
from headscope.questions.adversary.hearing import Known
from headscope.tasks.batches import ExampleBatches
from headscope.tasks.data import open_task
from headscope.tasks.task import Task
from tests.cli.labelled import save_model, write_tags, write_texts
from tests.nets.made import save_pooled, save_tagger

KINDS = ("pooled", "tagger", "bert")
"""Attention of a text, attention through `attend`, attention through the registered function."""


SAVED = {"pooled": save_pooled, "tagger": save_tagger, "bert": save_model}


def made(kind: str, folder: Path) -> tuple[Model, Task, list[Sides]]:
    """A model, its task, and eight texts of different length in batches of four."""
    place, data = folder / kind, folder / ("tags.iob" if kind == "tagger" else "texts.tsv")
    if not place.exists():
        SAVED[kind](place)
    if not data.exists():
        (write_tags if kind == "tagger" else write_texts)(data, 8)
    model = load(place)
    opened = open_task(model, data)
    return model, opened.task, list(ExampleBatches(model, opened.task, opened.corpus, 32, 4))


def known(model: Model, prepared: list[Sides], room: int = 2**20) -> Known:
    return Known(model, sites_in(model, "all"), prepared, room)


def changed(model: Model, seed: int = 1) -> None:
    """Move all weights a little."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in model.module.parameters():
            weight.add_(0.3 * torch.randn_like(weight))


def longer(inputs: dict[str, torch.Tensor], more: int) -> dict[str, torch.Tensor]:
    """The same texts with more padding behind them."""
    return {name: torch.nn.functional.pad(tensor, (0, more)) for name, tensor in inputs.items()}
