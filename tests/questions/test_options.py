"""Laws that the options of every verb keep, and the words in which they refuse."""

from __future__ import annotations

import json
from dataclasses import MISSING, FrozenInstanceError
from itertools import pairwise
from math import inf, nan, nextafter
from pathlib import Path
from types import NoneType
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headscope.errors import InputError, OptionError, RunError
from headscope.heads import Head
from headscope.models import Model, load
from headscope.models.pruning.removal import remove_heads
from headscope.models.twin import random_twin
from headscope.questions import VERBS
from headscope.questions.asking import options_of
from headscope.questions.groups import OfLoading, OfModel
from headscope.questions.marks import PANELS, At, Between, Group, InPython, Suffix
from headscope.questions.options import IN_MEMORY, Field, Options, fields_of, placed
from headscope.questions.sentences.options import POOLINGS
from headscope.questions.train.options import NETS_OF
from tests.cli.folders import save

NEEDED: dict[type, Any] = {Path: ("a", "b"), str: "A text."}
"""What is given where something must be, but for models and data."""


def needed(options: type[Options]) -> dict[str, Any]:
    """The least that a question can be asked with."""
    return {field.name: sample(field) for field in fields_of(options) if field.required}


def sample(field: Field) -> Any:
    if field.choices:
        return field.choices[0]
    # The name of a head, which may as well be that of a file.
    return "L0H0" if field.is_thing else NEEDED[(get_args(field.kind) or (field.kind,))[0]]


def made(verb: str, **values: Any) -> Options:
    """The options of a verb, with the least that it needs."""
    options = VERBS[verb].options
    return options(**needed(options) | values)


def by_json(options: Options) -> Options:
    """The options after run.json."""
    return type(options).from_plain(json.loads(json.dumps(options.plain())))


PATHS = st.text("ab/. ü", min_size=1, max_size=8).map(Path)
FILES = st.text("abü", min_size=1, max_size=8)
WORDS = st.text(min_size=1, max_size=8).filter(str.strip)
THINGS = st.sampled_from(["L0H0", "cross:L1H2", "decoder:L2H0"])


TRAIN = VERBS["train"].options
FITTING: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "adversary": {"given": st.just(())},
    "align": {"words": st.sampled_from([None, "spaced"]), "gold": PATHS, "more": WORDS},
    "explain": {"every": st.just(False)},
    "keywords": {"train_share": st.floats(0.1, 0.4), "dev_share": st.floats(0.1, 0.4)},
    "maps": {"second": st.none(), "target": st.none()},
    "sentences": {
        "pooling": st.lists(st.sampled_from(POOLINGS), min_size=1, max_size=4).map(tuple),
        "hidden": st.lists(st.integers(1, 500), min_size=1, max_size=4).map(tuple),
    },
    "show": {
        "view": st.sampled_from(["lines", "matrix"]), "by": st.sampled_from([(), ("flow",), ("flow,first",)]),
    },
    "train": {
        "net": st.just("disan"), "source": st.none(), "task": st.sampled_from([None, "classification"]),
        "keep": st.sampled_from([None, "epoch", "3"]), "vectors": st.sampled_from([None, "glove", "random"]),
        **{name: st.just(getattr(TRAIN, name)) for name, nets in NETS_OF.items() if "disan" not in nets},
    },
}  # fmt: skip
"""Values of a verb's options that fit together, where not all that an option takes do."""


def values_of(field: Field) -> st.SearchStrategy[Any]:
    """Values that an option takes."""
    if field.mark(InPython):
        return st.none()
    single = THINGS if field.is_thing else singles(field)
    if get_args(field.kind)[1:] == (...,):
        single = st.lists(single, min_size=2 if field.required else 0, max_size=4).map(tuple)
    if field.listed is not None:
        single |= st.lists(single, min_size=1, max_size=4).map(tuple)
    return st.none() | single if NoneType in get_args(field.type) else single


def singles(field: Field) -> st.SearchStrategy[Any]:
    kind = (get_args(field.kind) or (field.kind,))[0]
    if field.choices:
        return st.sampled_from(field.choices)
    if kind is int:
        limits = field.mark(At) or At(0)
        most = None if limits.below == inf else int(limits.below) - 1
        return st.integers(max(1, int(limits.least)), most)
    if kind is float:
        return numbers(field)
    if suffix := field.mark(Suffix):
        return st.builds("{}{}".format, FILES, st.sampled_from(suffix.allowed)).map(Path)
    return {bool: st.booleans(), str: WORDS, Path: PATHS}[kind]


def numbers(field: Field) -> st.SearchStrategy[float]:
    limits = field.mark(At) or field.mark(Between)
    assert limits is not None, f"{field.name} has no limits"
    low, high = (limits.least, limits.below) if isinstance(limits, At) else (limits.low, limits.high)
    return st.floats(low, high, exclude_min=isinstance(limits, Between), exclude_max=True)


@pytest.mark.parametrize("verb", VERBS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_recorded_is_what_was_asked(verb: str, data: st.DataObject) -> None:
    options = VERBS[verb].options
    chosen = {
        field.name: data.draw(FITTING.get(verb, {}).get(field.name, values_of(field)), field.name)
        for field in fields_of(options)
    }
    asked = options(**chosen)
    assert by_json(asked) == asked
    assert {name: getattr(asked, name) for name in chosen} == chosen


@pytest.mark.parametrize("verb", VERBS)
def test_paths_are_recorded_as_text(verb: str) -> None:
    fields = [field for field in fields_of(VERBS[verb].options) if field.is_thing and not field.is_several]
    paths = {field.name: Path("a/b.txt") for field in fields if field.mark(InPython) is None}
    asked = made(verb, **paths)
    assert {asked.plain()[name] for name in paths} <= {"a/b.txt"}
    assert by_json(asked).plain() == asked.plain()


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_has_help(verb: str) -> None:
    for field in fields_of(VERBS[verb].options):
        assert field.help[0].isupper() and field.help[-1] in ".?", field.help
        group = field.mark(Group)
        assert group is None or group.panel in PANELS, field.name


@pytest.mark.parametrize("verb", VERBS)
def test_every_default_passes_its_own_checks(verb: str) -> None:
    options = made(verb)
    for field in fields_of(VERBS[verb].options):
        if field.required:
            assert field.default is MISSING, field.name
            continue
        checked = field.checked(field.default)
        assert checked == field.default and type(checked) is type(field.default), field.name
        assert getattr(options, field.name) == field.default, field.name


@pytest.mark.parametrize("verb", VERBS)
def test_limits_hold_and_are_told(verb: str) -> None:
    marks = [(field, mark) for field in fields_of(VERBS[verb].options) for mark in field.marks]
    for field, mark in marks:
        match mark:
            case At(least, below):
                inside, outside = [least], [least - 1, *([] if below == inf else [below])]
            case Between(low, high):
                inside = [nextafter(low, inf), *([] if high == inf else [nextafter(high, low)])]
                outside = [low, nan, high]
            case _:
                continue
        for value in inside:
            assert field.checked(value) == ((value,) if field.is_several else value)
        for value in outside:
            with pytest.raises(OptionError) as refused:
                made(verb, **{field.name: value})
            assert str(refused.value) == f"{field.flag} must be {mark}, not {value}"


@pytest.mark.parametrize("verb", VERBS)
def test_arguments_have_their_places(verb: str) -> None:
    arguments = placed(fields_of(VERBS[verb].options))
    assert [mark.place for mark, _ in arguments] == list(range(len(arguments))) != []
    assert all(mark.name.isupper() for mark, _ in arguments)
    # Only a model, which comes first, may be left out before what must be given; the data of nets that are
    # trained may be two files.
    assert verb == "train" or all(
        one.required <= other.required for (_, one), (_, other) in pairwise(arguments)
    )


@pytest.mark.parametrize("verb", VERBS)
def test_options_cannot_be_changed(verb: str) -> None:
    asked = made(verb)
    with pytest.raises(FrozenInstanceError):
        asked.seed = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("verb", "values", "expected"),
    [
        ("survey", {"layers": "0,2-3"}, {"layers": (0, 2, 3)}),
        ("survey", {"layers": [3, 1], "heads": range(2)}, {"layers": (3, 1), "heads": (0, 1)}),
        ("survey", {"layers": 2}, {"layers": (2,)}),
        ("survey", {"layers": np.array([0, 2]), "heads": {1}}, {"layers": (0, 2), "heads": (1,)}),
        ("survey", {"limit": np.int64(3), "gradients": np.bool_(False)}, {"limit": 3, "gradients": False}),
        ("survey", {"known": None}, {"known": ()}),
        ("survey", {"known": "runs/a"}, {"known": ("runs/a",)}),
        ("survey", {"adapter": "a/b"}, {"adapter": Path("a/b")}),
        ("survey", {"limit": "12", "masking": "0.5"}, {"limit": 12, "masking": 0.5}),
        ("survey", {"limit": 12.0}, {"limit": 12}),
        ("finetune", {"rate": 1, "held_out": ".25"}, {"rate": 1.0, "held_out": 0.25}),
        ("finetune", {"patience": None}, {"patience": None}),
        ("compare", {"runs": ["a", Path("b")]}, {"runs": (Path("a"), Path("b"))}),
        ("compare", {"measure": "entropy"}, {"measure": ("entropy",)}),
        ("show", {"head": "L2H8"}, {"head": ("L2H8",)}),
        ("show", {"head": [Head("cross", 0, 1), "L1H1"]}, {"head": (Head("cross", 0, 1), "L1H1")}),
        ("show", {"save": "Cat.PDF"}, {"save": Path("Cat.PDF")}),
        ("prune", {"beside": ["a", "b"]}, {"beside": (Path("a"), Path("b"))}),
    ],
)
def test_what_is_taken(verb: str, values: dict[str, Any], expected: dict[str, Any]) -> None:
    asked = made(verb, **values)
    for name, value in expected.items():
        assert getattr(asked, name) == value
        assert type(getattr(asked, name)) is type(value)


@pytest.mark.parametrize(
    ("verb", "values", "told"),
    [
        # of another type
        ("survey", {"batch_size": "x"}, "--batch-size takes a whole number, not 'x'"),
        ("survey", {"batch_size": 1.5}, "--batch-size takes a whole number, not 1.5"),
        ("survey", {"batch_size": True}, "--batch-size takes a whole number, not True"),
        ("survey", {"batch_size": np.bool_(True)}, "--batch-size takes a whole number, not True"),
        ("survey", {"batch_size": None}, "--batch-size takes a whole number, not None"),
        ("survey", {"batch_size": inf}, "--batch-size takes a whole number, not inf"),
        ("survey", {"masking": "much"}, "--masking takes a number, not 'much'"),
        ("survey", {"gradients": "no"}, "--gradients takes True or False, not 'no'"),
        ("survey", {"column": 3}, "--column takes text, not 3"),
        ("survey", {"adapter": 3}, "--adapter takes a path, not 3"),
        ("survey", {"layers": [0, "one"]}, "--layers takes a whole number, not 'one'"),
        ("survey", {"layers": "one"}, "--layers 'one': write numbers from 0, such as 0,2,5-7"),
        ("retrieve", {"lengths": "long"}, "--lengths 'long': write numbers from 0, such as 512,2048"),
        ("survey", {"layers": "3-1"}, "--layers '3-1': 3-1 counts backwards"),
        ("compare", {"runs": ("a", 7)}, "--runs takes a path, not 7"),
        # out of limits
        ("survey", {"batch_size": 0}, "--batch-size must be at least 1, not 0"),
        ("survey", {"limit": -2}, "--limit must be at least 1, not -2"),
        ("survey", {"seed": 2**32}, "--seed must be at least 0 and below 4,294,967,296, not 4294967296"),
        ("survey", {"masking": 1.0}, "--masking must be between 0 and 1, not 1.0"),
        ("ablate", {"margin": 2}, "--margin must be between 0 and 1, not 2"),
        ("ablate", {"margin": nan}, "--margin must be between 0 and 1, not nan"),
        ("finetune", {"rate": 0}, "--rate must be above 0, not 0"),
        ("prune", {"remove": 1}, "--remove must be at least 0 and below 1, not 1"),
        ("syntax", {"twins": "-1"}, "--twins must be at least 0, not -1"),
        # another word
        ("ablate", {"by": "zer"}, "unknown --by 'zer'; did you mean 'zero'? Available: zero, mean"),
        ("ablate", {"by": 3}, "unknown --by '3'. Available: zero, mean"),
        ("maps", {"stack": "both"},
         "unknown --stack 'both'. Available: encoder, decoder, cross, sees_earlier, sees_later, pool, "
         "document"),
        # what does not fit together
        ("prune", {"order": "gates", "gate_steps": 0},
         "--order gates needs learned gates; let --gate-steps be above 0"),
        ("show", {"head": "two"}, "'two' is not a head; write L3H7 (layer 3, head 7, counted from 0)"),
        ("show", {"head": 5}, "'5' is not a head; write L3H7 (layer 3, head 7, counted from 0)"),
        ("show", {"head": [f"L0H{index}" for index in range(5)]}, "5 heads: a picture shows one to 4"),
        ("maps", {"save": "cat.html"}, "--save cat.html: the name must end with .safetensors"),
        ("show", {"off": "L1"}, "'L1' is not a head; write L3H7 (layer 3, head 7, counted from 0)"),
        ("show", {"save": "cat.gif"}, "--save cat.gif: the name must end with .png or .svg or .pdf or .html"),
    ],
)  # fmt: skip
def test_what_is_refused(verb: str, values: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError) as refused:
        made(verb, **values)
    assert str(refused.value) == told


def test_an_empty_text_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^the text is empty$"):
        made("maps", text=" \n")
    folder = tmp_path / "a.pdf"
    folder.mkdir()
    with pytest.raises(OptionError) as refused:
        made("show", save=folder)
    assert str(refused.value) == f"--save {folder} is a folder; name the file to write"


@pytest.mark.parametrize(
    ("verb", "arguments", "keywords", "told"),
    [
        ("survey", (), {}, "survey needs TEXT: Plain text (documents parted by blank lines), .csv, "),
        ("survey", ("default", None), {}, "survey needs TEXT: "),
        ("compare", (), {}, "compare needs RUN RUN ...: Folders of finished surveys, or one"),
        ("show", ("default", "A text."), {}, "show needs --head: Head to show, such as `L2H8`"),
        ("prune", ("default", "a.tsv"), {}, "prune needs --train: Training data, "),
        ("survey", ("", "a.txt"), {}, "MODEL is empty"),
        ("survey", ("default", ""), {}, "TEXT is empty"),
        ("prune", ("default", "a.tsv"), {"train": ""}, "--train is empty"),
        ("survey", ("default", "a.txt", "b.txt"), {}, "survey takes 2 arguments by place, not 3"),
        ("survey", ("default", "a.txt"), {"text": "b.txt"},
         "survey: 'text' is given twice, by its place and by its name"),
        ("survey", ("default", "a.txt"), {"bath_size": 3},
         "survey: unknown option 'bath_size'; did you mean 'batch_size'? Available: text, column, "),
    ],
)  # fmt: skip
def test_what_a_call_lacks_or_has_too_much(
    verb: str, arguments: tuple[Any, ...], keywords: dict[str, Any], told: str
) -> None:
    with pytest.raises(OptionError) as refused:
        options_of(VERBS[verb], arguments, keywords)
    assert str(refused.value).startswith(told)


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_that_must_be_given_can_be_left_out(verb: str) -> None:
    everything = needed(VERBS[verb].options)
    assert options_of(VERBS[verb], (), everything) == made(verb)
    for name in everything:
        with pytest.raises(OptionError, match=f"^{verb} needs "):
            options_of(VERBS[verb], (), {key: value for key, value in everything.items() if key != name})


class Loss:
    """Something that only Python has."""


@pytest.mark.parametrize(
    ("verb", "values", "name", "kind"),
    [
        ("survey", {"text": ["A text."]}, "text", "list"),
        ("survey", {"loss": Loss()}, "loss", "Loss"),
        ("survey", {"known": ["runs/a", Loss()]}, "known", "Loss"),
        ("ablate", {"other": ("A", "B")}, "other", "tuple"),
        ("prune", {"train": Loss()}, "train", "Loss"),
    ],
)
def test_things_in_memory_are_named_and_refused(
    verb: str, values: dict[str, Any], name: str, kind: str
) -> None:
    asked = made(verb, **values).plain()
    told = asked[name][-1] if isinstance(asked[name], list) else asked[name]
    assert told == {IN_MEMORY: kind}
    with pytest.raises(RunError) as refused:
        VERBS[verb].options.from_plain(json.loads(json.dumps(asked)))
    assert str(refused.value) == f"'{name}' was given in Python and is on no disk ({kind})"


def test_options_of_another_version_are_refused() -> None:
    recorded = made("compare").plain() | {"measures": []}
    with pytest.raises(RunError) as refused:
        VERBS["compare"].options.from_plain(recorded)
    assert str(refused.value) == (
        "unknown option 'measures'; did you mean 'measure'? Available: runs, measure, seed; "
        "another version wrote it"
    )


def test_what_was_decided_goes_without_things_and_loading() -> None:
    asked = made("survey", layers="0-1", dtype="float64")
    decided = asked.decided(pieces=64)
    assert decided["layers"] == (0, 1) and decided["pieces"] == 64 and asked.pieces is None
    assert not {"model", "text", "known", "loss", "adapter", "device", "dtype", "revision"} & set(decided)
    assert set(decided) < {field.name for field in fields_of(type(asked))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("models"), "bert")


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Model:
    return load(folder)


OF_MODELS = [verb for verb in VERBS if issubclass(VERBS[verb].options, OfModel)]
IN_ANY_PRECISION = [verb for verb in OF_MODELS if issubclass(VERBS[verb].options, OfLoading)]


@pytest.mark.parametrize("verb", OF_MODELS)
def test_a_loaded_model_is_recorded_by_its_place(
    verb: str, folder: Path, loaded: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = made(verb, model=loaded).plain()
    assert asked == made(verb, model=str(folder)).plain()
    monkeypatch.chdir(folder.parent)
    assert made(verb, model=load(folder.name)).plain() == asked, "from any working folder"
    assert made(verb, model=load("default")).plain() == made(verb).plain()


@pytest.mark.parametrize("verb", OF_MODELS)
def test_how_it_was_loaded_goes_with_it(verb: str, folder: Path) -> None:
    asked = made(verb, model=load(folder, dtype="float64", revision="main")).plain()
    if verb in IN_ANY_PRECISION:
        assert (asked["model"], asked["dtype"], asked["revision"]) == (str(folder), "float64", "main")
    else:
        # The verb itself could not load it in this precision.
        assert asked["model"] == {IN_MEMORY: "Model"}


@pytest.mark.parametrize("verb", OF_MODELS)
def test_what_is_on_no_disk_is_named(verb: str, folder: Path, loaded: Model) -> None:
    smaller = remove_heads(loaded, ["L0H0"])
    bare = load(loaded.module, loaded.tokenizer)
    retokenized = load(folder, tokenizer=loaded.tokenizer)
    for model in (random_twin(loaded, 0), smaller, bare, retokenized):
        assert made(verb, model=model).plain()["model"] == {IN_MEMORY: "Model"}
    assert made(verb, model=loaded.module).plain()["model"] == {IN_MEMORY: "BertForMaskedLM"}
