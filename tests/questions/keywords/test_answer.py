"""keywords from files to tables, on a tiny model."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import headscope
from headscope.attention import Recorder
from headscope.blocks import number_of
from headscope.engine.planning import reading_setting
from headscope.engine.shards import Shard
from headscope.engine.work import Plan, run_shard
from headscope.errors import HeadscopeError, InputError
from headscope.measures.words import word_maps
from headscope.models import Model, sides_of
from headscope.questions.keywords.hearing import Received
from headscope.questions.keywords.options import Options
from headscope.results.result import Result
from headscope.text import Spans, cut, read_keywords
from tests.questions.keywords.made import texts, write_archive
from tests.shapes import bert  # noqa: F401
from tests.stops import Stop, results

FEW = {"twins": 0, "hidden": False}


@pytest.fixture(scope="module")
def result(bert: Model, tmp_path_factory: pytest.TempPathFactory) -> Result:  # noqa: F811
    path = write_archive(tmp_path_factory.mktemp("texts") / "set.zip", texts(24))
    return headscope.keywords(bert, path, twins=0)


def test_documents_are_parted(result: Result) -> None:
    table = result.table("keyword_texts").set_index("part")
    assert table["documents"].to_dict() == {"train": 12, "dev": 3, "test": 9}
    assert table["share"].min() > 0 and table["share"].max() < 1


def test_every_head_has_a_row(result: Result, bert: Model) -> None:  # noqa: F811
    count = len(bert.heads())
    heads = result.table("keyword_heads")
    assert len(heads) == count and sorted(heads["rank"]) == list(range(1, count + 1))
    assert heads["mix_weight"].sum() == pytest.approx(1, abs=1e-5)
    assert len(result.table("keyword_scores")) == 4 * count
    assert result.table("keyword_curve")["heads"].tolist()[-1] == count
    assert np.isnan(result.table("keyword_best")["twin"][0])


def test_what_is_heard_is_what_the_model_gives(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    """One text alone: sum and largest over words of its maps, beside others that pad it."""
    path = write_archive(tmp_path / "set.zip", texts(3))
    documents = list(read_keywords(path))
    options = Options(corpus=path)
    setting, _ = reading_setting(bert, options)
    plan = Plan(setting, [Received((0, 2), bert.module.config.hidden_size)], 64, 8, Spans(pair=False))
    done = run_shard(plan, Shard(0, documents))
    heard = done.tallies["received"]["received"].result()
    segment = next(cut(documents[0], bert.tokenizer, 64, False))
    recorder = Recorder()
    sides = sides_of(bert, next(bert.batches([segment], 1)))
    with torch.no_grad(), bert.attached([recorder]) as module:
        states = module(**sides.inputs, output_hidden_states=True).hidden_states
    maps = word_maps(
        torch.cat([own[0] for own in recorder.maps.values()], 1), segment.word[None], len(segment.words)
    )
    looks = np.array([word != "." for word in segment.words])
    own = maps[0][:, looks][..., :-1]
    (place,) = np.flatnonzero((heard.documents == number_of(documents[0].id)) & (heard.index == 0))
    rows = slice(heard.starts[place], heard.starts[place] + len(segment.words))
    assert pytest.approx(own.sum(1), rel=2e-3, abs=1e-3) == heard.vectors[rows, 0, 0].T
    assert pytest.approx(own.max(1), rel=2e-3, abs=1e-3) == heard.vectors[rows, 1, 0].T
    kept = done.tallies["received"]["hidden"].result().vectors[rows.start, 0, 1]
    first = np.flatnonzero(segment.word == 0)
    assert kept == pytest.approx(states[2][0, first].mean(0).numpy(), rel=2e-3, abs=2e-3)


def test_other_texts_to_train_on(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    own, other = (
        write_archive(tmp_path / name, texts(10, seed)) for seed, name in enumerate(("a.zip", "b.zip"))
    )
    found = headscope.keywords(bert, own, train=other, **FEW)
    table = found.table("keyword_texts").set_index("part")
    assert table["documents"].to_dict() == {"train": 8, "dev": 2, "test": 10}
    assert any("trained on b.zip; a.zip is scored whole" in note for note in found.notes)
    with pytest.raises(InputError, match="a document is in both corpora"):
        headscope.keywords(bert, own, train=own, **FEW)


def test_missing_stems_are_told(bert: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    path = write_archive(tmp_path / "set.zip", texts(6))
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    found = headscope.keywords(bert, path, **FEW)
    assert any("headscope[stems]" in note for note in found.notes)


def test_a_tagger_goes_on_where_it_was_stopped(bert: Model, tmp_path: Path) -> None:  # noqa: F811
    path = write_archive(tmp_path / "set.zip", texts(9))
    asked = {**FEW, "epochs": 1, "steps": 2, "random": 1, "speed": False, "plots": False}
    counting = Stop()
    headscope.keywords(bert, path, out=tmp_path / "whole", progress=counting, **asked)
    with pytest.raises(KeyboardInterrupt):
        headscope.keywords(bert, path, out=tmp_path / "cut", progress=Stop(counting.calls - 2), **asked)
    headscope.keywords(bert, path, out=tmp_path / "cut", **asked)
    assert results(tmp_path / "cut") == results(tmp_path / "whole")
    tagger = headscope.open(tmp_path / "whole").table("keyword_tagger")
    assert tagger["of"].tolist() == ["words", "keyphrases"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (texts(2), "2 documents; 3 are needed, to train, to choose and to score on"),
        ({str(one): ("A ship.", ["weather"]) for one in range(5)}, "no keyword occurs in its text"),
        (
            {str(one): ("A ship.", ["ship" if one == 1 else "weather"]) for one in range(6)},
            "documents of the train part have no word of a keyword",
        ),
        ({str(one): ("Ship sails", ["ship sails"]) for one in range(6)}, "part have only keywords"),
    ],
)
def test_too_little_is_refused(bert: Model, content: dict, said: str, tmp_path: Path) -> None:  # noqa: F811
    path = write_archive(tmp_path / "set.zip", content)
    with pytest.raises(HeadscopeError, match=said):
        headscope.keywords(bert, path, **FEW)


def test_shares_must_leave_something_to_score() -> None:
    with pytest.raises(HeadscopeError, match="leave nothing to score"):
        Options(corpus="a.zip", train_share=0.8, dev_share=0.2)
