"""What each stack sees of a batch."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
import transformers as tf

import headscope
from headscope.errors import InputError
from headscope.models import load, sides_of
from headscope.models.sides import check_targets, shifted_right
from headscope.text import Corpus, Document, batches, cut
from tests.models.conftest import tiny_bert


def batch_of(tokenizer, *texts: tuple[str, str | None]):
    documents = [Document.from_text(f"d{n}", text, target) for n, (text, target) in enumerate(texts)]
    segments = [segment for document in documents for segment in cut(document, tokenizer, 64, False)]
    return next(iter(batches(segments, tokenizer, len(segments))))


def t5(tokenizer):
    config = tf.T5Config(
        vocab_size=len(tokenizer),
        d_model=16,
        d_kv=4,
        num_layers=1,
        num_heads=4,
        d_ff=20,
        decoder_start_token_id=0,
    )
    return load(tf.T5ForConditionalGeneration(config).eval(), tokenizer)


def test_shifting_by_hand() -> None:
    labels = torch.tensor([[7, 8, 9], [5, -100, -100]])
    config = SimpleNamespace(decoder_start_token_id=2, pad_token_id=1)
    assert shifted_right(labels, config).tolist() == [[2, 7, 8], [2, 5, 1]]


@pytest.mark.parametrize(
    ("config", "start"),
    [
        (SimpleNamespace(decoder_start_token_id=None, bos_token_id=4, pad_token_id=1), 4),
        (SimpleNamespace(decoder_start_token_id=0, bos_token_id=4, pad_token_id=1), 0),
        (SimpleNamespace(pad_token_id=1), 1),
    ],
)
def test_the_start_token(config: SimpleNamespace, start: int) -> None:
    assert shifted_right(torch.tensor([[7, 8]]), config).tolist() == [[start, 7]]


def test_an_encoder_has_one_side(wordpiece) -> None:
    model = load(tiny_bert(wordpiece), wordpiece)
    sides = sides_of(model, batch_of(wordpiece, ("a small book", None), ("he never said why, he", None)))
    assert sides.target is None and sides.labels is None
    lengths = sides.lengths("encoder")
    assert lengths.query.tolist() == lengths.key.tolist() == sides.inputs["attention_mask"].sum(1).tolist()
    assert lengths.kinds == len(model.kinds.names)
    assert lengths.query_kinds[0, 0] == model.kinds.names.index("[CLS]")


def test_the_decoder_reads_the_target(unigram_tokenizer) -> None:
    model = t5(unigram_tokenizer)
    sides = sides_of(model, batch_of(unigram_tokenizer, ("a small book", "he never said"), ("why", "a ship")))
    assert sides.labels is not None and sides.target is not None
    target_lengths = (sides.labels != -100).sum(1).tolist()
    assert sides.inputs["decoder_input_ids"][:, 1:].tolist() == sides.labels[:, :-1].clamp_min(0).tolist()
    source_lengths = sides.inputs["attention_mask"].sum(1).tolist()
    assert source_lengths != target_lengths
    found = {stack: sides.lengths(stack) for stack in ("encoder", "decoder", "cross")}
    assert found["encoder"].query.tolist() == found["encoder"].key.tolist() == source_lengths
    assert found["decoder"].query.tolist() == found["decoder"].key.tolist() == target_lengths
    assert found["cross"].query.tolist() == target_lengths
    assert found["cross"].key.tolist() == source_lengths


def test_without_a_target_the_decoder_reads_the_source_again(unigram_tokenizer) -> None:
    model = t5(unigram_tokenizer)
    sides = sides_of(model, batch_of(unigram_tokenizer, ("a small book", None), ("why", None)))
    ids, mask = sides.inputs["input_ids"], sides.inputs["attention_mask"]
    assert torch.equal(sides.labels, ids.masked_fill(mask == 0, -100))
    assert sides.lengths("cross").query.tolist() == mask.sum(1).tolist()


def test_a_target_that_is_missing_beside_others_is_told(unigram_tokenizer) -> None:
    with pytest.raises(InputError, match="document 'd1' has no target, and others have one"):
        sides_of(t5(unigram_tokenizer), batch_of(unigram_tokenizer, ("a book", "he said"), ("why", None)))


@pytest.mark.parametrize("targets", [("he said", "why", None), (None, "he said", "why")])
def test_a_survey_refuses_texts_of_which_some_have_a_target(unigram_tokenizer, targets) -> None:
    """Also where each would be in a batch of its own; an encoder has no use for any of them."""
    documents = [Document.from_text(f"d{n}", "a small book", target) for n, target in enumerate(targets)]
    with pytest.raises(InputError, match=f"document 'd{targets.index(None)}' has no target"):
        headscope.survey(t5(unigram_tokenizer), Corpus("d", "memory", lambda: iter(documents)), batch_size=1)
    check_targets(t5(unigram_tokenizer), documents[1:2])
    check_targets(load(tiny_bert(unigram_tokenizer), unigram_tokenizer), documents)


@pytest.fixture
def unigram_tokenizer(tokenizers):
    return tokenizers["unigram"]
