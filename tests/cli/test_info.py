"""`info` says of a model what the verbs say."""

from __future__ import annotations

from pathlib import Path

import pytest
from transformers import BertForSequenceClassification

import headscope
from headscope.attention import Ablate, Uniform, attach
from headscope.attention.edit import Edit
from headscope.cli.info import UNTAUGHT, Options, run
from headscope.errors import ModelError, OptionError
from headscope.models import Model, load, outline
from headscope.models.pruning.projections import find_projections
from headscope.tasks.choice import task_for
from tests.cli.conftest import command
from tests.families import build, small_tokenizer


@pytest.fixture(scope="module", params=["bert", "bloom", "xlnet", "granite_swa", "gpt_oss"])
def model(request: pytest.FixtureRequest) -> Model:
    return load(build(request.param), small_tokenizer())


def told(model: Model) -> dict[str, tuple[str, str]]:
    """By analysis, whether it is possible and why not."""
    rows = headscope.info(model).table("analyses").itertuples(index=False)
    return {analysis: (possible, why) for analysis, possible, why in rows}


def refusal_of(model: Model, edit: Edit) -> str:
    """Why an edit is refused; nothing where it is not."""
    try:
        with attach(model.backbone, model.sites, edits=[edit]):
            return ""
    except ModelError as refusal:
        return str(refusal).removeprefix(f"{type(edit).__name__}: ")


def test_editing(model: Model) -> None:
    every = model.heads()
    ablating = refusal_of(model, Ablate(every))
    assert told(model)["ablating, scaling and masking heads"] == (
        ("no", ablating) if ablating else ("yes", "")
    )
    weights = refusal_of(model, Uniform(every))
    assert told(model)["editing weights"][0] == ("no" if weights else "yes")


def test_removing_says_nothing_else(model: Model) -> None:
    """What cannot be masked is not advised to be masked."""
    if model.shared_function:
        return
    with pytest.raises(ModelError) as refusal:
        find_projections(model)
    assert ("can be masked" in str(refusal.value)) == (model.why_no_edits is None)


def test_generating(model: Model) -> None:
    possible, why = told(model)["attention during generation"]
    try:
        headscope.maps(model, "w5 w6", generate=1)
    except OptionError as refusal:
        assert (possible, why) == ("no", str(refusal))
    else:
        assert (possible, why) == ("yes", "")


@pytest.mark.parametrize("model", [None, 3, ["a"]])
def test_what_is_no_model_is_told(model: object) -> None:
    with pytest.raises(ModelError, match="there is no folder"):
        headscope.info(model)


def test_notes(model: Model) -> None:
    assert headscope.info(model).notes == model.notes


def test_a_run_is_no_model(tmp_path: Path) -> None:
    run = tmp_path / "my run"
    run.mkdir()
    (run / "run.json").write_text("{}")
    done = command("info", run)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"headscope: {run} is not a model: it has no config.json (it holds run.json); it is a run: "
        f"headscope report '{run}' shows it\n"
    )


def test_of_what_is_no_run_the_error_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = ModelError("it holds no tokenizer", in_python="give one")

    def refuse(*model: object, **loading: object) -> None:
        raise said

    monkeypatch.setattr(outline, "outline", refuse)
    with pytest.raises(ModelError) as refusal:
        run(Options(model=str(tmp_path)))
    assert refusal.value is said


def test_a_task(model: Model) -> None:
    """What explains and scores takes it, or says the same."""
    possible, why_not = told(model)["a task, for ablate, explain or trust"]
    try:
        task_for(model)
    except ModelError as refusal:
        assert (possible, why_not) == ("no", UNTAUGHT if "on top" in refusal.text else refusal.text)
    else:
        assert (possible, why_not) == ("yes", "")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["bad", "good"], "classification: bad, good"),
        ([str(number) for number in range(12)], "classification: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"),
    ],
)
def test_labels_are_listed(labels: list[str], said: str) -> None:
    config = build("bert").config
    config.id2label = dict(reversed(list(enumerate(labels))))
    facts = headscope.info(load(BertForSequenceClassification(config), small_tokenizer())).table("facts")
    assert facts.set_index("fact").loc["answers", "value"] == said


def test_a_model_that_gives_a_number_has_no_task() -> None:
    config = build("bert").config
    config.num_labels = 1
    one = load(BertForSequenceClassification(config), small_tokenizer())
    possible, why_not = told(one)["a task, for ablate, explain or trust"]
    assert possible == "no"
    assert why_not.endswith("one label of several is needed")
    assert headscope.info(one).table("facts").set_index("fact").loc["answers", "value"] == (
        "nothing that can be scored"
    )
