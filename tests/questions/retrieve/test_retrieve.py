"""Needles: where they stand, what a head scores by hand, and what is written step by step."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import torch
import transformers as tf
import xarray as xr

import headscope
from headscope.analyses.analysis import Setting
from headscope.attention import Ablate, Recorder
from headscope.engine.effort import words_of
from headscope.errors import InputError, ModelError, OptionError
from headscope.models import Model, load
from headscope.questions.retrieve import analysis
from headscope.questions.retrieve.analysis import RetrievalWork, TopKeys
from headscope.questions.retrieve.answer import Question
from headscope.questions.retrieve.known import known_table
from headscope.questions.retrieve.needles import Haystack, Trial, needle_pieces
from headscope.questions.retrieve.options import Options
from headscope.questions.retrieve.pictures import PICTURES
from headscope.questions.retrieve.screen import screen
from headscope.results.known import Known, known_frame
from headscope.results.vocabulary import RETRIEVAL
from headscope.tasks import stepping
from headscope.tasks.stepping import written_on
from tests.questions.retrieve.made import TEXT, WORD, constant_writer
from tests.shapes import widened

HAY = tuple(range(40, 140))


def segment_of(model: Model, depth: float, length: int = 60):
    (segment,) = Haystack(HAY)(Trial(length, depth, 0, ("book", "name")).document, model.tokenizer, length)
    return segment


@pytest.mark.parametrize("depth", [0.0, 0.5, 1.0])
def test_a_needle_stands_where_it_should(llama: Model, depth: float) -> None:
    segment = segment_of(llama, depth)
    asked, secret, end = needle_pieces(llama.tokenizer, "book name")
    assert len(segment) == 60
    places = np.flatnonzero(segment.word >= 0)
    assert segment.pieces[places].tolist() == secret.tolist()
    assert segment.pieces[-len(asked) :].tolist() == asked.tolist()
    hay = 60 - 1 - 2 * len(asked) - len(secret) - len(end)
    assert places[0] == 1 + round(depth * hay) + len(asked)


def test_a_head_scores_each_piece_of_a_secret_once(llama: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    segment = segment_of(llama, 0.5)
    places = np.flatnonzero(segment.word >= 0)
    secret = segment.pieces[places].tolist()
    first, second = secret[0], secret[1]
    # The strongest key of every head but the first is the first piece of all; what the first one looks at:
    steps = [(first, places[0]), (first, places[0]), (second, places[0]), (first, places[1])]

    def scripted(model, ids, count, listeners, edits, stepped):
        for piece, key in steps:
            for site in model.sites.sites:
                listeners[0].keys[site] = np.array([key if site.layer == 0 else 0, *[0] * (site.heads - 1)])
            stepped(piece)
        return [piece for piece, _ in steps]

    monkeypatch.setattr(analysis, "written_on", scripted)
    row = RetrievalWork(Setting(llama), ())._row(segment)
    assert row[1] == pytest.approx(1 / len(places)), "once, and only where the piece produced is that one"
    assert row[2:].tolist() == [0.0] * 7
    assert row[0] == pytest.approx(2 / len(places))


@pytest.mark.parametrize("length", [60, 90])
def test_a_head_that_looks_at_all_that_is_written_scores_one(llama: Model, monkeypatch, length: int) -> None:
    segment = segment_of(llama, 0.3, length)
    places = np.flatnonzero(segment.word >= 0)

    def scripted(model, ids, count, listeners, edits, stepped):
        for place in places:
            listeners[0].keys |= {site: np.array([place] * site.heads) for site in model.sites.sites}
            stepped(int(segment.pieces[place]))
        return segment.pieces[places].tolist()

    monkeypatch.setattr(analysis, "written_on", scripted)
    assert RetrievalWork(Setting(llama), ())._row(segment).tolist() == [1.0] * 9


@pytest.fixture(scope="module", params=["llama", "gpt2", "mistral"])
def writer(request: pytest.FixtureRequest, tokenizers) -> Model:
    tokenizer = tokenizers["gpt2"]
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 16}
    made = {
        "llama": lambda: tf.LlamaForCausalLM(
            tf.LlamaConfig(**sizes, intermediate_size=20, num_key_value_heads=2, vocab_size=len(tokenizer))
        ),
        "mistral": lambda: tf.MistralForCausalLM(
            tf.MistralConfig(
                **sizes,
                intermediate_size=20,
                num_key_value_heads=2,
                vocab_size=len(tokenizer),
                sliding_window=9,
            )
        ),
        "gpt2": lambda: tf.GPT2LMHeadModel(
            tf.GPT2Config(n_embd=16, n_layer=2, n_head=4, vocab_size=len(tokenizer))
        ),
    }[request.param]
    return load(widened(made()), tokenizer)


@pytest.mark.parametrize("off", [(), ("L0H1", "L1H2")])
def test_step_by_step_equals_whole_passes(writer: Model, off, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepping, "CHUNK", 7)
    ids, edits = torch.arange(30, 61), [Ablate(off)] if off else []
    top, keys = TopKeys(), []
    written = written_on(writer, ids, 4, [top], edits, lambda piece: keys.append(dict(top.keys)))
    for number, piece in enumerate(written):
        recorder = Recorder()
        read = torch.cat([ids, torch.tensor(written[:number], dtype=torch.long)])[None]
        with torch.no_grad(), writer.attached([recorder], edits, whole=True) as module:
            assert int(module(input_ids=read).logits[0, -1].argmax()) == piece
        for site, (whole,) in recorder.maps.items():
            assert keys[number][site].tolist() == whole[0, :, -1].argmax(-1).tolist()


def test_who_writes_a_secret_is_judged_and_who_does_not_is_not(tokenizers, llama: Model) -> None:
    writer = load(constant_writer(tokenizers["wordpiece"]), tokenizers["wordpiece"])
    result = headscope.retrieve(writer, TEXT.split("\n\n"), lengths=(60,), depths=3, secret=1)
    assert result.table("trials")["recall"].tolist() == [1.0] * 3
    assert result.table("trials")["secret"].tolist() == [WORD] * 3
    assert result.table("heads")["chance"].tolist() == pytest.approx([1 / 60] * 8)
    assert {*PICTURES} <= {name for name in PICTURES if PICTURES[name].needs(result)}
    other = headscope.retrieve(llama, TEXT.split("\n\n"), lengths=(58,), depths=2, secret=1)
    assert other.table("retrieval")["named"].tolist() == [0]
    assert other.table("heads")["score"].isna().all()
    assert other.table("removal")["removed"].tolist() == ["none"]
    assert [title for title, _ in screen(other)] == ["What was found again"]
    assert other.notes[0].startswith("2 trials in texts of 58 tokens; ")


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"lengths": (10_000,)}, InputError, "give a longer text"),
        ({"lengths": (63,)}, OptionError, "takes 64"),
        ({"lengths": (12,)}, OptionError, "some hay"),
    ],
)
def test_lengths_that_do_not_fit_are_refused(llama: Model, options, error, says: str) -> None:
    with pytest.raises(error, match=says):
        headscope.retrieve(llama, TEXT.split("\n\n"), secret=2, **options)


def test_a_text_too_short_for_any_needle_is_refused(llama: Model) -> None:
    with pytest.raises(InputError, match="room for 9 tokens, but needle"):
        headscope.retrieve(llama, ["A ship passed."], secret=2)


def test_keys_and_values_are_never_copied_to_grow() -> None:
    layer, states = stepping.Reserved(6), torch.arange(16.0).view(1, 2, 4, 2)
    keys, values = layer.update(states, -states)
    assert torch.equal(keys, states) and torch.equal(values, -states)
    more, _ = layer.update(states[:, :, :2], states[:, :, :2])
    assert torch.equal(more, torch.cat([states, states[:, :, :2]], 2))
    assert more.data_ptr() == keys.data_ptr() and layer.get_seq_length() == 6


def test_progress_never_goes_beyond_its_end(tokenizers) -> None:
    """Trials are gone through as they are, without the heads found, and without random ones twice."""
    writer = load(constant_writer(tokenizers["wordpiece"]), tokenizers["wordpiece"])
    hay = TEXT.split("\n\n")
    asked = {"model": writer, "text": hay, "lengths": (60,), "depths": 3, "secret": 1}
    assert words_of(Question.of(Options(**asked, draws=2)).steps) == 4 * 3
    assert words_of(Question.of(Options(**asked, remove=0)).steps) == 3


def known_of(hits: list[list[float]], retrieved: list[bool]) -> dict[str, float]:
    """The heads that get the role, with scores, from the hits of trials."""
    names = [f"L0H{index}" for index in range(len(hits[0]))]
    found = xr.Dataset(
        {"hits": (("trial", "head"), hits), "retrieved": ("trial", retrieved)}, coords={"head": names}
    )
    counted = np.array(hits)[retrieved]
    scores, errors = np.full((2, len(names)), np.nan)
    if any(retrieved):
        scores = counted.mean(0)
    if sum(retrieved) >= 6:
        errors = counted.std(0, ddof=1) / np.sqrt(len(counted))
    numbers = {"score": scores, "se": errors, "chance": 0.01, "named": scores >= 0.1}
    heads = pd.DataFrame({"head": names, **numbers})
    table = known_table(heads, found)
    assert set(table["role"]) <= {RETRIEVAL}
    return dict(zip(table["head"], table["score"], strict=True))


def test_a_head_has_the_role_where_both_halves_of_the_trials_name_it() -> None:
    """Of six trials that succeeded, every other one is a half, also where one between them did not."""
    hits = [[0.4, 0.9], [0.9, 0.9], [0.2, 0.0], [0.6, 0.8], [0.4, 0.05], [0.4, 0.9], [0.4, 0.1]]
    assert known_of(hits, [True, False, *[True] * 5]) == {"L0H0": pytest.approx(0.4)}
    assert known_of(hits, [True, False, *[True] * 4, False]) == {}, "five trials have no interval"
    assert known_of(hits, [False] * 7) == {}


def test_a_head_that_may_be_at_chance_has_no_role() -> None:
    """Both halves name it for one lucky trial each: 23 % with a standard error of 15."""
    hits = [[0.4, 0.7], [0.3, 0.7], [0.4, 0.0], [0.3, 0.0], [0.4, 0.0], [0.3, 0.0]]
    assert known_of(hits, [True] * 6) == {"L0H0": pytest.approx(0.35)}


def test_a_survey_takes_retrieval_as_a_role(tokenizers) -> None:
    writer = load(constant_writer(tokenizers["wordpiece"]), tokenizers["wordpiece"])
    hay = TEXT.split("\n\n")
    found = headscope.retrieve(writer, hay, lengths=(60,), depths=3, secret=1)
    rule = "by hand"
    found.tables[found.roles] = known_frame([Known("L1H2", RETRIEVAL, "needles", 0.7, rule)])
    quick = {"pieces": 24, "made": 0, "distances": False, "gradients": False}
    heads = headscope.survey(writer, hay, known=[found], **quick).table("heads").set_index("head")
    assert heads.loc["L1H2", ["role", "role_score", "name"]].tolist() == [RETRIEVAL, 0.7, "needles"]
    assert (heads["role"] == RETRIEVAL).sum() == 1


def test_an_encoder_is_refused(bert: Model) -> None:
    with pytest.raises(ModelError, match="does not continue a text"):
        headscope.retrieve(bert, TEXT.split("\n\n"))
