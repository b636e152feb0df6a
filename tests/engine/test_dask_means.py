"""On a cluster: mean outputs have the same bits, and a model is hashed once for all that is done with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import headscope
from headscope.engine.local import Local
from headscope.engine.running import running_on
from headscope.models import fingerprint
from headscope.results.folder import RunFolder
from tests.cli.labelled import save_model, write_texts


def test_mean_outputs(tiny: Path, on_cluster: None) -> None:
    texts = ["The old keeper wrote. He never sleeps.", "Every night, a ship."]
    there = headscope.mean_outputs(str(tiny), texts)
    with running_on(Local()):
        here = headscope.mean_outputs(str(tiny), texts)
    assert there.keys() == here.keys() and all(torch.equal(there[head], here[head]) for head in here)


def test_a_model_is_hashed_once_for_all_its_plans(
    on_cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here, where it is sent from: its weights, its configuration and its tokenizer; of four plans."""
    hashed: list[tuple[bytes, ...]] = []
    sha256 = fingerprint.sha256

    def counting(*given: bytes) -> Any:
        hashed.append(given)
        return sha256(*given)

    monkeypatch.setattr(fingerprint, "sha256", counting)
    model, texts = save_model(tmp_path / "classifier"), write_texts(tmp_path / "test.tsv", 12)
    options = {"by": "mean", "train": write_texts(tmp_path / "train.tsv", 8, seed=1), "plots": False}
    parts: set[str] = set()
    part = RunFolder.part

    def noting(self: RunFolder, name: str) -> Any:
        parts.add(name)
        return part(self, name)

    monkeypatch.setattr(RunFolder, "part", noting)
    headscope.ablate(str(model), texts, out=tmp_path / "run", **options)
    assert parts >= {f"ablate/{name}" for name in ("means", "data", "train", "kept")}
    assert len(hashed) == 3
