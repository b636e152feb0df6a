"""What a run will need in memory, by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import headscope
from headscope.errors import ModelError
from headscope.heads import Head
from headscope.models import Model, load
from headscope.models import forecast as room
from headscope.models.forecast import (
    check_memory,
    distance_rows,
    fitting_batch,
    forecast,
    in_words,
    map_bytes,
    to_reduce,
)
from headscope.questions import VERBS
from headscope.questions.groups import OfModel
from headscope.questions.options import fields_of
from tests.battery.asked import asked_of
from tests.models.conftest import tiny_bert
from tests.nets.made import save_disan


@pytest.fixture(scope="module")
def model(wordpiece) -> Model:
    """Two layers of four heads, 16 wide."""
    return load(tiny_bert(wordpiece), wordpiece)


def test_maps_by_hand(model: Model) -> None:
    # 4 bytes x 3 segments x 8 heads x 10 x 10 pieces.
    assert map_bytes(model, pieces=10, batch_size=3) == 9600


def test_parts_by_hand(model: Model) -> None:
    found = forecast(model, 10, 3, distances=True, gradients=True, blockwise=False)
    states = 4 * 3 * 10 * 16 * 12
    assert found.parts == {
        "maps of a layer": 4 * 4 * 3 * 10 * 10 * 4,
        "hidden states": states,
        "distances": 2 * 9600,
        "gradients": 4 * 9600 + states * 2,
    }
    assert found.total == sum(found.parts.values())


def test_what_is_not_asked_for_costs_nothing(model: Model) -> None:
    found = forecast(model, 10, 3, distances=False, gradients=False, blockwise=True)
    assert {name for name, size in found.parts.items() if size} == {"hidden states"}


def test_distances_keep_to_their_budget(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    heads = [Head("encoder", layer, index) for layer in range(2) for index in range(4)]
    assert distance_rows(model, 10, 3, heads) is None
    monkeypatch.setattr(room, "DISTANCE_BUDGET", 2400)
    # A quarter of what all rows need: a quarter of ten rows.
    assert distance_rows(model, 10, 3, heads) == 2
    assert forecast(model, 10, 3, distances=True, gradients=False, blockwise=False).parts["distances"] == 4800


def test_too_much_is_refused_with_advice(model: Model) -> None:
    needed = room.Forecast({"maps of a layer": 48 * 2**30, "gradients": 13 * 2**30, "distances": 0})
    with pytest.raises(ModelError) as caught:
        check_memory(needed, to_reduce(batch_size=16, pieces=4096), available=8 * 2**30)
    assert str(caught.value) == (
        "this run needs about 61 GB above the model (maps of a layer 48 GB, gradients 13 GB), and 8 GB are "
        "free. Reduce --batch-size (now 16) or --pieces (now 4096)"
    )


def test_enough_memory_is_no_matter() -> None:
    needed = room.Forecast({"hidden states": 2**30})
    check_memory(needed, "", available=2**30)


def test_the_system_says_what_is_free() -> None:
    free = room.available_memory()
    assert free is None or 2**20 < free < 2**50


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 MB"), (5 * 2**20, "5 MB"), (2**29, "0.5 GB"), (61 * 2**30, "61 GB")]
)
def test_bytes_in_words(size: int, text: str) -> None:
    assert in_words(size) == text


@pytest.mark.parametrize(
    "verb",
    [name for name, verb in VERBS.items() if issubclass(verb.options, OfModel) and asked_of(name).memory],
)
def test_advice_names_options_that_the_verb_has(verb: str, wordpiece, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(room, "available_memory", lambda: 1000)
    monkeypatch.chdir(tmp_path)
    asked = asked_of(verb).of_model(load(tiny_bert(wordpiece), wordpiece), tmp_path)
    with pytest.raises(ModelError, match=r"^this run needs .* are free\. (Reduce|Shorten) ") as refusal:
        getattr(headscope, verb)(**asked)
    flags = {field.flag for field in fields_of(VERBS[verb].options)}
    named = re.findall(r"--[a-z-]+", str(refusal.value))
    assert {flag.replace("--no-", "--") for flag in named} <= flags
    assert bool(named) != ("Shorten the text" in str(refusal.value))


def test_a_batch_holds_as_many_segments_as_maps_of_a_layer_leave_room_for(tmp_path: Path) -> None:
    """A segment of 256 pieces needs four maps of 300 x 256 x 256 numbers of 4 bytes: 13.65 fit 4 GiB."""
    disan = load(save_disan(tmp_path / "net", 300))
    assert fitting_batch(disan, 256, most=128) == 13
    assert fitting_batch(disan, 20, most=128) == 128
    assert fitting_batch(disan, 8192, most=128) == 1
