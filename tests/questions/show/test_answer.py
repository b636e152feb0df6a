"""show: the maps of a look as a result that can be drawn, with links and output as tables."""

from __future__ import annotations

import re
from copy import deepcopy

import numpy as np
import pytest

from headscope import explain, show
from headscope.errors import OptionError
from headscope.heads import Head
from headscope.models import Model, load
from headscope.questions.maps.looking import look
from headscope.questions.pictures import available
from headscope.questions.show.screen import screen

SENTENCE = "The old lighthouse keeper couldn't sleep."


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("special", ["shown", "hidden", "renormalised"])
def test_maps_are_those_of_the_look(encoder: Model, words: bool, special: str) -> None:
    result = show(encoder, SENTENCE, head=["L1H2", "L0H3"], pieces=not words, special=special)
    maps = result.arrays["maps"]
    seen = look(encoder, SENTENCE)
    for place, head in enumerate([Head("encoder", 1, 2), Head("encoder", 0, 3)]):
        expected = seen.map(head, words, special)
        one = maps.isel(example=place)
        assert str(one["head"].values) == str(head)
        assert one["query_token"].values.tolist() == expected.query
        assert one["key_token"].values.tolist() == expected.key
        np.testing.assert_array_equal(one["weights"].values, expected.weights)
    special_tokens = maps["query_token"].values[maps["query_special"].values].tolist()
    assert special_tokens == (["[CLS]", "[SEP]"] if special == "shown" else [])
    assert available(result) == ["lines", "matrix"]


def test_the_strongest_link_of_each_word(encoder: Model) -> None:
    links = show(encoder, SENTENCE, head=Head("encoder", 1, 2), special="renormalised").table("links")
    one = look(encoder, SENTENCE).map(Head("encoder", 1, 2), True, "renormalised")
    assert links["from"].tolist() == one.query
    assert links["to"].tolist() == [one.key[place] for place in one.weights.argmax(1)]
    np.testing.assert_array_equal(links["weight"], one.weights.max(1))
    assert set(links["head"]) == {"L1H2"}


def test_cross_attention_has_two_axes(translator: Model) -> None:
    maps = show(translator, SENTENCE, head="cross:L1H0", target="He wrote.").arrays["maps"]
    assert maps["query_token"].values.tolist()[1:] == ["He", "wrote", "."]
    assert maps["key_token"].values.tolist()[-1] == "</s>"
    assert maps["head"].values.tolist() == ["cross:L1H0"] and maps.attrs["stack"] == "cross"
    named = show(translator, SENTENCE, head="L1H0", target="He wrote.", stack="cross").arrays["maps"]
    np.testing.assert_array_equal(maps["weights"], named["weights"])


def test_a_decoder_needs_no_stack_before_the_name(decoder: Model) -> None:
    maps = show(decoder, SENTENCE, head="L1H0").arrays["maps"]
    assert maps.attrs["stack"] == "decoder"
    assert not maps["weights"].values[0][np.triu_indices(maps.sizes["query"], 1)].any()


def test_heads_switched_off_change_maps_and_output(encoder: Model) -> None:
    result = show(encoder, SENTENCE, head="L1H0", off=["L0H1"])
    expected = look(encoder, SENTENCE, off=[Head("encoder", 0, 1)])
    np.testing.assert_array_equal(
        result.arrays["maps"]["weights"].values[0], expected.map(Head("encoder", 1, 0)).weights
    )
    assert expected.output is not None
    assert result.table("output")["after"].tolist() == [row.after for row in expected.output.rows]
    assert "output" not in show(encoder, SENTENCE, head="L1H0").tables


@pytest.mark.parametrize(
    ("heads", "options", "message"),
    [
        (["L0H0", "L0H1", "L0H2", "L0H3", "L1H0"], {}, "5 heads: a picture shows one to 4"),
        ([], {}, "0 heads: a picture shows one to 4"),
        (["L2H0"], {}, "the model has no head L2H0 in its encoder; it has layers 0 to 1"),
        (["two"], {}, "'two' is not a head; write L3H7"),
        (["L0H0"], {"by": "a,b,c,d,e"}, "5 ways to explain: a picture shows one to 4"),
        (["L0H0"], {"view": "words"}, "name one, such as --by rollout"),
        (["L0H0"], {"by": "all"}, "--by all is of headscope explain; a picture shows one to 4 ways"),
        (["L0H0"], {"special": "gone"}, "unknown --special 'gone'"),
        (["L0H0"], {"view": "liness"}, "unknown --view 'liness'; did you mean 'lines'"),
        (["L0H0"], {"scale": "root"}, "unknown --scale 'root'"),
    ],
)
def test_mistakes(encoder: Model, heads: list[str], options: dict, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        show(encoder, SENTENCE, head=heads, **options)


def test_one_stack_at_a_time(translator: Model) -> None:
    with pytest.raises(OptionError, match="heads of encoder and cross have other tokens beside them"):
        show(translator, SENTENCE, head=["encoder:L0H0", "cross:L0H0"])


def test_the_same_head_twice_is_one(encoder: Model) -> None:
    assert show(encoder, SENTENCE, head=["L0H0", "l0h0"]).arrays["maps"].sizes["example"] == 1


def test_what_mattered_stands_beside_the_heads(masked: Model) -> None:
    text, by = "The old [MASK] wrote a book.", ["rollout", "occlusion"]
    result = show(masked, text, head="L1H2", by=by)
    expected = explain(masked, text, by=by, words=True).table("importance")
    table = result.table("importance")
    assert table["token"].tolist() == expected["token"].tolist()
    np.testing.assert_allclose(table["share"], expected["share"])
    assert available(result) == ["lines", "matrix", "words"]
    assert result.view.explanation is not None and result.view.heads == [2]
    assert [one.text.split(",")[0] for one in result.findings[1:]] == ["By rollout", "By occlusion"]
    titles = [shown.title for shown in screen(result)]
    name, says = titles[1].split(": ", 1)
    assert titles[0] == "Strongest link of each word" and says.startswith("part of each word in %")
    assert re.fullmatch(rf"piece {re.escape(table['label'][0])} \(\d+\.\d %\)", name)


def test_every_piece_that_is_written_is_explained(decoder: Model) -> None:
    result = show(decoder, SENTENCE, head="L0H1", by="attention,generic", generate=2, pieces=True)
    maps, wrote = result.arrays["maps"], result.table("importance")["by_model"]
    assert maps["query_by_model"].values.tolist() == [False] * (maps.sizes["query"] - 1) + [True]
    assert maps["key_by_model"].values.tolist() == maps["query_by_model"].values.tolist()
    assert wrote.any() and not wrote[result.table("importance")["answer"] == 0].any(), (
        "read for the second alone"
    )
    table = result.table("importance")
    assert set(table["explainer"]) == {"attention", "generic"} and set(table["answer"]) == {0, 1}
    assert table.groupby("answer")["place"].max().diff().iloc[-1] == 1


def test_repeated_words_are_told_apart_and_what_sees_itself_alone_is_marked(decoder: Model) -> None:
    links = show(decoder, "The cat saw the cat.", head="L0H1").table("links")
    assert links["from"].tolist() == ["The", "cat (1)", "saw", "the", "cat (2)", "."]
    assert links["alone"].tolist() == [True] + [False] * 5


def test_what_is_left_of_each_row_is_told(decoder: Model) -> None:
    result = show(decoder, SENTENCE, head="L0H1", special="renormalised", first_token=True)
    seen = look(decoder, SENTENCE)
    left = seen.map("L0H1").weights[1:, 1:].sum(1)
    np.testing.assert_allclose(result.table("links")["left"], left)
    np.testing.assert_allclose(result.arrays["maps"]["left"].values[0], left)
    assert result.arrays["maps"].attrs["hidden"] == [seen.stack().key.pieces[0]]
    assert (result.view.first_token, result.view.special) == (True, "renormalised")
    assert not any("rows say little" in note for note in show(decoder, SENTENCE, head="L0H1").notes)


def test_a_head_that_looks_at_the_first_token_alone_says_so(decoder: Model) -> None:
    module = deepcopy(decoder.module)
    for layer in module.transformer.h:
        layer.attn.c_attn.weight.data *= 30  # so that each row lies on few keys, be it the first
    model = load(module, decoder.tokenizer)
    result = show(model, SENTENCE, head="L1H2", special="renormalised", first_token=True)
    count = int((result.table("links")["left"] < 0.05).sum())
    assert 0 < count < len(result.table("links"))
    (note,) = result.notes
    assert note.startswith(f"L1H2: {count} of {len(result.table('links'))} rows say little, as under 5 % of")
    strongest = result.table("links").query("left >= 0.05").loc[lambda rows: rows["weight"].idxmax()]
    assert f"from “{strongest['from']}” to “{strongest['to']}”" in result.findings[0].text


def test_what_is_not_there_is_not_called_hidden(decoder: Model) -> None:
    result = show(decoder, SENTENCE, head="L0H1", special="hidden")
    assert result.arrays["maps"].attrs["hidden"] == []
    assert result.notes[0].startswith("nothing is hidden: the text has no special tokens")
    assert (
        result.arrays["maps"].sizes["key"] == show(decoder, SENTENCE, head="L0H1").arrays["maps"].sizes["key"]
    )


def test_a_first_token_that_counts_as_special_is_pale(decoder: Model) -> None:
    maps = show(decoder, SENTENCE, head="L0H1", first_token=True).arrays["maps"]
    assert maps["key_special"].values.tolist() == [True] + [False] * (maps.sizes["key"] - 1)
