"""Task heads put on models: what is kept, what is drawn, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
import transformers as tf

from headscope.errors import ModelError
from headscope.heads import Head
from headscope.models import load
from headscope.models.pruning.removal import remove_heads
from headscope.models.task_heads import frozen_embeddings, save_model, with_head
from tests.models.conftest import SIZES, tiny_bert

LABELS = ["no", "perhaps", "yes"]


def test_the_weights_of_the_model_are_kept_and_the_head_is_drawn(saved: Path) -> None:
    before = load(saved)
    model, new = with_head(saved, "texts", LABELS)
    assert type(model.module).__name__ == "BertForSequenceClassification"
    assert new == [
        "bert.pooler.dense.bias",
        "bert.pooler.dense.weight",
        "classifier.bias",
        "classifier.weight",
    ]
    theirs, ours = before.backbone.state_dict(), model.backbone.state_dict()
    assert all(torch.equal(ours[name], weight) for name, weight in theirs.items())
    config = model.module.config
    assert config.id2label == dict(enumerate(LABELS)) and config.label2id["yes"] == 2
    assert model.module.classifier.weight.shape == (3, 16)
    assert (model.name, model.notes, len(model.heads())) == ("tiny-bert", [], 8)


def test_the_seed_draws_the_head_and_leaves_the_random_numbers_of_the_user(saved: Path) -> None:
    state = torch.get_rng_state()
    one, again, other = (with_head(saved, "pieces", LABELS, seed=seed).model.module for seed in (0, 0, 1))
    assert torch.equal(torch.get_rng_state(), state)
    assert type(one).__name__ == "BertForTokenClassification"
    assert torch.equal(one.classifier.weight, again.classifier.weight)
    assert not torch.equal(one.classifier.weight, other.classifier.weight)


def test_a_model_in_memory_is_copied(wordpiece) -> None:
    module = tiny_bert(wordpiece)
    with torch.no_grad():
        module.bert.embeddings.word_embeddings.weight += 1
    loaded = load(module, wordpiece)
    model, _ = with_head(loaded, "texts", LABELS)
    theirs = module.bert.embeddings.word_embeddings.weight
    ours = model.module.bert.embeddings.word_embeddings.weight
    assert torch.equal(ours, theirs) and ours.data_ptr() != theirs.data_ptr()
    assert model.origin == "memory" and model.tokenizer is wordpiece


def test_a_head_with_as_many_labels_is_kept_and_another_one_replaced(saved: Path, tmp_path: Path) -> None:
    first, _ = with_head(saved, "texts", LABELS)
    save_model(first, tmp_path / "first")
    kept, new = with_head(tmp_path / "first", "texts", ["a", "b", "c"])
    assert new == [] and torch.equal(kept.module.classifier.weight, first.module.classifier.weight)
    assert kept.module.config.id2label[0] == "a"
    other, new = with_head(tmp_path / "first", "texts", ["a", "b"])
    assert new == ["classifier.bias", "classifier.weight"] and other.module.classifier.out_features == 2


def test_a_saved_model_is_loaded_by_plain_transformers(saved: Path, tmp_path: Path) -> None:
    model, _ = with_head(saved, "texts", LABELS)
    save_model(model, tmp_path / "out")
    module = tf.AutoModelForSequenceClassification.from_pretrained(tmp_path / "out", local_files_only=True)
    tokenizer = tf.AutoTokenizer.from_pretrained(tmp_path / "out", local_files_only=True)
    inputs = tokenizer(["a small book", "every night"], padding=True, return_tensors="pt")
    with torch.no_grad():
        assert torch.equal(module.eval()(**inputs).logits, model.module(**inputs).logits)


def test_a_decoder_learns_which_piece_is_padding(tokenizers, tmp_path: Path) -> None:
    tokenizer = tokenizers["gpt2"]
    config = tf.LlamaConfig(**SIZES, vocab_size=len(tokenizer), max_position_embeddings=64, pad_token_id=None)
    model, _ = with_head(load(tf.LlamaForCausalLM(config).eval(), tokenizer), "texts", LABELS)
    assert model.module.config.pad_token_id == tokenizer.eos_token_id
    inputs = torch.tensor([[5, 6, 7, 8], [5, 6, tokenizer.eos_token_id, tokenizer.eos_token_id]])
    mask = (inputs != tokenizer.eos_token_id).long()
    with torch.no_grad():
        short = model.module(input_ids=inputs, attention_mask=mask).logits[1]
        assert torch.allclose(short, model.module(input_ids=inputs[1:, :2]).logits[0], atol=1e-6)


def test_a_decoder_without_padding_is_refused(tokenizers) -> None:
    tokenizer = tf.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers["gpt2"].backend_tokenizer, unk_token="<|endoftext|>"
    )
    config = tf.LlamaConfig(**SIZES, vocab_size=len(tokenizer), max_position_embeddings=64)
    model = load(tf.LlamaForCausalLM(config).eval(), tokenizer)
    with pytest.raises(ModelError, match=r"neither a padding nor an end token.*give it one"):
        with_head(model, "texts", LABELS)


def test_a_family_without_such_a_head_is_refused(tokenizers) -> None:
    tokenizer = tokenizers["unigram"]
    config = tf.MarianConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=8, decoder_ffn_dim=8,
        pad_token_id=0, decoder_start_token_id=0,
    )  # fmt: skip
    model = load(tf.MarianMTModel(config).eval(), tokenizer)
    with pytest.raises(ModelError, match=r"transformers has no tagging head for models of the type 'marian'"):
        with_head(model, "pieces", LABELS)


def test_weights_of_another_shape_are_refused_inside_the_model(copy_of) -> None:
    folder = copy_of("changed")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 24}))
    with pytest.raises(ModelError, match=r"another shape than its configuration says; is the file whole\?"):
        with_head(folder, "texts", LABELS)


def test_an_adapter_is_refused(copy_of) -> None:
    folder = copy_of("adapter")
    (folder / "adapter_config.json").write_text("{}")
    with pytest.raises(ModelError, match=r"adapter is an adapter; merge it into its model first"):
        with_head(folder, "texts", LABELS)


def test_a_pruned_model_is_trained_further_with_the_heads_it_has(saved: Path, tmp_path: Path) -> None:
    model, _ = with_head(saved, "texts", LABELS)
    pruned = remove_heads(model, [Head("encoder", 0, 1), Head("encoder", 1, 2), Head("encoder", 1, 3)])
    again, new = with_head(pruned, "texts", ["a", "b"])
    assert len(again.heads()) == 5 and new == ["classifier.bias", "classifier.weight"]
    assert again.notes == ["pruned: 3 of 8 heads are removed: L0H1, L1H2, L1H3"]
    save_model(again, tmp_path / "pruned")
    third, new = with_head(tmp_path / "pruned", "texts", ["a", "b"])
    ids = torch.arange(5, 15)[None]
    assert new == [] and torch.equal(third.module(input_ids=ids).logits, again.module(input_ids=ids).logits)
    with pytest.raises(ModelError, match=r"a pruned BertForSequenceClassification cannot become"):
        with_head(tmp_path / "pruned", "pieces", LABELS)


def test_embeddings_are_frozen_for_a_while(saved: Path) -> None:
    module = with_head(saved, "texts", LABELS).model.module
    table = module.get_input_embeddings().weight
    with pytest.raises(KeyboardInterrupt), frozen_embeddings(module):
        assert [name for name, one in module.named_parameters() if not one.requires_grad] == [
            "bert.embeddings.word_embeddings.weight"
        ]
        raise KeyboardInterrupt
    assert table.requires_grad
