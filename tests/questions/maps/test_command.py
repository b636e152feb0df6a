"""maps: labelled, with rows that sum to 1, also while a decoder writes, kept on disk without loss."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
import transformers as tf
import xarray as xr

import headscope
from headscope.errors import HeadscopeError, InputError
from headscope.questions.maps.answer import strongest_links
from headscope.questions.maps.files import apart, save_maps
from tests.cli.conftest import command

SENTENCE = "The old lighthouse keeper couldn't sleep."


@pytest.mark.parametrize(
    ("model", "options", "shape"),
    [
        ("bert", {}, None),
        ("bert", {"words": True}, (2, 4, 9, 9)),
        ("bert", {"layers": [1], "heads": [0, 2]}, None),
        ("llama", {"words": True}, (2, 4, 7, 7)),
        ("t5", {"stack": "cross", "target": "He wrote.", "words": True}, None),
        ("t5", {"stack": "decoder", "generate": 4}, None),
        ("llama", {"generate": 4}, None),
    ],
)
def test_rows_sum_to_one(model: str, options: dict, shape: tuple | None, models: Path) -> None:
    maps = headscope.maps(str(models / model), SENTENCE, **options)
    assert maps.dims == ("layer", "head", "query", "key")
    np.testing.assert_allclose(maps.sum("key"), 1.0, atol=1e-5)
    assert shape is None or maps.shape == shape
    assert maps.sizes["layer"] == len(options.get("layers", [0, 1]))
    assert maps["head"].values.tolist() == options.get("heads", [0, 1, 2, 3])


def test_words_are_those_of_the_text(models: Path) -> None:
    maps = headscope.maps(str(models / "bert"), SENTENCE, words=True)
    expected = ["[CLS]", "The", "old", "lighthouse", "keeper", "couldn't", "sleep", ".", "[SEP]"]
    assert maps["query"].values.tolist() == maps["key"].values.tolist() == expected
    pieces = headscope.maps(str(models / "bert"), SENTENCE)
    np.testing.assert_allclose(maps.sel(query="[CLS]", key="[SEP]"), pieces[:, :, 0, -1], atol=1e-6)


def eager(kind: type, folder: Path) -> tuple[torch.nn.Module, torch.Tensor]:
    """The library's own eager attention, and the pieces of the sentence."""
    module = kind.from_pretrained(folder, attn_implementation="eager").eval()
    return module, tf.AutoTokenizer.from_pretrained(folder)(SENTENCE, return_tensors="pt").input_ids


@torch.no_grad()
def test_generated_maps_are_those_of_one_pass_over_what_was_written(models: Path) -> None:
    maps = headscope.maps(str(models / "llama"), SENTENCE, generate=6)
    module, ids = eager(tf.LlamaForCausalLM, models / "llama")
    made = module.generate(ids, max_new_tokens=6, do_sample=False)
    assert made.shape[1] >= ids.shape[1] + 3
    expected = torch.stack(module(made[:, :-1], output_attentions=True).attentions)[:, 0]
    np.testing.assert_allclose(maps.values, expected.numpy(), atol=1e-5)


@torch.no_grad()
@pytest.mark.parametrize("stack", ["cross", "decoder"])
def test_generated_maps_of_an_encoder_decoder(stack: str, models: Path) -> None:
    maps = headscope.maps(str(models / "t5"), SENTENCE, stack=stack, generate=6)
    module, ids = eager(tf.T5ForConditionalGeneration, models / "t5")
    made = module.generate(ids, max_new_tokens=6, do_sample=False)
    assert made.shape[1] >= 4
    outputs = module(ids, decoder_input_ids=made[:, :-1], output_attentions=True)
    expected = outputs.cross_attentions if stack == "cross" else outputs.decoder_attentions
    np.testing.assert_allclose(maps.values, torch.stack(expected)[:, 0].numpy(), atol=1e-5)


def test_maps_are_kept_on_disk_without_loss(models: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "maps.safetensors"
    arguments = ("maps", models / "t5", "Grüße 👍 “x”", "--stack", "cross", "--target", "So.", "--words")
    done = command(*arguments, "--save", out, "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    opened = headscope.open_maps(out)
    assert (told["saved"], told["arrays"]["maps"]["shape"]) == (str(out), dict(opened.sizes))
    assert list(told) == ["saved", "findings", "notes", "arrays", "links"] and len(told["links"]) == 8
    maps = headscope.maps(str(models / "t5"), "Grüße 👍 “x”", stack="cross", target="So.", words=True)
    xr.testing.assert_identical(opened, maps)
    assert [path.name for path in out.parent.iterdir()] == ["maps.safetensors"]


def test_a_file_that_holds_no_maps_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"not maps")
    with pytest.raises(InputError, match=r"x\.safetensors: not a file of attention maps"):
        headscope.open_maps(path)


def test_the_strongest_link_of_each_head_is_printed(models: Path) -> None:
    done = command("maps", models / "bert", "The old ship.", "--words", "--layers", "1", "--heads", "2")
    maps = headscope.maps(str(models / "bert"), "The old ship.", words=True, layers=[1], heads=[2])
    inner = maps[0, 0, 1:-1, 1:-1]
    best = inner.where(inner == inner.max(), drop=True)
    lines = done.out.splitlines()
    title = lines.index("Strongest link of each head between words that are not special")
    words, share = [str(best[side].values[0]) for side in ("query", "key")], f"{100 * float(inner.max()):.1f}"
    assert lines[title + 2].split() == ["L1H2", *words, share]
    assert lines[-1].split() == ["·", "maps", "(1,", "1,", "6,", "6):", "layer,", "head,", "query,", "key"]


def test_first_and_last_are_special_only_where_the_tokenizer_says_so(models: Path) -> None:
    # This decoder's tokenizer puts nothing around a text, so every piece may have the strongest link but the
    # first one, which sees itself alone.
    maps = headscope.maps(str(models / "llama"), "The sea")
    links = json.loads(command("maps", models / "llama", "The sea", "--json").out)["links"]
    for link, weights in zip(links, maps.values.reshape(-1, *maps.shape[2:]), strict=True):
        query, key = np.unravel_index(weights[1:].argmax(), weights[1:].shape)
        names = apart(maps["key"].values)
        assert (link["from"], link["to"]) == (names[query + 1], names[key])
    assert {link["to"] for link in links} & {maps["key"].values[0], maps["key"].values[-1]}


def test_where_maps_were_saved_is_told(models: Path, tmp_path: Path) -> None:
    done = command("maps", models / "bert", "The old ship.", "--save", tmp_path / "maps.safetensors")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert (
        any(line.startswith("Strongest link") for line in lines)
        and lines[-1] == f"saved   {tmp_path / 'maps.safetensors'}"
    )
    assert (
        command("maps", models / "bert", "The old ship.", "--save", tmp_path / "maps.safetensors", "-q").out
        == ""
    )


def test_one_word_works(models: Path) -> None:
    done = command("maps", models / "bert", "ship")
    assert (done.code, done.err) == (0, "")
    assert done.out.partition("Strongest link")[2].count("L0H") == 4


def test_special_tokens_can_be_left_out(models: Path) -> None:
    hidden, shown = (
        headscope.maps(str(models / "bert"), SENTENCE, words=True, special=special)
        for special in ("renormalised", "shown")
    )
    assert hidden["key"].values.tolist() == shown["key"].values[1:-1].tolist()
    inner = shown[..., 1:-1, 1:-1]
    np.testing.assert_allclose(hidden, inner / inner.sum("key"), atol=1e-6)
    done = command("maps", models / "bert", SENTENCE, "--words", "--special", "hidden")
    assert "Strongest link of each head between words" in done.out.splitlines()


def test_a_pair_is_read_together(models: Path) -> None:
    done = command("maps", models / "bert", SENTENCE, "--second", "He wrote.", "--json")
    pair = tf.AutoTokenizer.from_pretrained(models / "bert")(SENTENCE, "He wrote.")["input_ids"]
    shape = {"layer": 2, "head": 4, "query": len(pair), "key": len(pair)}
    assert json.loads(done.out)["arrays"]["maps"]["shape"] == shape


@pytest.mark.parametrize("options", [(), ("--second", "He wrote. " * 9)])
def test_what_the_model_cannot_take_at_once_is_refused(options: tuple[str, ...], models: Path) -> None:
    done = command("maps", models / "bert", "The old ship. " * 20, *options)
    assert done.code == 2 and "the text is longer than the 64 pieces that the model takes" in done.err


def test_repeated_words_stay_apart(models: Path, tmp_path: Path) -> None:
    maps = headscope.maps(models / "bert", "The cat saw the other cat .", words=True)
    assert maps["key_number"].values.tolist() == list(range(maps.sizes["key"]))
    frame = maps.to_dataframe().reset_index()
    assert not frame.duplicated(["layer", "head", "query_number", "key_number"]).any()
    save_maps(maps, tmp_path / "maps.safetensors")
    assert headscope.open_maps(tmp_path / "maps.safetensors").identical(maps)
    drawn = maps.copy(data=np.zeros(maps.shape))
    second = [place for place, word in enumerate(maps["key"].values) if word == "cat"][1]
    drawn[..., 1, second] = 1
    assert set(strongest_links(drawn)["to"]) == {"cat (2)"}
    drawn[..., 1, second - 4] = 2
    assert set(strongest_links(drawn)["to"]) == {"cat (1)"}, "of two, the first is numbered too"


def test_a_list_of_texts_gives_a_list_of_arrays(models: Path) -> None:
    texts = [SENTENCE, "He wrote."]
    found = headscope.maps(models / "bert", texts, words=True, special="hidden")
    assert isinstance(found, list)
    for text, maps in zip(texts, found, strict=True):
        xr.testing.assert_identical(maps, headscope.maps(models / "bert", text, words=True, special="hidden"))
    (alone,) = headscope.maps(models / "bert", pd.Series(texts[1:]), words=True, special="hidden")
    xr.testing.assert_identical(alone, found[1])


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        ([], {}, "there are no texts: the list is empty"),
        ([SENTENCE, " "], {}, "text 1 of the list is empty"),
        ([SENTENCE, 3], {}, "--text takes text, not 3"),
        (" ", {}, "the text is empty"),
        (3, {}, "--text takes text, not 3"),
        ([SENTENCE], {"second": "He wrote."}, "a second text or a target goes with one text"),
    ],
)
def test_lists_that_are_none(texts: object, options: dict, message: str, models: Path) -> None:
    with pytest.raises(HeadscopeError, match=message):
        headscope.maps(models / "bert", texts, **options)


def test_rows_of_which_little_is_left_say_so_and_have_no_strongest_link() -> None:
    axes = {"layer": [0], "head": [0, 1], "query": ["a", "b"], "key": ["c", "d"]}
    weights = np.array([[[[1.0, 0.0], [0.4, 0.6]], [[0.3, 0.7], [0.9, 0.1]]]], np.float32)
    left = (("layer", "head", "query"), np.array([[[0.002, 0.5], [0.01, 0.02]]], np.float32))
    links = strongest_links(xr.DataArray(weights, coords={**axes, "left": left}, dims=list(axes)))
    # Of the second head little is left everywhere, which its number tells.
    assert links[["from", "to"]].to_numpy().tolist() == [["b", "d"], ["b", "c"]]
    np.testing.assert_allclose(links["left"], [0.5, 0.02])


def test_a_token_that_sees_itself_alone_has_no_strongest_link(models: Path) -> None:
    """The first token of a causal model always gives itself 100 %."""
    maps = headscope.maps(models / "llama", SENTENCE)
    links = strongest_links(maps)
    assert (links["weight"] < 1).all()
    np.testing.assert_allclose(links["weight"], maps[..., 1:, :].max(["query", "key"]).values.ravel())


def test_what_is_left_lies_beside_the_maps(models: Path, tmp_path: Path) -> None:
    maps = headscope.maps(models / "bert", SENTENCE, special="renormalised")
    whole = headscope.maps(models / "bert", SENTENCE)
    np.testing.assert_allclose(maps["left"], whole[..., 1:-1, 1:-1].sum("key"), atol=1e-6)
    assert "left" not in whole.coords
    assert (maps.attrs["hidden"], whole.attrs["hidden"]) == (["[CLS]", "[SEP]"], [])
    save_maps(maps, tmp_path / "maps.safetensors")
    xr.testing.assert_identical(headscope.open_maps(tmp_path / "maps.safetensors"), maps)
    done = command("maps", models / "bert", SENTENCE, "--special", "renormalised")
    assert any(
        line.split() == ["head", "from", "to", "weight", "%", "left", "%"] for line in done.out.splitlines()
    )


def test_what_is_not_there_is_not_called_hidden(models: Path) -> None:
    """This decoder's tokenizer puts nothing around a text."""
    told = json.loads(command("maps", models / "llama", SENTENCE, "--special", "hidden", "--json").out)
    assert (
        told["notes"][0]
        == "nothing is hidden: the text has no special tokens; --first-token hides the first one"
    )
    maps = headscope.maps(models / "llama", SENTENCE, special="hidden")
    assert maps.attrs["hidden"] == []
    first = headscope.maps(models / "llama", SENTENCE, special="hidden", first_token=True)
    assert first.attrs["hidden"] == [str(maps["key"].values[0])]
    np.testing.assert_array_equal(first, maps[..., 1:, 1:])
    done = command("maps", models / "llama", SENTENCE, "--special", "hidden", "--first-token")
    assert "nothing is hidden" not in done.out


def test_a_first_token_that_is_shown_has_no_strongest_link(models: Path) -> None:
    done = command("maps", models / "llama", SENTENCE, "--first-token", "--json")
    maps = headscope.maps(models / "llama", SENTENCE)
    assert json.loads(done.out)["arrays"]["maps"]["shape"] == dict(maps.sizes)
    expected = strongest_links(maps[..., 1:, 1:])
    links = json.loads(done.out)["links"]
    assert [link["to"] for link in links] == expected["to"].tolist()
    told = "the first token counts as special, and is shown: --special hidden leaves it out"
    assert told in json.loads(done.out)["notes"]


def test_not_everything_can_be_hidden(models: Path) -> None:
    done = command("maps", models / "llama", "The", "--words", "--special", "hidden", "--first-token")
    assert done.code == 2 and "every token of the text would be hidden" in done.err
