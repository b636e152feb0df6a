"""Models by name: loaded once, when asked for; from many threads; one that fails spoils nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from headscope.errors import ModelError, OptionError
from headscope.heads import Head
from headscope.models import Model
from headscope.questions.maps.live import Models, short_names
from headscope.questions.maps.looking import look
from headscope.web.live.explorer import Explorer, cards

SENTENCE = "The old lighthouse keeper couldn't sleep."


def test_models_are_what_the_page_asks_for(encoder: Model, decoder: Model) -> None:
    explorer: Explorer = Models({"one": encoder, "two": decoder})
    assert [(card.name, card.loaded) for card in cards(explorer)] == [("one", False), ("two", False)]
    explorer.look("two", SENTENCE)
    first, second = cards(explorer)
    assert (first.loaded, first.shape) == (False, None)
    assert (second.loaded, second.shape, second.longest) == (True, "decoder", 1024)


def test_a_model_is_loaded_once(tmp_path: Path, encoder: Model) -> None:
    encoder.module.save_pretrained(tmp_path / "tiny")
    encoder.tokenizer.save_pretrained(tmp_path / "tiny")
    models = Models([str(tmp_path / "tiny")])
    assert models.names() == ["tiny"] and models.describe("tiny") is None
    before = models.look("tiny", SENTENCE)
    for path in (tmp_path / "tiny").iterdir():
        path.unlink()
    again = models.look("tiny", SENTENCE)
    np.testing.assert_array_equal(before.stacks[0].sheets[1].weights, again.stacks[0].sheets[1].weights)


def test_what_fails_to_load_fails_alone_and_each_time(tmp_path: Path, encoder: Model) -> None:
    models = Models({"gone": str(tmp_path / "gone"), "here": encoder})
    for _ in range(2):
        with pytest.raises(ModelError, match="there is no folder"):
            models.look("gone", SENTENCE)
    assert models.describe("gone") is None
    assert models.look("here", SENTENCE).windows == 1


def test_a_model_is_called_as_it_is_shown(encoder: Model, decoder: Model) -> None:
    models = Models({"one/bert": encoder, "two/bert": decoder})
    assert [models.look(name, SENTENCE).model for name in models.names()] == ["one/bert", "two/bert"]
    with pytest.raises(OptionError, match="one/bert is an encoder; it does not generate"):
        models.look("one/bert", SENTENCE, generate=1)
    assert Models(["default"]).look("default", SENTENCE).model == "all-MiniLM-L6-v2"


def test_unknown_names_are_told_with_those_that_exist(encoder: Model) -> None:
    with pytest.raises(OptionError, match=r"unknown model 'her'; did you mean 'here'\? Available: here"):
        Models({"here": encoder}).look("her", SENTENCE)


def test_threads_do_not_mix_their_edits(encoder: Model) -> None:
    models = Models({"one": encoder})
    wishes = [[Head("encoder", 0, index)] for index in range(4)] * 4
    alone = [look(encoder, SENTENCE, off=off).output for off in wishes]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda off: models.look("one", SENTENCE, off=off).output, wishes))
    assert together == alone
    assert len({output.rows[0].after for output in alone if output}) == 4


def test_a_failing_look_leaves_the_model_usable(encoder: Model) -> None:
    models = Models({"one": encoder})
    with pytest.raises(OptionError):
        models.look("one", SENTENCE, off=[Head("encoder", 7, 0)])
    assert models.look("one", SENTENCE).output is None


def test_names_that_would_be_the_same_are_told_apart(tmp_path: Path) -> None:
    folders = [tmp_path / "base" / "bert", tmp_path / "tuned" / "bert", tmp_path / "gpt"]
    named = short_names(["default", *map(str, folders), "bert", str(folders[2])])
    assert list(named) == ["default", "base/bert", "tuned/bert", "gpt", "bert"]
    assert list(named.values()) == ["default", *map(str, folders), "bert"]
