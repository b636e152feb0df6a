"""Which device a process takes."""

from __future__ import annotations

import pytest
import torch

from headscope.models.devices import device_here


@pytest.fixture
def four_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as torch's counting goes: none is used."""
    monkeypatch.setattr("torch.cuda.device_count", lambda: 4)
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("headscope.models.devices._check", lambda device: None)


@pytest.mark.parametrize(
    ("member", "device"),
    [("", "cuda"), ("0", "cuda:0"), ("5", "cuda:1"), ("node-3", "cuda:3"), ("tcp://10.0.0.1:3456", "cuda")],
)
@pytest.mark.parametrize("asked", ["cuda", "auto"])
def test_members_share_gpus(member: str, device: str, asked: str, four_gpus: None) -> None:
    assert device_here(asked, member) == device
    assert device_here("cuda:2", member) == "cuda:2"
    assert device_here("cpu", member) == "cpu"


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device here")
def test_auto_without_a_gpu() -> None:
    assert device_here("auto", "node-1") == "cpu"
