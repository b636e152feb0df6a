"""Nets go from task to task, and refuse texts of another number than they were made for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import headscope
from headscope.models.task_heads import with_head
from headscope.nets.disan import DisanConfig, DisanForSequenceClassification
from tests.cli.conftest import command
from tests.cli.labelled import write_tags, write_texts
from tests.cli.test_mistakes import refused
from tests.nets.made import SIZES, save_causal, save_disan, save_net

PAIRS = "premise\thypothesis\tlabel\n" + "the ship\ta book\t0\nthe old keeper\tsleep\t1\n" * 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nets for the next word, for one text and for two, and data of each kind."""
    made = tmp_path_factory.mktemp("nets")
    save_causal(made / "lm", size=4)
    save_disan(made / "one", size=4)
    config = DisanConfig(embedding_size=4, hidden_size=4, texts=2, **SIZES)
    save_net(made / "two", DisanForSequenceClassification(config))
    write_texts(made / "one.tsv", 24)
    write_tags(made / "tags.iob", 24)
    (made / "two.tsv").write_text(PAIRS)
    return made


@pytest.mark.parametrize("data", ["one.tsv", "tags.iob"])
def test_a_language_model_learns_another_task(folder: Path, data: str) -> None:
    result, model = headscope.finetune(folder / "lm", folder / data, epochs=1)
    assert len(result.table("finetuned"))
    assert {"sees_earlier", "sees_later"} <= {*model.stacks()}


def test_a_folder_that_still_tells_directions_and_pool_is_read(folder: Path, tmp_path: Path) -> None:
    """As nets were saved at first."""
    old = save_causal(tmp_path / "old", size=4)
    told = json.loads((old / "config.json").read_text())
    (old / "config.json").write_text(json.dumps(told | {"pooled": False, "directions": ["sees_earlier"]}))
    headed = with_head(old, "texts", ["0", "1"])
    assert headed.model.stacks() == ["sees_earlier", "sees_later", "pool"]


def test_the_weights_that_both_tasks_have_are_kept(folder: Path) -> None:
    before = headscope.load(folder / "lm").module.state_dict()
    headed = with_head(folder / "lm", "texts", ["0", "1"])
    after = headed.model.module.state_dict()
    shared = [name for name in before if name.startswith("disan.")]
    assert shared and all(torch.equal(before[name], after[name]) for name in shared)
    assert any("sees_later" in name for name in headed.new), "which the language model does not have"


@pytest.mark.parametrize("verb", ["finetune", "ablate", "prune"])
@pytest.mark.parametrize(
    ("net", "data", "told"),
    [("one", "two.tsv", "was made for single texts"), ("two", "one.tsv", "second")],
)
def test_other_numbers_of_texts_are_refused(folder: Path, verb: str, net: str, data: str, told: str) -> None:
    train = ("--train", folder / data) if verb == "prune" else ()
    refused(command(verb, folder / net, folder / data, *train), told)


def test_a_second_text_is_not_explained_to_a_net_for_one(folder: Path) -> None:
    refused(command("explain", folder / "one", "the ship", "--second", "a book"), "made for single texts")


def test_second_texts_can_be_left_out(folder: Path) -> None:
    alone = ("--task", "classification", "--column", "premise")
    done = command("ablate", folder / "one", folder / "two.tsv", *alone, cwd=folder)
    assert done.code == 0, done.err
