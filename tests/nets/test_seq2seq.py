"""The GRU encoder-decoder against its formulas: what it reads, what it looks at, what it writes."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from torch import nn

from headscope.attention import Ablate, Recorder, attach, find_sites
from headscope.errors import ModelError
from headscope.models.bilingual import bilingual_words
from headscope.models.load import load, on_core
from headscope.nets.seq2seq import Attention, Encoded, Seq2seqConfig, Seq2seqForConditionalGeneration
from headscope.tasks.predictions import IGNORED, example_losses
from tests.threads import one_thread

__all__ = ["one_thread"]
KINDS = ("none", "bahdanau", "dot", "general", "concat")
LOOKS = KINDS[1:]
SMALL: dict[str, Any] = {"vocab_size": 11, "embedding_size": 6, "encoder_size": 4, "hidden_size": 8}
SOURCE = torch.tensor([[3, 5, 4, 2, 0], [7, 3, 9, 8, 2]])
REAL = torch.tensor([[1, 1, 1, 1, 0], [1] * 5])
TARGET = torch.tensor([[0, 6, 3], [0, 9, 10]])
INPUTS = {"input_ids": SOURCE, "attention_mask": REAL, "decoder_input_ids": TARGET}


def net_of(attention: str, values: str = "states", **more: Any) -> Seq2seqForConditionalGeneration:
    torch.manual_seed(0)
    config = Seq2seqConfig(**SMALL | {"attention": attention, "values": values} | more)
    return Seq2seqForConditionalGeneration(config).eval()


@pytest.mark.parametrize(("kind", "values"), list(product(KINDS, ("states", "embeddings"))))
def test_the_number_of_weights(kind: str, values: str) -> None:
    """d: word vector, n: states of a direction, m: of the decoder, v: pieces, c: of a context."""
    v, d, n, m = SMALL.values()
    c = d if values == "embeddings" and kind != "none" else 2 * n
    encoder = 2 * (3 * n * (d + n) + 6 * n)
    reads = d + (c if kind in ("none", "bahdanau") else 0)
    decoder = (2 * n * m + m) + (3 * m * (reads + m) + 6 * m) + ((m + c) * m + m)
    looks = {"none": 0, "dot": 0, "general": 2 * n * m}.get(kind, 2 * n * m + m * m + m)
    expected = v * d + encoder + decoder + looks + (m * v + v)
    assert sum(weight.numel() for weight in net_of(kind, values).parameters()) == expected


def test_weights_of_the_net_that_is_trained_by_default() -> None:
    """With 13,000 pieces: 1.66 million of word vectors, 1.16 of both halves, .84 of the adaptive softmax."""
    config = Seq2seqConfig(vocab_size=13000)
    with torch.device("meta"):
        sizes = [weight.numel() for weight in Seq2seqForConditionalGeneration(config).parameters()]
    head, first, second = 256 * 1002, 256 * 64 + 64 * 3000, 256 * 16 + 16 * 9000
    halves = 198_144 + 65_792 + 493_056 + 131_328 + 65_536 + 65_536 + 256
    assert sum(sizes) == 13000 * 128 + halves + head + first + second


@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_nothing(kind: str) -> None:
    net = net_of(kind)
    both = net(**INPUTS).logits
    alone = net(SOURCE[:1, :4], decoder_input_ids=TARGET[:1]).logits
    assert torch.allclose(alone, both[:1], atol=1e-6)


@pytest.mark.parametrize(("kind", "values"), list(product(LOOKS, ("states", "embeddings"))))
def test_it_is_heard_as_cross_attention(kind: str, values: str) -> None:
    net = net_of(kind, values)
    counting = {name: tensor[:1] for name, tensor in INPUTS.items()}
    sites, recorder, plain = find_sites(net.seq2seq, counting), Recorder(), net(**INPUTS).logits
    assert [(site.stack, site.layer, site.heads, site.queries) for site in sites.sites] == [
        ("cross", 0, 1, "piece")
    ]
    with attach(net.seq2seq, sites, [recorder]):
        assert torch.equal(net(**INPUTS).logits, plain)
    ((weights,),) = recorder.maps.values()
    assert weights.shape == (2, 1, 3, 5) and not weights[0, 0, :, 4].any(), "padding has no weight"
    assert torch.allclose(weights.sum(-1), torch.ones(2, 1, 3))
    with attach(net.seq2seq, sites, edits=[Ablate(["cross:L0H0"])]):
        assert not torch.allclose(net(**INPUTS).logits, plain)


def test_scores_by_hand() -> None:
    """s = (1, 2), h = (1, 0) and (0, 1): dot 1 and 2; general doubles them; additive has v = 1, W = U = 1."""
    h = torch.tensor([[[1.0, 0], [0, 1]]])
    source, s = Encoded(last_hidden_state=h), torch.tensor([[[1.0, 2]]])
    expected = {"dot": [1.0, 2.0], "general": [2.0, 4.0]}
    expected |= dict.fromkeys(("bahdanau", "concat"), [2 * torch.tensor(4.0).tanh().item()] * 2)
    for kind, scores in expected.items():
        attention = Attention(Seq2seqConfig(hidden_size=2, encoder_size=1, attention=kind))
        for weight in attention.parameters():
            nn.init.ones_(weight)
        if kind == "general":
            attention.key.weight.data = 2 * torch.eye(2)
        mixed = attention(s, attention.looked_at(source, torch.ones(1, 2)))
        assert torch.allclose(mixed[0, 0], torch.tensor(scores).softmax(0), atol=1e-6), kind


def test_bahdanau_written_a_second_time() -> None:
    """Equations of Bahdanau et al. 2015, section 3.1 and appendix A.1.1, one text, piece by piece."""
    net = net_of("bahdanau")
    encoder, decoder, look = net.seq2seq.encoder, net.seq2seq.decoder, net.seq2seq.decoder.attention
    e, y = net.seq2seq.embedding(SOURCE[1]), net.seq2seq.embedding(TARGET[1])
    states, last = encoder.gru(e[None])
    h, s = states[0], torch.tanh(decoder.begin(last.transpose(0, 1).flatten()))
    logits = []
    for before in y:
        energies = [look.score(torch.tanh(look.query(s) + look.key(state))) for state in h]
        alpha = torch.softmax(torch.cat(energies), 0)
        c = sum(weight * state for weight, state in zip(alpha, h, strict=True))
        s = step(decoder.gru, torch.cat([before, c]), s)
        logits.append(net.output(torch.tanh(decoder.output(torch.cat([s, c])))))
    assert torch.allclose(torch.stack(logits), net(**INPUTS).logits[1], atol=1e-5)


def step(gru: nn.GRU, x: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    """One step of a GRU, with the reset gate behind the recurrent matrix, as torch has it."""
    read = (gru.weight_ih_l0 @ x + gru.bias_ih_l0).chunk(3)
    kept = (gru.weight_hh_l0 @ s + gru.bias_hh_l0).chunk(3)
    reset, update = (torch.sigmoid(read[gate] + kept[gate]) for gate in (0, 1))
    return (1 - update) * torch.tanh(read[2] + reset * kept[2]) + update * s


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beams", [1, 3])
def test_what_it_keeps_writes_the_same_as_nothing_kept(kind: str, beams: int) -> None:
    net, read = net_of(kind), {"input_ids": SOURCE, "attention_mask": REAL}
    asked = {"do_sample": False, "num_beams": beams, "max_new_tokens": 6}
    written = net.generate(**read, **asked)
    assert torch.equal(written, net.generate(**read, **asked, use_cache=False))
    if beams == 1:
        logits = net(**read, decoder_input_ids=written[:, :-1]).logits
        ended = (written[:, 1:] == 0).cumsum(1) > 0
        assert torch.equal(logits.argmax(-1)[~ended], written[:, 1:][~ended])


@pytest.mark.parametrize("vocabulary", [11, 5000])
def test_the_short_way_to_losses_is_that_through_all_logits(vocabulary: int) -> None:
    net = net_of("bahdanau", vocab_size=vocabulary, hidden_size=16)
    assert isinstance(net.output, nn.Linear) == (vocabulary == 11)
    labels = torch.tensor([[6, 2, IGNORED], [9, vocabulary - 1, 2]])
    assert torch.allclose(
        net.losses(labels, **INPUTS), example_losses(net(**INPUTS).logits, labels), atol=1e-5
    )


def test_a_folder_is_found_by_transformers_and_by_us(tmp_path: Path) -> None:
    tokenizer = bilingual_words(["a b c d"], ["e f g h"], 1, True)
    net = net_of("concat")
    net.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    found = transformers.AutoModelForSeq2SeqLM.from_pretrained(tmp_path)
    assert torch.equal(found.eval()(**INPUTS).logits, net(**INPUTS).logits)
    model = load(tmp_path)
    assert (model.shape, model.stacks(), model.notes[:1]) == (
        "encoder-decoder",
        ["cross"],
        [note for note in model.notes if "encoder is heard" in note],
    )


@pytest.mark.parametrize(
    "told",
    [{"labels": TARGET}, {"inputs_embeds": SOURCE}, {"output_attentions": True}, {"return_dict": False}],
)
def test_what_it_has_no_use_for_is_refused_by_name(told: dict[str, Any]) -> None:
    net = net_of("bahdanau")
    with pytest.raises(TypeError, match=f"no use for {next(iter(told))}"):
        net(**INPUTS, **told)
    with pytest.raises(TypeError, match=next(iter(told))):
        net.get_encoder()(SOURCE, **told)
    assert net(**INPUTS, return_dict=True, output_attentions=None).logits.shape == (2, 3, 11)


def test_states_of_another_width_are_refused_for_dot_products() -> None:
    with pytest.raises(ValueError, match="as wide as both directions"):
        net_of("dot", hidden_size=6)


def test_without_attention_there_is_nothing_to_hear() -> None:
    with pytest.raises(ModelError, match="has no attention"):
        on_core(net_of("none", vocab_size=12), None, "none", "memory", None, [])
