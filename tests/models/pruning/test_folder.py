"""Saved pruned models come back bit for bit, and are never read as something else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers as tf

from headscope.errors import ModelError
from headscope.heads import Head
from headscope.models import Model, load
from headscope.models.fingerprint import fingerprint
from headscope.models.pruning.folder import save_pruned
from headscope.models.pruning.removal import head_groups, remove_heads
from tests.families import BYPASSING, FAMILIES, TYPICAL, build, inputs_for, small_tokenizer
from tests.models.conftest import tiny_bert
from tests.models.test_twin import model_of
from tests.sampling import sampled

PRUNABLE = [family for family in FAMILIES if family not in BYPASSING]
DESCRIBABLE = {"llama", "qwen3", "gemma2", "t5"}
"""Families whose configuration has a head size of its own."""
Choice = Callable[[Model], list[Head]]


def fresh(family: str) -> Model:
    module = build(family)
    if family == "marian":
        # Its positions are not trained, so they are not saved either.
        for stack in (module.model.encoder, module.model.decoder):
            stack.embed_positions.weight.data = stack.embed_positions.create_weight()
    return model_of(module)


def outputs(module: torch.nn.Module, family: str) -> torch.Tensor:
    with torch.no_grad():
        return module(**inputs_for(family))[0]


def evenly(model: Model) -> list[Head]:
    """The first group of every layer."""
    return [head for group in head_groups(model) if group[0].index == 0 for head in group]


def unevenly(model: Model) -> list[Head]:
    """A different group of each layer but the first, and so on; where one module serves all, its second."""
    places: dict[tuple[str, int], list[tuple[Head, ...]]] = {}
    for group in head_groups(model):
        places.setdefault((group[0].stack, group[0].layer), []).append(group)
    chosen = [groups[number % len(groups)] for number, groups in enumerate(places.values()) if number]
    return [head for group in chosen or [head_groups(model)[1]] for head in group]


@pytest.fixture(scope="module", params=sampled(PRUNABLE, TYPICAL))
def family(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("choose", [evenly, unevenly])
def test_round_trip(family: str, choose: Choice, tmp_path: Path) -> None:
    model = fresh(family)
    pruned = remove_heads(model, choose(model))
    ordinary = choose is evenly and family in DESCRIBABLE
    assert save_pruned(pruned, tmp_path) == ("transformers" if ordinary else "headscope")

    loaded = load(tmp_path, small_tokenizer())
    assert type(loaded.module) is type(pruned.module)
    assert fingerprint(loaded.module) == fingerprint(pruned.module)
    assert torch.equal(outputs(loaded.module, family), outputs(pruned.module, family))
    assert loaded.sites.sites == pruned.sites.sites
    assert [site.heads for site in loaded.sites.sites] == [site.heads for site in pruned.sites.sites]
    assert loaded.notes == pruned.notes

    if ordinary:
        plain = type(pruned.module).from_pretrained(tmp_path).eval()
        assert torch.equal(outputs(plain, family), outputs(pruned.module, family))
    else:
        for cls in (type(pruned.module), tf.AutoModel):
            with pytest.raises(RuntimeError, match="ignore_mismatched_sizes"):
                cls.from_pretrained(tmp_path)


@pytest.mark.parametrize("family_name", ["bert", "t5", "llama"])
def test_pruned_saved_loaded_and_pruned_again(family_name: str, tmp_path: Path) -> None:
    model = fresh(family_name)
    group = next(group for group in head_groups(model) if group[0].layer == 1)
    first = remove_heads(model, group)
    save_pruned(first, tmp_path / "first")
    loaded = load(tmp_path / "first", small_tokenizer())
    more = head_groups(loaded)[0]
    second = remove_heads(loaded, more)
    save_pruned(second, tmp_path / "second")
    again = load(tmp_path / "second", small_tokenizer())
    at_once = remove_heads(model, [*group, *more])
    assert fingerprint(again.module) == fingerprint(at_once.module)
    assert torch.equal(outputs(again.module, family_name), outputs(at_once.module, family_name))
    assert again.notes == at_once.notes


def test_task_heads_and_tokenizer_are_kept(tmp_path: Path, wordpiece) -> None:
    heads = [Head("encoder", 0, 0), Head("encoder", 1, 2)]
    language = remove_heads(load(tiny_bert(wordpiece), wordpiece), heads)
    save_pruned(language, tmp_path / "language")
    loaded = load(tmp_path / "language")
    assert loaded.tokenizer("the old keeper").input_ids == wordpiece("the old keeper").input_ids
    assert loaded.module.cls.predictions.decoder.weight is loaded.module.get_input_embeddings().weight
    config = tf.BertConfig(
        **{**language.module.config.to_dict(), "id2label": {0: "bad", 1: "good", 2: "so so"}}
    )
    classifier = remove_heads(load(tf.BertForSequenceClassification(config).eval(), wordpiece), heads)
    save_pruned(classifier, tmp_path / "classifier")
    loaded = load(tmp_path / "classifier", dtype="bfloat16")
    assert loaded.module.config.id2label == {0: "bad", 1: "good", 2: "so so"}
    assert torch.equal(loaded.module.classifier.weight, classifier.module.classifier.weight.bfloat16())
    assert loaded.module.bert.encoder.layer[0].attention.self.query.weight.shape == (12, 16)


def test_what_the_folder_says(tmp_path: Path) -> None:
    pruned = remove_heads(fresh("bert"), [Head("encoder", 0, 1)])
    save_pruned(pruned, tmp_path)
    said = json.loads((tmp_path / "headscope.json").read_text())
    assert said["loads_with"] == "headscope" and "transformers alone refuses it" in said["about"]
    assert said["heads_before"] == {"encoder": [4, 4]} and said["heads_removed"] == ["encoder:L0H1"]
    assert said["parts"]["encoder.layer.0.attention.self.query"] == {
        "numbers": {"out_features": 12},
        "shapes": {"weight": [12, 16], "bias": [12]},
        "bias_heads": None,
    }
    assert said["parts"]["encoder.layer.0.attention.output.dense"]["shapes"] == {"weight": [16, 12]}
    assert not any(name.startswith("encoder.layer.1") for name in said["parts"])


def test_a_whole_model_is_saved_as_it_is(tmp_path: Path) -> None:
    model = fresh("bert")
    assert save_pruned(model, tmp_path) == "transformers"
    assert fingerprint(tf.BertModel.from_pretrained(tmp_path)) == fingerprint(model.module)
    assert load(tmp_path, small_tokenizer()).notes == []


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(ModelError, match="is not empty; save a pruned model in a new folder"):
        save_pruned(fresh("bert"), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, r"headscope.json: format 'headscope pruned model', version 2; this headscope reads"),
        ({"parts": None}, r"headscope.json lacks parts; prune the model again"),
    ],
)
def test_a_description_that_cannot_be_read(change: dict, message: str, tmp_path: Path) -> None:
    save_pruned(remove_heads(fresh("bert"), [Head("encoder", 0, 1)]), tmp_path)
    path = tmp_path / "headscope.json"
    content = {**json.loads(path.read_text()), **change}
    path.write_text(json.dumps({key: value for key, value in content.items() if value is not None}))
    with pytest.raises(ModelError, match=message):
        load(tmp_path, small_tokenizer())


def test_a_class_that_is_not_named(tmp_path: Path) -> None:
    save_pruned(remove_heads(fresh("bert"), [Head("encoder", 0, 1)]), tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "architectures": None}))
    with pytest.raises(ModelError, match=r"config.json does not name the class of the pruned model"):
        load(tmp_path, small_tokenizer())


def test_a_module_that_its_configuration_does_not_make(tmp_path: Path) -> None:
    pruned = remove_heads(fresh("bert"), [Head("encoder", 0, 1)])
    pruned.module.extra = torch.nn.Linear(2, 2)
    with pytest.raises(ModelError, match="BertModel has a part extra that its configuration does not make"):
        save_pruned(pruned, tmp_path)
