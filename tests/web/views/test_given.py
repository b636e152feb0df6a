"""Maps and tokens in the forms that people have them become looks; what does not fit is explained."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import xarray as xr

from headscope.errors import OptionError
from headscope.heads import Head
from headscope.results.look import Look
from headscope.results.rows import is_scant
from headscope.web.views.given_looks import ViewInputs, only
from headscope.web.views.given_tokens import axis_of

LAYER = np.array([[[0.5, 0.5], [0.25, 0.75]], [[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.5, 0.5]]])
"""Three heads between two tokens."""
TOKENS = ["so", "it"]


def given(attention: Any = None, tokens: Any = None, second: int | None = None, **more: Any) -> Look:
    names = ("encoder_attention", "decoder_attention", "cross_attention", "encoder_tokens", "decoder_tokens")
    return ViewInputs(attention, tokens, second, True, **{name: more.get(name) for name in names}).look()


FORMS = {
    "tensors": (torch.tensor(LAYER)[None], torch.tensor(LAYER)[None]),
    "bfloat16 with gradients": [torch.tensor(LAYER, dtype=torch.bfloat16, requires_grad=True)] * 2,
    "arrays without batch": [LAYER, LAYER],
    "one array": np.stack([LAYER, LAYER]),
    "one array with batch": np.stack([LAYER, LAYER])[:, None],
    "lists": [LAYER.tolist(), LAYER.tolist()],
    "lists of head arrays": [list(LAYER), list(LAYER)],
    "a model's output": SimpleNamespace(attentions=(LAYER, LAYER), cross_attentions=()),
}


@pytest.mark.parametrize("form", FORMS)
def test_maps_in_any_form(form: str) -> None:
    look = given(FORMS[form], TOKENS)
    assert [(sheet.layer, sheet.heads) for sheet in look.stack().sheets] == [(0, [0, 1, 2]), (1, [0, 1, 2])]
    seen = look.map(Head("encoder", 1, 0))
    assert (seen.query, seen.key) == (TOKENS, TOKENS)
    assert seen.weights.tolist() == [[0.5, 0.5], [0.25, 0.75]]


def test_an_encoder_decoder() -> None:
    cross = np.array([[[0.125, 0.875]], [[1.0, 0.0]]])
    own = np.ones((2, 1, 1))
    output = SimpleNamespace(encoder_attentions=[LAYER], decoder_attentions=[own], cross_attentions=[cross])
    written = {"encoder_tokens": TOKENS, "decoder_tokens": ["da"]}
    looks = [
        given(output, **written),
        given(encoder_attention=[LAYER], decoder_attention=[own], cross_attention=[cross], **written),
    ]
    for look in looks:
        assert [part.stack for part in look.stacks] == ["encoder", "decoder", "cross"]
        seen = look.map(Head("cross", 0, 0))
        assert (seen.query, seen.key, seen.weights.tolist()) == (["da"], TOKENS, [[0.125, 0.875]])


def test_the_steps_of_a_generation_are_joined() -> None:
    """A prompt of two pieces, then one more row with three keys; the fourth piece was never read."""
    prompt, row = np.array([[[[1.0, 0.0], [0.5, 0.5]]]]), np.array([[[[0.25, 0.25, 0.5]]]])
    for tokens in (["a", "b", "c"], ["a", "b", "c", "d"]):
        seen = given(((prompt,), (row,)), tokens).map(Head("decoder", 0, 0))
        assert seen.query == ["a", "b", "c"]
        assert seen.weights.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]


def test_the_source_of_a_generation_is_read_whole() -> None:
    """Two steps that look at a source of two pieces; of the target alone, the last piece was never read."""
    steps = tuple((np.array([[[row]]]),) for row in ([0.25, 0.75], [1.0, 0.0]))
    target = ["da", "ist", "es"]
    look = given(cross_attention=steps, encoder_tokens=TOKENS, decoder_tokens=target)
    seen = look.map(Head("cross", 0, 0))
    assert (seen.query, seen.key, seen.weights.tolist()) == (target[:2], TOKENS, [[0.25, 0.75], [1, 0]])
    with pytest.raises(OptionError, match="3 tokens came, but the maps have 2 keys"):
        given(cross_attention=steps, encoder_tokens=[*TOKENS, "is"], decoder_tokens=target)


def test_labelled_maps_bring_their_tokens() -> None:
    """Layer 3 has heads 1 and 4, layer 5 only 4."""
    weights = np.stack([LAYER[:2], LAYER[:2]])
    weights[1, 0] = np.nan
    labels = {"layer": [3, 5], "head": [1, 4], "query": ["[CLS]", "it"], "key": ["[CLS]", "it"]}
    maps = xr.DataArray(
        weights, labels, ("layer", "head", "query", "key"), attrs={"stack": "decoder", "model": "m"}
    )
    look = given(maps)
    assert [(sheet.layer, sheet.heads) for sheet in look.stack("decoder").sheets] == [(3, [1, 4]), (5, [4])]
    assert look.stack().query.special == [True, False]
    assert look.map(Head("decoder", 5, 4)).weights.tolist() == [[1, 0], [0, 1]]
    one = given(maps.sel(layer=3, head=4), ["Ġso", "Ġit"])
    assert one.map(Head("decoder", 3, 4)).key == TOKENS
    assert given(look) is look


def test_only_some_layers_and_heads() -> None:
    look = only(given([LAYER, LAYER, LAYER], TOKENS), [0, 2], [2])
    assert [(sheet.layer, sheet.heads) for sheet in look.stack().sheets] == [(0, [2]), (2, [2])]
    assert look.map(Head("encoder", 2, 2)).weights.tolist() == [[0, 1], [0.5, 0.5]]


EAGER = r'attn_implementation="eager".*headscope.maps'
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, EAGER),
    "None": ({"attention": (None, None), "tokens": TOKENS}, EAGER),
    "no layers": ({"attention": SimpleNamespace(attentions=()), "tokens": TOKENS}, EAGER),
    "two texts": ({"attention": [np.stack([LAYER, LAYER])], "tokens": TOKENS}, "holds 2 texts; expected one"),
    "one head": ({"attention": [LAYER[0]], "tokens": TOKENS}, r"shape \(2, 2\); expected \(1, head,"),
    "a text": ({"attention": "a text", "tokens": TOKENS}, "a layer is a str that does not hold weights"),
    "no tokens": ({"attention": [LAYER]}, "tokens=tokenizer.convert_ids_to_tokens"),
    "three tokens": ({"attention": [LAYER], "tokens": ["a", "b", "c"]}, "3 tokens came, .* have 2 queries"),
    "no decoder tokens": ({"decoder_attention": [LAYER], "encoder_tokens": TOKENS}, "and decoder_tokens"),
    "cross": (
        {"cross_attention": [LAYER], "encoder_tokens": ["a"], "decoder_tokens": TOKENS},
        "1 tokens came, .* have 2 keys",
    ),
    "both": ({"attention": [LAYER], "tokens": TOKENS, "cross_attention": [LAYER]}, "both attention and"),
    "logits": ({"attention": [LAYER * -3], "tokens": TOKENS}, "from -3 to 0; expected 0 to 1, .* softmax"),
    "other sizes": ({"attention": [LAYER, LAYER[:, :1]], "tokens": TOKENS}, r"layer 1 has maps \(1, 2\)"),
    "no tokens at all": ({"attention": [np.ones((1, 0, 0))], "tokens": []}, "there are no tokens"),
    "second": ({"attention": [LAYER], "tokens": TOKENS, "second": 2}, "b_start is 2; .* from 1 to 1"),
    "tokens of a look": ({"attention": Look("m", []), "tokens": TOKENS}, "leave out tokens"),
    "axes": ({"attention": xr.DataArray(LAYER, dims=("head", "from", "to"))}, "expected layer, head, query"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_fit_is_explained(what: str) -> None:
    arguments, expected = WRONG[what]
    with pytest.raises(OptionError, match=expected):
        given(**arguments)


@pytest.mark.parametrize(
    ("layers", "heads", "expected"),
    [
        ([1], None, "no layer 1: the maps have layers 0"),
        (None, [0, 3], "no head 3: the maps have heads 0, 1, 2"),
        ([], None, "include_layers is empty: the maps have layers 0"),
    ],
)
def test_layers_and_heads_that_are_not_there(layers: Any, heads: Any, expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        only(given([LAYER], TOKENS), layers, heads)


def test_too_many_weights_are_refused() -> None:
    size = 4000
    names = [str(place) for place in range(size)]
    large = np.broadcast_to(np.float32(0), (5, size, size))
    look = given([LAYER], TOKENS)
    part = look.stacks[0]
    sheet = type(part.sheets[0])(0, [0, 1, 2, 3, 4], large)
    axis = axis_of(names)
    with pytest.raises(OptionError, match="80,000,000 weights are too many for one page"):
        only(Look("m", [type(part)("encoder", axis, axis, [sheet])]), None, None)


CASES = {
    "wordpiece": (
        ["[CLS]", "un", "##see", "##n", "it", "[SEP]"],
        ["[CLS]", "un", "see", "n", "it", "[SEP]"], ["[CLS]", "unseen", "it", "[SEP]"], [0, 1, 1, 1, 2, 3],
    ),
    "byte-level": (
        ["<s>", "Un", "seen", "ĠcafÃ", "©", "ĊĊ", "Ġ", "</s>"],
        ["<s>", "Un", "seen", "cafÃ", "©", "↵↵", "␣", "</s>"],
        ["<s>", "Unseen", "café↵↵", "␣", "</s>"], [0, 1, 1, 2, 2, 2, 3, 4],
    ),
    "sentencepiece": (
        ["▁un", "seen", "▁", "▁##", "<unk>", "</s>"],
        ["un", "seen", "␣", "##", "<unk>", "</s>"], ["unseen", "␣", "##<unk>", "</s>"], [0, 0, 1, 2, 2, 3],
    ),
    "marked ends": (["un", "seen</w>", "it</w>"], ["un", "seen", "it"], ["unseen", "it"], [0, 0, 1]),
    "going on": (["un@@", "seen", "it"], ["un", "seen", "it"], ["unseen", "it"], [0, 0, 1]),
    "plain": (["two", "words", "##"], ["two", "words", "##"], ["two", "words##"], [0, 1, 1]),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_tokens_are_read(kind: str) -> None:
    tokens, pieces, names, words = CASES[kind]
    axis = axis_of(tokens)
    assert (axis.pieces, axis.names, axis.words) == (pieces, names, words)


def test_special_tokens_are_known() -> None:
    special = ["[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<|endoftext|>", "<bos>", "<start_of_turn>"]
    ordinary = ["[MASK]", "[UNK]", "<unk>", "<mask>", "<", "<script>", "[x]", "<0x0A>", "s", "<|", ""]
    assert axis_of(special + ordinary).special == [True] * len(special) + [False] * len(ordinary)


def test_tokens_stay_as_they_are_if_asked() -> None:
    axis = axis_of(["un", "##seen", "Ġit", "[SEP]"], pretty=False, second=2)
    assert axis.pieces == axis.names == ["un", "##seen", "Ġit", "[SEP]"]
    assert (axis.words, axis.special, axis.second) == ([0, 1, 2, 3], [False, False, False, True], 2)


def test_a_second_text_begins_a_word() -> None:
    assert axis_of(["▁a", "b", "c", "d"], second=2).words == [0, 0, 1, 1]


@pytest.mark.parametrize("special", ["hidden", "renormalised"])
def test_labelled_maps_say_how_much_was_hidden(special: str) -> None:
    """Rows (0.98 hidden, 0.02, 0) and (0.2 hidden, 0.2, 0.6), in the second head of the second layer."""
    kept = np.array([[0.02, 0.0], [0.2, 0.6]])
    left = np.array([0.02, 0.8])
    given = kept / left[:, None] if special == "renormalised" else kept
    axes = {"layer": [1], "head": [1], "query": ["a", "b"], "key": ["a", "b"]}
    coords = {**axes, "left": (("layer", "head", "query"), left[None, None])}
    maps = xr.DataArray(given[None, None], coords, list(axes), attrs={"special": special, "stack": "encoder"})
    inputs = ViewInputs(maps, *[None] * 2, True, *[None] * 5)
    assert inputs.special == special
    found = inputs.look().map("L1H1", True, special)
    assert (found.query, found.key) == (["a", "b"], ["a", "b"])
    np.testing.assert_allclose(found.weights, given)
    np.testing.assert_allclose(found.left, left)
    assert is_scant(found.left).tolist() == [True, False]
    assert inputs.look().map("L1H1").key == ["(hidden)", "a", "b"]
    one = ViewInputs(maps.sel(layer=1, head=1), *[None] * 2, True, *[None] * 5).look()
    np.testing.assert_allclose(one.map("L1H1", True, special).left, left)
