"""GGUF files: a tiny Llama written here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as tf
from torch import nn

import headscope
from headscope.attention import Recorder
from headscope.errors import ModelError, OptionError
from headscope.models import Model, load
from headscope.models.outline import outline
from headscope.models.twin import random_twin
from headscope.models.unpacked import cache_folder

gguf = pytest.importorskip("gguf")

NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


@pytest.fixture(scope="module")
def llama(wordpiece) -> nn.Module:
    torch.manual_seed(0)
    config = tf.LlamaConfig(
        vocab_size=len(wordpiece), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=4, intermediate_size=64, max_position_embeddings=64, initializer_range=0.4,
        tie_word_embeddings=False,
    )  # fmt: skip
    return tf.LlamaForCausalLM(config).eval()


@pytest.fixture(scope="module")
def file(llama: nn.Module, wordpiece, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    config = llama.config
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(config.vocab_size)
    for name, tensor in tensors_of(llama).items():
        writer.add_tensor(name, np.ascontiguousarray(tensor.detach().numpy()))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def tensors_of(llama: nn.Module) -> dict[str, torch.Tensor]:
    found = {
        "token_embd.weight": llama.model.embed_tokens.weight,
        "output_norm.weight": llama.model.norm.weight,
        "output.weight": llama.lm_head.weight,
    }
    for number, layer in enumerate(llama.model.layers):
        for ours, theirs in NAMES.items():
            weight = layer.get_submodule(ours).weight
            if theirs in ("attn_q", "attn_k"):
                weight = paired(weight, llama.config.num_attention_heads)
            found[f"blk.{number}.{theirs}.weight"] = weight
    return found


def paired(weight: torch.Tensor, heads: int) -> torch.Tensor:
    """The format rotates neighbouring rows together, transformers rows half a head apart."""
    return weight.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2)


def maps_of(model: Model) -> list[torch.Tensor]:
    recorder = Recorder()
    with torch.no_grad(), model.attached([recorder]) as module:
        module(input_ids=torch.arange(5, 13)[None])
    return [maps[0] for maps in recorder.maps.values()]


def test_a_file_gives_the_maps_of_the_model_it_was_written_from(
    file: Path, llama: nn.Module, wordpiece
) -> None:
    model = load(file, wordpiece)
    assert (model.name, model.shape, len(model.heads())) == ("tiny", "decoder", 8)
    for found, expected in zip(maps_of(model), maps_of(load(llama, wordpiece)), strict=True):
        assert torch.allclose(found, expected, atol=1e-4)


def test_a_file_without_a_tokenizer_wants_one(file: Path) -> None:
    with pytest.raises(ModelError, match=r"tiny\.gguf'|holds no tokenizer"):
        load(file)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_file_is_unpacked_once_to_the_same_bits(
    file: Path, wordpiece, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headscope.models.unpacked.LARGEST", 0)
    packed = load(file, wordpiece)
    assert not cache.exists(), "what is too large is not kept"
    monkeypatch.undo()
    monkeypatch.setenv("HEADSCOPE_CACHE", str(cache))
    first = load(file, wordpiece)
    (kept,) = (cache / "gguf").iterdir()
    written = (kept / "model.safetensors").stat().st_mtime_ns
    again = load(file, wordpiece)
    assert (kept / "model.safetensors").stat().st_mtime_ns == written
    for model in (first, again):
        assert (model.name, model.origin, model.notes) == ("tiny", str(file), packed.notes)
        weights = model.module.state_dict()
        assert all(torch.equal(weights[name], weight) for name, weight in packed.module.state_dict().items())


def test_an_unpacked_file_is_another_one_when_it_changes(
    file: Path, wordpiece, cache: Path, tmp_path: Path
) -> None:
    load(file, wordpiece)
    other = tmp_path / "other.gguf"
    other.write_bytes(file.read_bytes() + b"\0")
    load(other, wordpiece)
    assert len(list((cache / "gguf").iterdir())) == 2


def test_a_cache_that_cannot_be_written_is_done_without(file: Path, wordpiece, cache: Path) -> None:
    cache.write_text("a file in its place")
    assert load(file, wordpiece).name == "tiny"


def test_an_unpacked_file_can_be_saved_and_has_a_twin(
    file: Path, wordpiece, cache: Path, tmp_path: Path
) -> None:
    model = load(file, wordpiece)
    model.save(tmp_path / "saved")
    for found, expected in zip(maps_of(load(tmp_path / "saved")), maps_of(model), strict=True):
        assert torch.equal(found, expected)
    assert len(random_twin(model, 0).heads()) == 8


def test_a_broken_entry_of_the_cache_is_made_anew(file: Path, wordpiece, cache: Path) -> None:
    # Copied, since weights in memory may be the file itself.
    expected = {name: weight.clone() for name, weight in load(file, wordpiece).module.state_dict().items()}
    (kept,) = (cache / "gguf").iterdir()
    weights = kept / "model.safetensors"
    whole = weights.read_bytes()
    changed = whole[:-1] + bytes([whole[-1] ^ 1])
    for broken in (whole[:-100], changed, b"", None):
        if broken is None:
            weights.unlink()
        else:
            weights.write_bytes(broken)
        found = load(file, wordpiece).module.state_dict()
        assert all(torch.equal(found[name], weight) for name, weight in expected.items())
        assert weights.read_bytes() == whole
    (kept / "contents.json").write_text("[")
    load(file, wordpiece)
    assert sorted(json.loads((kept / "contents.json").read_text())) == sorted(
        file.name for file in kept.iterdir() if file.name != "contents.json"
    )


def test_a_broken_entry_that_cannot_be_replaced_is_not_loaded(
    file: Path, wordpiece, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {name: weight.clone() for name, weight in load(file, wordpiece).module.state_dict().items()}
    (kept,) = (cache / "gguf").iterdir()
    weights = kept / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))

    def refuse(**_: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr("headscope.models.unpacked.mkdtemp", refuse)
    found = load(file, wordpiece).module.state_dict()
    assert kept.exists() and all(torch.equal(found[name], weight) for name, weight in expected.items())


def test_the_cache_lies_where_the_user_keeps_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("HEADSCOPE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "headscope"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache/headscope"


def test_what_a_file_is_is_told_without_unpacking_it(
    file: Path, llama: nn.Module, wordpiece, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tokenizer is given by hand, since the tiny file holds none."""
    monkeypatch.setattr("headscope.models.outline.load_tokenizer", lambda *_: wordpiece)
    with monkeypatch.context() as whole:
        whole.setattr("headscope.models.unpacked._checksum", None)  # whoever reads all of it would fail
        told = headscope.info(file)
    assert not cache.exists()
    for wrong in ({"device": "gpu"}, {"dtype": "int3"}):
        with pytest.raises(OptionError, match=next(iter(wrong.values()))):
            outline(file, **wrong)
    expected = headscope.info(load(file, wordpiece))
    for table in ("facts", "analyses"):
        assert told.table(table).equals(expected.table(table))
    assert told.notes == expected.notes
    facts = dict(told.table("facts").itertuples(index=False))
    # Two layers: four matrices of 32 x 32, three of 32 x 64, two norms; words twice; the last norm.
    layer = 4 * 32 * 32 + 3 * 32 * 64 + 2 * 32
    assert facts["parameters"] == f"{2 * layer + 2 * len(wordpiece) * 32 + 32:,}"
    monkeypatch.setattr("headscope.models.unpacked.as_floats", None)  # whoever unpacks now would fail
    assert headscope.info(file).table("facts").equals(told.table("facts"))
