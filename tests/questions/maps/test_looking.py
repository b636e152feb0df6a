"""look: the maps are the model's own, for a text, a pair, windows, a continuation, and heads switched off."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import transformers as tf

import headscope
from headscope.attention import Ablate, Recorder
from headscope.errors import InputError, OptionError
from headscope.heads import Head
from headscope.models import Model, load
from headscope.questions.maps.looking import WINDOW, look
from headscope.results.look import Axis, Look
from tests.families import BYPASSING, FAMILIES, build

SENTENCE = "The old lighthouse keeper couldn't sleep."


def heard(
    model: Model, inputs: dict[str, torch.Tensor], off: list[Head]
) -> dict[tuple[str, int], np.ndarray]:
    """Maps (head, query, key) of a plain pass, by stack and layer."""
    recorder = Recorder()
    edits = [Ablate(off)] if off else []
    with torch.no_grad(), model.attached([recorder], edits) as module:
        module(**inputs)
    return {(site.stack, site.layer): maps[0][0].numpy() for site, maps in recorder.maps.items()}


def seen(look: Look) -> dict[tuple[str, int], np.ndarray]:
    return {(part.stack, sheet.layer): sheet.weights for part in look.stacks for sheet in part.sheets}


def same_maps(one: dict, other: dict) -> None:
    assert one.keys() == other.keys()
    for key, weights in one.items():
        np.testing.assert_allclose(weights, other[key], atol=1e-6, err_msg=str(key))


@pytest.mark.parametrize("off", [[], [Head("encoder", 0, 1), Head("encoder", 1, 3)]])
def test_maps_and_tokens_of_an_encoder(encoder: Model, off: list[Head]) -> None:
    found = look(encoder, SENTENCE, off=off)
    inputs = encoder.tokenizer(SENTENCE, return_tensors="pt")
    same_maps(seen(found), heard(encoder, dict(inputs), off))
    axis = found.stack().query
    assert axis == found.stack().key
    assert axis.names == ["[CLS]", "The", "old", "lighthouse", "keeper", "couldn't", "sleep", ".", "[SEP]"]
    assert [axis.pieces[0], axis.pieces[-1]] == ["[CLS]", "[SEP]"]
    assert len(axis.pieces) == inputs["input_ids"].shape[1] == len(axis.words)
    assert np.flatnonzero(axis.special).tolist() == [0, len(axis.pieces) - 1]
    assert (found.window, found.windows, found.notes, axis.second) == (0, 1, [], None)


def test_switching_a_head_off_changes_the_maps_above_it_alone(encoder: Model) -> None:
    whole, without = (seen(look(encoder, SENTENCE, off=off)) for off in ([], [Head("encoder", 0, 1)]))
    np.testing.assert_array_equal(whole["encoder", 0], without["encoder", 0])
    assert np.abs(whole["encoder", 1] - without["encoder", 1]).max() > 1e-3


def test_a_pair_is_read_as_the_tokenizer_builds_it(encoder: Model) -> None:
    found = look(encoder, SENTENCE, second="He wrote its name.")
    inputs = encoder.tokenizer(SENTENCE, "He wrote its name.", return_tensors="pt")
    same_maps(seen(found), heard(encoder, dict(inputs), []))
    axis = found.stack().query
    assert axis.second == inputs["token_type_ids"][0].tolist().index(1)
    assert axis.names[axis.words[axis.second]] == "He"
    assert sum(axis.special) == 3


def test_a_pair_that_is_too_long_is_cut_with_a_note(encoder: Model) -> None:
    found = look(encoder, "the old ship " * 300, second="he wrote")
    assert len(found.stack().query.pieces) == WINDOW == 512
    assert found.windows == 1
    (note,) = found.notes
    assert note.endswith("words are cut off after 512 pieces")


def test_a_long_text_has_windows_each_run_by_itself(encoder: Model) -> None:
    text = "the old ship . " * 300
    looks = [look(encoder, text, window=window) for window in range(3)]
    assert [one.windows for one in looks] == [3, 3, 3] and [one.window for one in looks] == [0, 1, 2]
    words = [name for one in looks for name in one.stack().query.names if not name.startswith("[")]
    assert words == text.split()
    assert all(len(one.stack().query.pieces) <= WINDOW for one in looks)
    last = looks[2].stack().query
    alone = look(encoder, " ".join(last.names[1:-1]))
    same_maps(seen(looks[2]), seen(alone))
    assert alone.notes == [] and "3 windows of at most 512 pieces; each is run by itself" in looks[0].notes[0]
    with pytest.raises(OptionError, match=r"no window 3: the text has windows 0 to 2"):
        look(encoder, text, window=3)
    with pytest.raises(OptionError, match=r"no window -1"):
        look(encoder, SENTENCE, window=-1)


def test_only_what_is_chosen_is_kept(translator: Model) -> None:
    found = look(translator, SENTENCE, target="He wrote.", stacks=["cross"], layers=[1], heads=[0, 3])
    (part,) = found.stacks
    (sheet,) = part.sheets
    assert (part.stack, sheet.layer, sheet.heads) == ("cross", 1, [0, 3])
    whole = look(translator, SENTENCE, target="He wrote.").stack("cross")
    np.testing.assert_array_equal(sheet.weights, whole.sheets[1].weights[[0, 3]])
    assert sheet.weights.shape == (2, len(part.query.pieces), len(part.key.pieces))
    assert part.query.names[1:] == ["He", "wrote", "."]
    assert part.key.names == ["The", "old", "lighthouse", "keeper", "couldn't", "sleep", ".", "</s>"]


def test_a_target_that_is_too_long_is_cut_with_a_note(translator: Model) -> None:
    found = look(translator, "he wrote", target="the ship " * 400, stacks=["decoder"], layers=[0])
    assert len(found.stack().query.pieces) == WINDOW
    assert found.notes == ["the target is cut off after 512 pieces"]


@pytest.mark.parametrize("kind", ["decoder", "translator"])
def test_a_continuation_is_what_the_whole_model_writes(kind: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(kind)
    head = model.heads()[0]
    free, held = (look(model, SENTENCE, generate=5, off=off) for off in ([], [head]))
    ids = model.tokenizer(SENTENCE, return_tensors="pt").input_ids
    made = model.module.generate(ids, max_new_tokens=5, do_sample=False, pad_token_id=0)
    for one in (free, held):
        assert len(one.stack("decoder").query.pieces) == made.shape[1] - 1
        assert one.stack("decoder").query == free.stack("decoder").query
        assert all(np.allclose(weights.sum(-1), 1, atol=1e-5) for weights in seen(one).values())
    key = ("decoder", 1)
    assert np.abs(seen(free)[key] - seen(held)[key]).max() > 1e-4


@pytest.mark.parametrize("shape", ["decoder", "encoder-decoder"])
def test_a_continuation_with_a_tokenizer_that_knows_types(shape: str, wordpiece) -> None:
    """The model does not know them, and generate would refuse them."""
    torch.manual_seed(0)
    sizes = {"vocab_size": len(wordpiece), "pad_token_id": 0, "eos_token_id": None}
    if shape == "decoder":
        config = tf.LlamaConfig(
            hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, **sizes
        )
        module = tf.LlamaForCausalLM(config)
    else:
        config = tf.T5Config(
            d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2, decoder_start_token_id=0, **sizes
        )
        module = tf.T5ForConditionalGeneration(config)
    model = load(module.eval(), wordpiece)
    assert (model.shape, "token_type_ids" in wordpiece.model_input_names) == (shape, True)
    read = len(look(model, SENTENCE).stack(model.stacks()[0]).query.pieces) if shape == "decoder" else 1
    # The last piece is written, and never read.
    assert len(look(model, SENTENCE, generate=3).stack("decoder").query.pieces) == read + 3 - 1


@pytest.mark.parametrize(("shape", "stack"), [("decoder", "decoder"), ("translator", "cross")])
def test_what_the_model_wrote_itself_is_told(shape: str, stack: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(shape)
    seen = look(model, SENTENCE, generate=4)
    axis = seen.stack(stack).query
    start = 1 if shape == "translator" else len(look(model, SENTENCE).stack(stack).query.pieces)
    assert axis.written == start and len(axis.pieces) == start + 3
    assert axis.by_model(words=False).tolist() == [False] * start + [True] * 3
    (note,) = [note for note in seen.notes if note.startswith("written by the model itself: ")]
    assert axis.pieces[-1] in note
    assert seen.stack(stack).key.written == (None if stack == "cross" else start)
    assert look(model, SENTENCE, generate=1).stack(stack).query.written is None, "a last piece is not read"
    assert not any(note.startswith("written by") for note in look(model, SENTENCE).notes)


def test_a_word_that_was_begun_for_the_model_is_not_its_own() -> None:
    axis = Axis(
        ["The", "sail", "ing", "ship"], [0, 1, 1, 2], ["The", "sailing", "ship"], [False] * 4, written=2
    )
    assert axis.by_model(words=False).tolist() == [False, False, True, True]
    assert axis.by_model(words=True).tolist() == [False, False, True]


def test_heads_of_a_pruned_model(encoder: Model) -> None:
    pruned = headscope.remove_heads(encoder, [Head("encoder", 0, 1), Head("encoder", 0, 2)])
    found = look(pruned, SENTENCE)
    assert [sheet.heads for sheet in found.stack().sheets] == [[0, 1], [0, 1, 2, 3]]
    assert [len(sheet.weights) for sheet in found.stack().sheets] == [2, 4]
    maps = headscope.maps(pruned, SENTENCE)
    assert maps.shape[:2] == (2, 4)
    assert np.isnan(maps[0, 2:]).all() and not np.isnan(maps[1]).any() and not np.isnan(maps[0, :2]).any()
    only = look(pruned, SENTENCE, heads=[3])
    assert [(sheet.layer, sheet.heads) for sheet in only.stack().sheets] == [(1, [3])]


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_family(family: str, wordpiece) -> None:
    module = build(family)
    if hasattr(module, "resize_token_embeddings"):
        torch.manual_seed(0)
        module.resize_token_embeddings(len(wordpiece), mean_resizing=False)
    model = load(module, wordpiece)
    head = model.heads()[1]
    found = look(model, SENTENCE, off=[head])
    assert [part.stack for part in found.stacks] == model.stacks()
    for weights in seen(found).values():
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-4)
    assert found.output is not None and any(abs(row.before - row.after) > 1e-6 for row in found.output.rows)
    assert family in BYPASSING or model.shared_function


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"text": " \n"}, InputError, "the text is empty"),
        ({"second": " "}, InputError, "the second text is empty"),
        ({"target": "He."}, OptionError, r"no target can be given: .* is no encoder-decoder"),
        ({"generate": 2}, OptionError, "is an encoder; it does not generate"),
        ({"generate": -1}, OptionError, "-1 pieces cannot be generated; ask for 0 or more"),
        ({"stacks": ["decoder"]}, OptionError, "unknown stack 'decoder'"),
        ({"layers": [2]}, OptionError, "no layer 2: the model has layers 0 to 1"),
        ({"heads": [4]}, OptionError, "no head 4: the model has heads 0 to 3"),
        ({"off": [Head("encoder", 2, 0)]}, OptionError, "no head L2H0 in its encoder; it has layers 0 to 1"),
        ({"off": [Head("cross", 0, 0)]}, OptionError, "no head L0H0 in its cross; it has encoder"),
    ],
)
def test_what_cannot_be_done_is_said(encoder: Model, options: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        look(encoder, **{"text": SENTENCE, **options})


def test_a_target_needs_words_and_no_continuation(translator: Model, tokenizers) -> None:
    with pytest.raises(InputError, match="the target text is empty"):
        look(translator, SENTENCE, target=" ")
    with pytest.raises(OptionError, match="no target can be given: the model writes its own"):
        look(translator, SENTENCE, target="He.", generate=2)
    config = tf.GPT2Config(n_embd=8, n_layer=1, n_head=2, vocab_size=len(tokenizers["gpt2"]), n_positions=32)
    headless = load(tf.GPT2Model(config).eval(), tokenizers["gpt2"])
    with pytest.raises(OptionError, match="has no language-model head; it does not generate"):
        look(headless, SENTENCE, generate=2)


def test_room_for_a_continuation_is_kept(tokenizers) -> None:
    torch.manual_seed(0)
    config = tf.GPT2Config(
        n_embd=8, n_layer=1, n_head=2, vocab_size=len(tokenizers["gpt2"]), n_positions=32, eos_token_id=None
    )
    small = load(tf.GPT2LMHeadModel(config).eval(), tokenizers["gpt2"])
    found = look(small, "ship " * 100, generate=4)
    assert len(found.stack().query.pieces) <= 28 + 3 and found.windows > 1
    with pytest.raises(OptionError, match="32 pieces cannot be generated: the model takes 32 in all"):
        look(small, "ship", generate=32)


def test_a_mask_is_one_word(masked: Model) -> None:
    axis = look(masked, "The old [MASK] couldn't sleep.").stack().query
    assert axis.names == ["[CLS]", "The", "old", "[MASK]", "couldn't", "sleep", ".", "[SEP]"]
    assert sum(axis.special) == 2


def test_words_without_a_piece(encoder: Model) -> None:
    """The tokenizer strips accents, and this word is nothing else."""
    axis = look(encoder, SENTENCE, second="\u0301").stack().query
    assert axis.second is None and axis.pieces[-2:] == ["[SEP]", "[SEP]"]
    with pytest.raises(InputError, match="the tokenizer has no piece for any of its words"):
        look(encoder, "\u0301")
