"""Loading: every kind of model that is promised."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers as tf

from headscope.attention import Recorder
from headscope.heads import Head
from headscope.models import Model, load
from tests.models.conftest import tiny_bert


def first_map(model: Model) -> torch.Tensor:
    """The first layer's map of a few pieces."""
    recorder = Recorder()
    with torch.no_grad(), model.attached([recorder]) as module:
        module(input_ids=torch.arange(5, 13)[None].to(model.device))
    return next(iter(recorder.maps.values()))[0]


def test_a_folder(saved: Path, wordpiece) -> None:
    model = load(str(saved))
    assert type(model.module).__name__ == "BertForMaskedLM"
    assert (model.name, model.origin, model.shape, model.notes) == ("tiny-bert", str(saved), "encoder", [])
    assert model.stacks() == ["encoder"]
    assert [str(head) for head in model.heads()] == [f"L{n}H{i}" for n in range(2) for i in range(4)]
    assert model.label(Head("encoder", 1, 2)) == "L1H2"
    assert not model.module.training
    assert len(model.tokenizer) == len(wordpiece)
    state, expected = model.module.state_dict(), tiny_bert(wordpiece).state_dict()
    assert all(torch.equal(state[name], tensor) for name, tensor in expected.items())


def test_a_path_object_and_a_model_already_loaded(saved: Path) -> None:
    model = load(saved)
    assert load(model) is model


def test_a_module_with_its_tokenizer(wordpiece, saved: Path) -> None:
    module = tiny_bert(wordpiece)
    model = load(module, wordpiece)
    assert model.module is module and model.tokenizer is wordpiece
    assert model.origin == "memory" and model.name == "BertForMaskedLM"
    assert len(load(module, saved).tokenizer) == len(wordpiece), "a tokenizer may be named by its folder"
    assert torch.equal(first_map(model), first_map(load(saved)))


def test_a_module_in_training_is_heard_without_dropout_and_stays_in_training(wordpiece) -> None:
    module = tiny_bert(wordpiece).train()
    model = load(module, wordpiece)
    assert module.training
    assert torch.equal(first_map(model), first_map(load(tiny_bert(wordpiece), wordpiece)))
    assert module.training and all(part.training for part in module.modules())


def test_the_embedded_default() -> None:
    model = load()
    assert model.name == "all-MiniLM-L6-v2"
    assert len(model.heads()) == 72 and model.longest == 512


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [("float16", torch.float16), ("bfloat16", torch.bfloat16), ("float64", torch.float64)],
)
def test_a_type_of_numbers(saved: Path, dtype: str, expected: torch.dtype) -> None:
    model = load(saved, dtype=dtype)
    assert {parameter.dtype for parameter in model.module.parameters()} == {expected}
    assert torch.allclose(first_map(model).float(), first_map(load(saved)), atol=0.05)


def test_weights_the_checkpoint_lacks_are_told(copy_of: Callable[[str], Path], wordpiece) -> None:
    folder = copy_of("headless")
    config = json.loads((folder / "config.json").read_text())
    config["architectures"] = ["BertForSequenceClassification"]
    (folder / "config.json").write_text(json.dumps(config))
    (note,) = load(folder).notes
    assert note.startswith("the checkpoint lacks 4 weights, which are random: bert.pooler.dense.bias,")


def test_a_class_that_is_unknown_falls_back_to_the_plain_model(copy_of: Callable[[str], Path]) -> None:
    for name, architectures in (("unknown", ["NoSuchModel"]), ("odd", ["BertConfig"]), ("missing", None)):
        folder = copy_of(name)
        config = json.loads((folder / "config.json").read_text())
        config["architectures"] = architectures
        (folder / "config.json").write_text(json.dumps(config))
        assert type(load(folder).module).__name__ == "BertModel"


def test_code_in_a_folder_never_runs(copy_of: Callable[[str], Path]) -> None:
    folder = copy_of("with-code")
    trace = folder / "ran"
    code = (
        f"import pathlib; pathlib.Path({str(trace)!r}).touch()\nfrom transformers import BertModel as Evil\n"
    )
    (folder / "evil.py").write_text(code)
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {
        "AutoConfig": "evil.Evil",
        "AutoModel": "evil.Evil",
        "AutoModelForMaskedLM": "evil.Evil",
    }
    (folder / "config.json").write_text(json.dumps(config))
    tokenizer = json.loads((folder / "tokenizer_config.json").read_text())
    tokenizer["auto_map"] = {"AutoTokenizer": ["evil.Evil", "evil.Evil"]}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    assert type(load(folder).module).__name__ == "BertForMaskedLM"
    assert not trace.exists()


def test_the_shapes_of_models(wordpiece) -> None:
    vocabulary = {"vocab_size": len(wordpiece)}
    causal = tf.GPT2LMHeadModel(tf.GPT2Config(n_embd=16, n_layer=2, n_head=4, **vocabulary))
    both = tf.T5ForConditionalGeneration(
        tf.T5Config(
            d_model=16, d_kv=4, num_layers=2, num_heads=4, d_ff=20, decoder_start_token_id=0, **vocabulary
        )
    )
    assert load(causal, wordpiece).shape == "decoder"
    model = load(both, wordpiece)
    assert model.shape == "encoder-decoder"
    assert model.stacks() == ["encoder", "decoder", "cross"]
    assert model.label(Head("cross", 0, 1)) == "cross:L0H1"
    assert [site.layer for site in model.sites_of("cross", [1])] == [1]


def test_a_family_outside_the_shared_function(wordpiece) -> None:
    from tests.models.conftest import SIZES

    module = tf.MPNetForMaskedLM(tf.MPNetConfig(**SIZES, vocab_size=len(wordpiece))).eval()
    model = load(module, wordpiece)
    assert not model.shared_function and len(model.heads()) == 8
    assert first_map(model).shape == (1, 4, 8, 8)
