"""What cannot be loaded is refused with a sentence that says what to do, never with a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from socket import socket

import pytest

from headscope.errors import ModelError, OptionError
from headscope.models import load
from tests.models.conftest import tiny_bert


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)


def test_a_module_without_its_tokenizer(wordpiece) -> None:
    with pytest.raises(ModelError, match=r"give the tokenizer too: headscope.load\(module, tokenizer=...\)"):
        load(tiny_bert(wordpiece))


def test_a_tokenizer_that_is_not_there(wordpiece) -> None:
    with pytest.raises(ModelError, match=r"cannot load the model '/no/such/tokenizer'"):
        load(tiny_bert(wordpiece), "/no/such/tokenizer")


def test_an_unknown_name() -> None:
    with pytest.raises(
        ModelError, match=r"there is no folder nobody/no-such-model here, and no such model in the cache"
    ):
        load("nobody/no-such-model")


def test_a_name_that_no_hub_could_know() -> None:
    with pytest.raises(ModelError, match=r"no folder my model here, and it is no name that a hub could know"):
        load("my model")


def test_a_model_near_by_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs/net/models/seed-0").mkdir(parents=True)
    Path("runs/net/models/seed-0/config.json").touch()
    with pytest.raises(
        ModelError, match=r"no folder runs/net/model here.*; runs/net/models/seed-0 is a model"
    ):
        load("runs/net/model")


def test_a_hub_that_cannot_be_reached_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real connection that is refused: no loading, no second try."""
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    with socket() as closed:
        closed.bind(("127.0.0.1", 0))  # bound, and nobody listens
        hub = f"http://127.0.0.1:{closed.getsockname()[1]}/{{repo_id}}/{{revision}}/{{filename}}"
        monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub)
        with pytest.raises(
            ModelError, match=r"no folder no-such-model here, and the hub does not answer: .+"
        ):
            load("no-such-model")


@pytest.mark.parametrize("name", ["./no-such-folder", "/no/such/folder", "~/no-such-folder"])
def test_a_folder_that_is_not_there(name: str) -> None:
    with pytest.raises(ModelError, match=f"there is no folder {name}"):
        load(name)


def test_a_folder_without_a_configuration(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no config.json \(it holds nothing\)"):
        load(tmp_path)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(ModelError, match=r"is not a model: it has no config.json \(it holds notes.txt\)"):
        load(tmp_path)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "weights.bin"
    file.touch()
    with pytest.raises(ModelError, match=r"is a file; a model is a folder, a hub name or a .gguf file"):
        load(file)


def test_a_damaged_gguf_file(tmp_path: Path) -> None:
    file = tmp_path / "weights.gguf"
    file.write_bytes(b"GGUF, or so it says")
    with pytest.raises(ModelError, match=r"cannot load the model '.*weights.gguf'"):
        load(file)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"model_type": "no-such-type"}'])
def test_a_damaged_configuration(copy_of: Callable[[str], Path], content: str) -> None:
    folder = copy_of("broken")
    (folder / "config.json").write_text(content)
    with pytest.raises(ModelError, match=r"cannot load the model '.*broken'"):
        load(folder)


def test_damaged_weights(copy_of: Callable[[str], Path]) -> None:
    folder = copy_of("cut")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])
    with pytest.raises(ModelError, match=r"cannot load the model '.*cut'"):
        load(folder)


def test_no_weights(copy_of: Callable[[str], Path]) -> None:
    folder = copy_of("empty")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"cannot load the model '.*empty': .*model.safetensors"):
        load(folder)


def test_no_tokenizer_in_the_folder(copy_of: Callable[[str], Path], wordpiece) -> None:
    folder = copy_of("speechless")
    for file in folder.glob("*token*"):
        file.unlink()
    with pytest.raises(ModelError, match=r"or give one: load\(model, tokenizer=...\)$") as refused:
        load(folder)
    assert refused.value.text.endswith("speechless holds no tokenizer; save it there")
    assert len(load(folder, wordpiece).tokenizer) == len(wordpiece)


def test_weights_of_another_size(copy_of: Callable[[str], Path]) -> None:
    folder = copy_of("mismatch")
    config = json.loads((folder / "config.json").read_text())
    config["hidden_size"] = 24
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match=r"cannot load the model '.*mismatch'"):
        load(folder)


def test_a_damaged_adapter(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text("{")
    with pytest.raises(ModelError, match=str(tmp_path)):
        load(tmp_path)
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"does not say which model it adapts"):
        load(tmp_path)


def test_an_unknown_type_of_numbers(saved: Path) -> None:
    with pytest.raises(
        OptionError, match=r"unknown dtype 'float8'; one of float32, float16, bfloat16, float64"
    ):
        load(saved, dtype="float8")


@pytest.mark.parametrize("device", ["cuda", "nonsense"])
def test_a_device_that_cannot_be_used(saved: Path, device: str) -> None:
    import torch

    if device == "cuda" and torch.cuda.is_available():
        pytest.skip("there is a CUDA device here")
    with pytest.raises(OptionError, match=f"device '{device}' cannot be used here: .+"):
        load(saved, device=device)
