"""LoRA adapters: a folder that names its base, or a base and an adapter."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from headscope.attention import Recorder
from headscope.models import Model, load

peft = pytest.importorskip("peft")


@pytest.fixture(scope="module")
def adapter(saved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter of the queries of the saved model that changes them by much."""
    import transformers as tf

    torch.manual_seed(3)
    base = tf.BertForMaskedLM.from_pretrained(saved)
    adapted = peft.get_peft_model(base, peft.LoraConfig(r=2, target_modules=["query"], lora_alpha=8))
    with torch.no_grad():
        for name, parameter in adapted.named_parameters():
            if "lora_B" in name:
                parameter.normal_()
    folder = tmp_path_factory.mktemp("adapters") / "lora"
    adapted.save_pretrained(folder)
    return folder


def maps_of(model: Model) -> dict[int, torch.Tensor]:
    recorder = Recorder()
    with torch.no_grad(), model.attached([recorder]) as module:
        module(input_ids=torch.arange(5, 13)[None])
    return {site.layer: maps[0] for site, maps in recorder.maps.items()}


def by_hand(saved: Path, adapter: Path) -> torch.Tensor:
    """The first layer's map with the adapter's matrices added to the query weights."""
    from safetensors.torch import load_file

    base = load(saved)
    state = load_file(adapter / "adapter_model.safetensors")
    with torch.no_grad():
        for layer, block in enumerate(base.module.bert.encoder.layer):
            prefix = f"base_model.model.bert.encoder.layer.{layer}.attention.self.query"
            change = state[f"{prefix}.lora_B.weight"] @ state[f"{prefix}.lora_A.weight"]
            block.attention.self.query.weight += change * 8 / 2
    return maps_of(base)


def test_the_folder_names_its_base(saved: Path, adapter: Path) -> None:
    model = load(adapter)
    assert model.name == "lora"
    adapted, plain, expected = maps_of(model), maps_of(load(saved)), by_hand(saved, adapter)
    for layer in (0, 1):
        assert not torch.allclose(adapted[layer], plain[layer], atol=1e-2)
        assert torch.allclose(adapted[layer], expected[layer], atol=1e-5)


def test_base_and_adapter(saved: Path, adapter: Path) -> None:
    model = load(saved, adapter=adapter)
    assert all(
        torch.equal(one, two)
        for one, two in zip(maps_of(model).values(), maps_of(load(adapter)).values(), strict=True)
    )


def test_adapter_and_base_have_other_fingerprints(saved: Path, adapter: Path) -> None:
    from headscope.models.fingerprint import fingerprint

    assert fingerprint(load(saved).module) != fingerprint(load(adapter).module)


def test_without_peft(saved: Path, adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from headscope.errors import ModelError

    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(ModelError, match=r"adapters need peft; run pip install 'headscope\[adapters\]'"):
        load(saved, adapter=adapter)
