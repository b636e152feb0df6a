"""Hidden states: against the model's own, pooled by hand, in shards, stopped and gone on with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from headscope.analyses.analysis import Setting
from headscope.analyses.hidden_states import HiddenStates, OfSpans, Units, of_sentence, of_words
from headscope.blocks import number_of
from headscope.engine.gathering import Gathered, gather
from headscope.engine.work import Plan
from headscope.errors import InputError, ModelError
from headscope.models import Model
from headscope.models.states import hidden_states, measure_states
from headscope.results.folder import RunFolder
from headscope.tallies.hidden import Hidden
from headscope.text import Segment, Spans, Windows, read
from tests.stops import Stop

POOLINGS = ("mean", "first", "last", "max")


def plan_of(model: Model, **asked: object) -> Plan:
    layers, dim = measure_states(model)
    states = HiddenStates(tuple(range(layers)), dim, **asked)
    return Plan(Setting(model), [states], 32, 2, Spans(pair=False), characters=60)


def shards_of(plan: Plan, texts: list[str], folder: Path, stop: Stop | None = None) -> Gathered:
    return gather(plan, read(texts), "states", RunFolder(folder), stop)


def hidden_of(plan: Plan, texts: list[str], folder: Path, stop: Stop | None = None) -> Hidden:
    shards = shards_of(plan, texts, folder, stop)
    return Hidden.joined([done.tallies["hidden"]["hidden"].result() for done in shards])


def segment_of(word: list[int], words: int) -> Segment:
    """A segment with special pieces where the word is -1."""
    special = np.array(word) < 0
    return Segment("d", 0, np.arange(len(word)), None, special, np.array(word), ("w",) * words, (0,))


def test_pooled_by_hand() -> None:
    """[CLS] two pieces of the first word, none of the second, one of the third, [SEP]; and padding."""
    segment = segment_of([-1, 0, 0, 2, -1], 3)
    assert of_words(segment).tolist() == [[1, 3], [3, 3], [3, 4]]
    flat = torch.tensor([[9.0, 9], [1, -4], [3, -2], [10, 5], [7, 7], [1000, 1000]])
    words = Units.of([of_words(segment)], [segment], 6)
    assert words.known.tolist() == [True, False, True] and words.sizes.tolist() == [3]
    assert words.pool(flat, "mean").tolist() == [[2, -3], [0, 0], [10, 5]]
    assert words.pool(flat, "max").tolist() == [[3, -2], [0, 0], [10, 5]]
    assert words.pool(flat, "first").tolist() == [[1, -4], [0, 0], [10, 5]]
    assert words.pool(flat, "last").tolist() == [[3, -2], [0, 0], [10, 5]]
    whole = Units.of([of_sentence(segment)], [segment], 6)
    assert whole.pool(flat, "first").tolist() == [[9, 9]] and whole.pool(flat, "last").tolist() == [[7, 7]]
    assert whole.pool(flat, "mean").tolist() == [pytest.approx([14 / 3, -1 / 3])]
    assert whole.pool(flat, "max").tolist() == [[10, 5]], "special pieces do not count"


def test_spans_by_hand() -> None:
    """Spans may overlap, and may begin or end with a word that has no piece."""
    segment = segment_of([-1, 0, 0, 2, 3, -1], 4)
    spans = OfSpans(lambda segment: np.array([[0, 2], [1, 4], [1, 2], [0, 4]]))
    assert spans(segment).tolist() == [[1, 3], [3, 5], [3, 3], [1, 5]]
    units = Units.of([spans(segment)], [segment], 6)
    flat = torch.arange(6.0)[:, None]
    assert units.pool(flat, "mean")[:, 0].tolist() == [1.5, 3.5, 0, 2.5]
    assert units.pool(flat, "last")[:, 0].tolist() == [2, 4, 0, 4]


@pytest.mark.parametrize("family", ["bert", "llama", "t5", "bart"])
def test_equals_the_models_own(family: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Each text by itself, without padding, through the model as transformers runs it."""
    model: Model = request.getfixturevalue(family)
    texts = ["a ship passed by", "why", "The keeper never said why, at night."]
    plan = plan_of(model, precision="float32", poolings=POOLINGS, ranges=of_sentence)
    found = hidden_of(plan, texts, tmp_path)
    rows = {number: row for row, number in enumerate(found.documents.tolist())}
    for document in read(texts):
        (segment,) = plan.segments([document])
        inputs = {"input_ids": torch.from_numpy(segment.pieces)[None]}
        encoder = model.shape == "encoder-decoder"
        module = model.module.get_encoder() if encoder else model.backbone
        with torch.no_grad():
            own = module(**inputs, output_hidden_states=True).hidden_states
        plain = torch.from_numpy(~segment.special)
        row = found.vectors[rows[number_of(document.id)]]  # (pooling, layer, dim)
        assert len(own) == row.shape[1] == 3
        for layer, states in enumerate(own):
            expected = [states[0][plain].mean(0), states[0][0], states[0][-1], states[0][plain].amax(0)]
            np.testing.assert_allclose(row[:, layer], torch.stack(expected), rtol=2e-4, atol=2e-5)


def test_chosen_layers_and_words(bert: Model, texts: list[str], tmp_path: Path) -> None:
    plan = plan_of(bert)
    every = hidden_of(plan, texts, tmp_path / "all")
    asked = replace(plan.analyses[0], layers=(2, 0))
    some = hidden_of(replace(plan, analyses=[asked]), texts, tmp_path / "some")
    assert np.array_equal(some.vectors, every.vectors[:, :, [2, 0]])
    assert every.vectors.dtype == np.float16 and every.known.all()
    words = sum(len(document.words) for document in read(texts))
    assert len(every.vectors) == every.sizes.sum() == words


def test_stopped_and_gone_on_with(bert: Model, texts: list[str], tmp_path: Path) -> None:
    plan = plan_of(bert, poolings=POOLINGS)
    one_go = shards_of(plan, texts, tmp_path / "one")
    with pytest.raises(KeyboardInterrupt):
        shards_of(plan, texts, tmp_path / "two", Stop(after=3))
    rest = Stop()
    other = shards_of(plan, texts, tmp_path / "two", rest)
    assert rest.segments == one_go.total.segments == other.total.segments and len(one_go.numbers) > 2
    for number in one_go.numbers:
        first, second = (shards.part.read(number)[0] for shards in (one_go, other))
        assert first.keys() == second.keys()
        assert all(first[name].tobytes() == second[name].tobytes() for name in first)


def test_one_shard_in_memory(bert: Model, texts: list[str], tmp_path: Path) -> None:
    """A shard holds as much of a long corpus as of a short one."""
    short, long = (shards_of(plan_of(bert), texts * times, tmp_path / str(times)) for times in (1, 4))
    sizes = [
        max(len(done.tallies["hidden"]["hidden"].result().vectors) for done in each) for each in (short, long)
    ]
    assert sizes[0] == sizes[1] and len(long.numbers) > 3 * len(short.numbers)
    long.drop()
    assert not long.part.numbers()


def test_refusals(bert: Model, tmp_path: Path) -> None:
    plan = plan_of(bert)
    one_word = tmp_path / "one.conllu"
    one_word.write_text("1\tlighthousekeepers\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    long = replace(plan, pieces=4, cutter=Windows(9))
    with pytest.raises(InputError, match="1 words are skipped, a word of more than 4 pieces"):
        gather(long, read(one_word), "states", RunFolder(tmp_path))

    class Large:
        """Gives a state that 16 bits cannot hold."""

        hidden_states = (torch.full((1, 3, 16), 1e6),) * 3

    units = Units.of([of_sentence(segment_of([-1, 0, -1], 1))], [segment_of([-1, 0, -1], 1)], 3)
    work = plan.analyses[0].work(plan.setting)
    with pytest.raises(ModelError, match="--precision float32"):
        work._pooled(units, Large.hidden_states[0])


def test_nothing_stays_behind(bert: Model) -> None:
    """Evaluation mode, kernel and hooks are as they were."""
    bert.module.train()
    try:
        ids = {"input_ids": torch.tensor([[1, 2, 3]])}
        first, second = hidden_states(bert, ids), hidden_states(bert, ids)
        assert all(torch.equal(*pair) for pair in zip(first, second, strict=True))
        assert bert.module.training
    finally:
        bert.module.eval()
