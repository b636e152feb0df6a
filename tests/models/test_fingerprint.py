"""Fingerprints tell weights, configurations and tokenizers apart, and nothing else."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers as tf
from torch import nn

import headscope
from headscope.models import load
from headscope.models.fingerprint import fingerprint, settings_fingerprint, tokenizer_fingerprint


def layer() -> nn.Linear:
    torch.manual_seed(0)
    return nn.Linear(300, 300)


def test_the_same_weights_give_the_same_name() -> None:
    assert fingerprint(layer()) == fingerprint(layer())
    assert len(fingerprint(layer())) == 32


def test_one_weight_anywhere_changes_it() -> None:
    expected = fingerprint(layer())
    for row, column in ((0, 0), (150, 150), (299, 299)):
        changed = layer()
        with torch.no_grad():
            changed.weight[row, column] += 1e-6
        assert fingerprint(changed) != expected


def test_the_order_of_the_weights_counts() -> None:
    swapped = layer()
    with torch.no_grad():
        swapped.weight[[100, 200]] = swapped.weight[[200, 100]].clone()
    assert fingerprint(swapped) != fingerprint(layer())


def test_names_shapes_and_types_count() -> None:
    assert fingerprint(nn.Sequential(layer())) != fingerprint(layer())
    assert fingerprint(layer().double()) != fingerprint(layer())
    halves = {dtype: fingerprint(layer().to(dtype)) for dtype in (torch.float16, torch.bfloat16)}
    assert len(set(halves.values())) == 2


def test_the_number_of_threads_does_not_count() -> None:
    torch.manual_seed(0)
    large = nn.Linear(3000, 3000)
    before = torch.get_num_threads()
    found = set()
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        found.add(fingerprint(large))
    torch.set_num_threads(before)
    assert len(found) == 1


def test_a_tokenizer_is_the_same_after_use_and_in_another_folder(tmp_path: Path) -> None:
    tokenizer = load("default").tokenizer
    before = tokenizer_fingerprint(tokenizer)
    tokenizer(["The cat sat.", "It slept."], truncation=True, max_length=4, padding=True)
    assert tokenizer_fingerprint(tokenizer) == before
    tokenizer.save_pretrained(tmp_path)
    assert tokenizer_fingerprint(tf.AutoTokenizer.from_pretrained(tmp_path)) == before
    tokenizer.add_tokens(["zebra"])
    assert tokenizer_fingerprint(tokenizer) != before


def test_settings_are_the_same_after_use_and_in_another_folder(tmp_path: Path) -> None:
    model = load("default")
    before = settings_fingerprint(model.module)
    headscope.survey(model, ["The cat sat on the mat.", "It slept."], plots=False)
    assert settings_fingerprint(model.module) == before
    model.module.save_pretrained(tmp_path)
    assert settings_fingerprint(tf.AutoModel.from_pretrained(tmp_path)) == before
    model.module.config.layer_norm_eps = 1e-3
    assert settings_fingerprint(model.module) != before
