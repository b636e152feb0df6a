"""ablate through the command line: what it prints and writes, how it goes on, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import headscope
from headscope.questions import VERBS
from tests.cli.conftest import command
from tests.cli.labelled import (
    save_model,
    write_tags,
    write_texts,
    write_translations,
)

TABLES = ["ablation", "ablation_layers", "ablation_summary", "importance", "importance_agreement"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ablate")
    save_model(folder / "classifier")
    save_model(folder / "tagger", tags=True)
    write_texts(folder / "test.tsv", 40)
    write_texts(folder / "train.tsv", 30, seed=1)
    write_texts(folder / "other.tsv", 30, seed=2)
    write_tags(folder / "test.iob", 30)
    return folder


@pytest.fixture(scope="module")
def finished(place: Path) -> Path:
    """A finished run with everything; not to be changed."""
    path = place / "run"
    others = ("--train", place / "train.tsv", "--other", place / "other.tsv")
    done = command("ablate", place / "classifier", place / "test.tsv", *others, "--out", path)
    assert done.code == 0, done.err
    (place / "printed").write_text(done.out)
    return path


def test_what_is_printed(finished: Path, place: Path) -> None:
    printed = (place / "printed").read_text()
    for part in (
        "All heads in place: accuracy",
        "Heads that are missed most",
        "Layers, in percent and points",
    ):
        assert part in printed
    for name in ("importance_agreement", "ablation_agreement"):
        assert VERBS["ablate"].tables[name].title in printed


def test_what_is_written(finished: Path) -> None:
    run = headscope.open(finished)
    assert run.tables == [*TABLES, "ablation_both", "ablation_agreement"]
    table = run.table("ablation")
    assert list(table["head"]) == [f"L{layer}H{head}" for layer in range(2) for head in range(4)]
    assert set(table["verdict"]) <= {"worse", "better", "harmless", "undecided"}
    assert (table["low"] <= table["effect"]).all() and (table["effect"] <= table["high"]).all()
    assert (table["worst"] <= table["effect"]).all() and (table["p"] <= table["p_adjusted"] + 1e-12).all()
    summary = run.table("ablation_summary").iloc[0]
    assert summary[["worse", "better", "harmless", "undecided"]].sum() == summary["heads"] == 8
    layers = run.table("ablation_layers")
    assert layers["removed"].tolist() == ["all heads"] * 2 + ["all but one"] * 2
    assert layers["kept"][2].startswith("L0H") and layers["kept"][3].startswith("L1H")
    assert not (finished / "shards").exists()
    for name in ("ablation", "ablation_layers", "ablation_agreement", "importance"):
        assert (finished / "plots" / f"{name}.png").stat().st_size > 1000


def test_the_effect_of_a_head_by_hand(finished: Path, place: Path) -> None:
    """Score every example with the head's slice of the output projection set to zero."""
    import torch

    model = headscope.load(place / "classifier")
    lines = (place / "test.tsv").read_text().splitlines()[1:]
    texts, labels = zip(*(line.split("\t") for line in lines), strict=True)
    gold = torch.tensor([int(label) for label in labels])

    def accuracy() -> float:
        inputs = model.tokenizer(list(texts), padding=True, return_tensors="pt")
        with torch.no_grad():
            right = model.module(**inputs).logits.argmax(-1) == gold
        return float(right.double().mean())

    base = accuracy()
    table = headscope.open(finished).table("ablation").set_index("head")
    for layer, head in ((0, 1), (1, 2)):
        weight = model.module.bert.encoder.layer[layer].attention.output.dense.weight
        kept = weight.detach().clone()
        with torch.no_grad():
            weight[:, 4 * head : 4 * head + 4] = 0
        assert table["effect"][f"L{layer}H{head}"] == pytest.approx(accuracy() - base)
        with torch.no_grad():
            weight.copy_(kept)


def test_tagging_means_and_json(place: Path) -> None:
    options = ("--by", "mean", "--no-gradients", "--no-plots", "--heads", "0-1", "--json")
    done = command("ablate", place / "tagger", place / "test.iob", *options, cwd=place)
    assert done.code == 0, done.err
    content = json.loads(done.out)
    assert content["ablation_summary"][0]["metric"] == "F1" and len(content["ablation"]) == 4
    assert any("its mean over test.iob" in note for note in content["notes"])
    assert any("give --train" in note for note in content["notes"])


@pytest.mark.parametrize("model", ["bert", "llama"])
def test_language_models(model: str, models: Path, text: Path, place: Path) -> None:
    options = ("--limit", "4", "--pieces", "24", "--no-plots", "--quiet", "--layers", "0")
    path = place / f"run-{model}"
    done = command("ablate", models / model, text, *options, "--out", path)
    assert done.code == 0, done.err
    table = headscope.open(path).table("ablation")
    assert len(table) == 4 and (table["loss_effect"] != 0).any()


def test_the_seed_hides_other_pieces(models: Path, text: Path) -> None:
    options = {"limit": 2, "layers": (0,), "heads": (0,), "gradients": False}
    runs = [headscope.ablate(models / "bert", text, seed=seed, **options) for seed in (0, 1, 0)]
    first, second, again = (run.table("ablation_summary")["loss"][0] for run in runs)
    assert first == again != second


@pytest.mark.parametrize("metric", ["piece accuracy", "BLEU"])
def test_encoder_decoders(metric: str, models: Path, place: Path) -> None:
    """All three stacks, scored by pieces and by what the model writes."""
    data, path = write_translations(place / "pairs.tsv", 4), place / f"run-{metric[:5]}"
    options = ("--target", "target", "--metric", metric, "--layers", "0", "--pieces", "24", "--no-plots")
    done = command("ablate", models / "t5", data, *options, "--quiet", "--out", path)
    assert done.code == 0, done.err
    run = headscope.open(path)
    table = run.table("ablation")
    stacks = [name.partition(":")[0] for name in table["head"]]
    assert stacks == ["encoder"] * 4 + ["decoder"] * 4 + ["cross"] * 4
    assert run.table("ablation_summary")["metric"][0] == metric and (table["loss_effect"] != 0).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--by", "median"), "unknown --by 'median'; did you mean 'mean'? Available: zero, mean"),
        (("--margin", "1.5"), "--margin must be between 0 and 1, not 1.5"),
        (("--heads", "9"), "no head 9"),
        (("--task", "tagging"), "no tagging head"),
        (("--label", "stars"), "stars"),
    ],
)
def test_refusals(arguments: tuple[str, ...], message: str, place: Path, tmp_path: Path) -> None:
    done = command("ablate", place / "classifier", place / "test.tsv", *arguments, "--out", tmp_path / "run")
    assert done.code == 2 and message in done.err
    assert not (tmp_path / "run").exists()


def test_a_model_without_a_head_is_told_how_to_get_one(place: Path) -> None:
    done = command("ablate", "default", place / "test.tsv")
    assert done.code == 2 and "headscope finetune" in done.err
