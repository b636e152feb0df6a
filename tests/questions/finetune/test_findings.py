"""Sentences of finetune, from tables made by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from headscope.questions import VERBS
from headscope.questions.finetune.findings import is_short
from headscope.questions.finetune.options import Options
from headscope.questions.finetune.screen import next_step, screen
from headscope.results.result import Result
from tests.questions.told import told

TRAINING = [
    {"step": 10, "epoch": 0.5, "dev_loss": 0.4, "chosen": False},
    {"step": 20, "epoch": 1.0, "dev_loss": 0.31, "chosen": True},
]


def scored(data: str, low: float, constant: float, metric: str = "accuracy") -> dict[str, Any]:
    own = {"data": data, "source": f"{data}.tsv", "examples": 872, "metric": metric, "score": 0.894}
    return own | {"low": low, "high": 0.913, "majority": constant, "constant": constant}


def a_run(rows: list[dict[str, Any]]) -> Result:
    tables = {"training": pd.DataFrame(TRAINING), "finetuned": pd.DataFrame(rows)}
    return Result("finetune", tables=tables, declared=VERBS["finetune"].tables)


def asked(**columns: str) -> dict[str, Any]:
    return Options(data="a.tsv", test="a b.tsv", **columns).plain()


def test_what_was_learned() -> None:
    rows = [scored("dev", 0.875, 0.52), scored("test", 0.875, 0.52)]
    assert told("finetune", training=TRAINING, finetuned=rows) == [
        ("The model has learned the task: accuracy on test.tsv (test) is 89 % (88 to 91 %), over 872 "
         "examples; the best label alone gets 52 %.", True, None),
        ("The accuracy on dev.tsv (dev) is 89 % (88 to 91 %), over 872 examples; the same examples "
         "chose the weights, so the number may be optimistic.", False, None),
        ("The best weights were the last ones, of epoch 1 (dev loss 0.31 nats): whether more epochs would "
         "help is open.", False, None),
    ]  # fmt: skip


def test_training_that_was_too_short_is_told() -> None:
    rows = [scored("test", 0.5, 0.7)]
    assert is_short(a_run(rows))
    assert told("finetune", training=TRAINING, finetuned=rows)[-1] == (
        "The best weights were the last ones, of epoch 1 and step 20 (dev loss 0.31 nats), so what more "
        "training brings is open: try it (--epochs) before you ask what heads do for the task.",
        False,
        None,
    )


@pytest.mark.parametrize(
    "others",
    [
        {"low": 0.4, "score": 1.0, "examples": 4},  # all right, of too few
        {"low": 0.3, "score": 0.75, "examples": 4},  # all right would be too few, too: .4 beside .5
        {"low": 0.6, "score": 0.8, "examples": 40},  # it has learned
        {"constant": float("nan")},  # tags
    ],
)
def test_longer_training_is_advised_only_where_it_could_show_more(others: dict[str, float]) -> None:
    assert not is_short(a_run([scored("dev", 0.4, 0.5) | others]))


@pytest.mark.parametrize(("on_dev", "on_test", "is_told"), [(0.5, 0.8, False), (0.8, 0.5, True)])
def test_test_data_tell_whether_training_was_too_short(on_dev: float, on_test: float, is_told: bool) -> None:
    """Data that chose the weights say the opposite each time."""
    dev = scored("dev", on_dev, 0.7)
    assert is_short(a_run([dev])) != is_told
    assert is_short(a_run([dev, scored("test", on_test, 0.7)])) == is_told


def test_what_is_told_of_a_label_alone_names_its_columns() -> None:
    rows = [scored("dev", 0.875, 0.52), scored("test", 0.875, 0.52)]
    course = [row | {"seconds": 1.0, "train_loss": 0.5, "dev_score": 0.9} for row in TRAINING]
    result = a_run([row | {"loss": 0.3} for row in rows])
    result.tables["training"] = pd.DataFrame(course)
    _, (_, table), (told_of_them, _) = screen(result)
    assert table is not None
    assert [f"“{name}”" in told_of_them for name in table.columns[-3:]] == [True, True, False]


def test_what_to_do_next() -> None:
    places, options = {"model": "my run/model"}, asked()
    step = next_step(a_run([scored("test", 0.5, 0.7)]), options, places)
    assert step == "train longer: --epochs 12 and another --out"
    step = next_step(a_run([scored("test", 0.8, 0.7)]), options, places)
    assert step == "headscope ablate 'my run/model' 'a b.tsv'"
    assert next_step(a_run([scored("test", 0.8, 0.7)]), options, {}) is None


def test_the_next_command_names_the_columns_that_were_given() -> None:
    options = asked(label="my label", second="other")
    step = next_step(a_run([scored("test", 0.8, 0.7)]), options, {"model": "run/model"})
    assert step == "headscope ablate run/model 'a b.tsv' --label 'my label' --second other"


def test_weights_that_were_best_before_the_end() -> None:
    course = [*TRAINING, {"step": 30, "epoch": 1.5, "dev_loss": 0.35, "chosen": False}]
    assert told("finetune", training=course, finetuned=[scored("test", 0.875, 0.52)])[-1] == (
        "The best weights came at epoch 1 (dev loss 0.31 nats) and none after were better: that more "
        "training would help is not shown.",
        False,
        None,
    )


def test_data_that_chose_the_weights_show_nothing_where_a_label_alone_does_as_well() -> None:
    """Where test data show that it has learned, those that chose the weights are optimistic all the same."""
    dev = scored("dev", 0.875, 0.88)
    assert told("finetune", training=TRAINING, finetuned=[dev])[0] == (
        "That the model has learned the task is not shown: accuracy on dev.tsv (dev) is 89 % (88 to 91 %), "
        "over 872 examples; the best label alone gets 88 %.",
        False,
        None,
    )
    made = told("finetune", training=TRAINING, finetuned=[dev, scored("test", 0.875, 0.52)])
    assert made[0][1] and made[1][0].endswith("so the number may be optimistic.")


def test_a_label_alone_may_do_as_well() -> None:
    rows = [scored("test", 0.875, 0.88)]
    assert told("finetune", training=TRAINING, finetuned=rows)[0] == (
        "That the model has learned the task is not shown: accuracy on test.tsv (test) is 89 % (88 to 91 %), "
        "over 872 examples; the best label alone gets 88 %.",
        False,
        None,
    )


def test_tags_have_nothing_beside_them() -> None:
    rows = [scored("test", 0.875, float("nan"), "F1")]
    assert told("finetune", training=TRAINING, finetuned=rows)[0] == (
        "The F1 on test.tsv (test) is 89 % (88 to 91 %), over 872 examples; nothing simpler was measured "
        "to hold it against.",
        False,
        None,
    )
