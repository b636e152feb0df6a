"""DiSAN as a language model: it writes what its own logits say, and its blocks serve other tasks."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import headscope
from headscope.models import load
from headscope.tasks.generation import continued
from tests.cli.conftest import command
from tests.nets.made import save_causal


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_causal(tmp_path_factory.mktemp("nets") / "lm", size=4)


def test_it_writes_the_likeliest_piece_each_time(causal: Path) -> None:
    model = load(causal)
    ids = torch.tensor([[2, 3, 4]])
    made = continued(model, {"input_ids": ids, "attention_mask": torch.ones_like(ids)}, 3)
    for _ in range(3):
        ids = torch.cat([ids, model.module(ids).logits[:, -1:].argmax(-1)], 1)
    assert made.tolist() == ids.tolist()


def test_what_it_writes_is_shown_and_explained(causal: Path) -> None:
    shown = command("show", causal, "the old keeper", "--generate", "2", "--head", "L0H0")
    assert shown.code == 0, shown.err
    assert len(headscope.explain(causal, "the old keeper").tables)
