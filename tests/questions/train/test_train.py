"""What training gives: models and checkpoints that load, seeds that are as if alone, all tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import headscope
from headscope.errors import InputError, OptionError
from headscope.models.fingerprint import fingerprint
from headscope.tasks.course import Descent, Moment
from headscope.tasks.learner import Learner
from tests.cli.conftest import command
from tests.cli.labelled import write_texts
from tests.stops import Stop
from tests.threads import one_thread

__all__ = ["one_thread"]
SMALL: dict[str, Any] = {"hidden": 4, "vectors": "random", "width": 4, "epochs": 2, "batch_size": 8}
WORDS = ("sleep", "ship", "book", "night", "lighthouse", "name", "the", "old", "keeper", "wrote", "said")


@pytest.fixture
def sayings(tmp_path: Path) -> Path:
    return write_texts(tmp_path / "sayings.tsv", 40)


def trained(net: str, data: Path, **more: Any) -> Any:
    return headscope.train(net, data, **SMALL | more)


def test_each_seed_is_as_if_it_were_alone(sayings: Path) -> None:
    both, alone = trained("disan", sayings, seeds=2), trained("disan", sayings, seed=1)
    assert [*both.models] == [0, 1] and [*alone.models] == [1]
    prints = {seed: fingerprint(model.module) for seed, model in both.models.items()}
    assert prints[1] == fingerprint(alone.models[1].module) != prints[0]
    scores = both.result.table("trained").set_index("seed")["score"]
    (row,) = both.result.table("seeds").to_dict("records")
    assert row["mean"] == pytest.approx(scores.mean()) and row["models"] == 2


def test_checkpoints_are_models_the_untrained_one_too(sayings: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result, models = trained("disan", sayings, epochs=4, keep="2", out=run)
    table = result.table("checkpoints")
    assert table["folder"].tolist() == [f"checkpoints/seed-0/epoch-{epoch}" for epoch in (0, 2, 4)]
    assert table["dev_score"].isna().tolist() == [True, False, False]
    first, middle, last = (headscope.load(run / folder) for folder in table["folder"])
    assert len({fingerprint(model.module) for model in (first, middle, last)}) == 3
    shorter, _ = trained("disan", sayings, epochs=2, keep="epoch", out=tmp_path / "short")
    assert len(shorter.table("checkpoints")) == 3
    same = {0: first, 2: middle}
    for epoch, model in same.items():
        again = headscope.load(tmp_path / "short" / f"checkpoints/seed-0/epoch-{epoch}")
        assert fingerprint(again.module) == fingerprint(model.module), epoch
    kept = result.table("training")
    if kept["chosen"].iloc[-1]:
        assert fingerprint(models[0].module) == fingerprint(last.module)


def test_vectors_of_a_file_are_taken_and_frozen(sayings: Path, tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("".join(f"{word} {place} 0.5 -1\n" for place, word in enumerate(WORDS)))
    asked = {"vectors": str(file), "width": None}
    frozen = trained("pooled", sayings, **asked, freeze_vectors=True).models[0]
    moved = trained("pooled", sayings, **asked).models[0]
    row = frozen.tokenizer.convert_tokens_to_ids("keeper")
    vectors = [model.module.get_input_embeddings().weight[row] for model in (frozen, moved)]
    assert torch.equal(vectors[0], torch.tensor([8.0, 0.5, -1.0]))
    assert not torch.equal(vectors[0], vectors[1])
    assert frozen.module.get_input_embeddings().weight.requires_grad, "only while it is trained"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("ship 1 2 3\n", "vectors.txt:1: vectors of 3 numbers, where --width asks for 4"),
        ("12 3\nship 1 2 3\n", "vectors.txt:2: vectors of 3 numbers, where --width asks for 4"),
        ("old 1 2 3 4\nship 1 2\n", "vectors.txt:2: 2 numbers after the word, 4 expected"),
    ],
)
def test_vectors_of_another_width_are_refused(sayings: Path, tmp_path: Path, lines: str, told: str) -> None:
    (tmp_path / "vectors.txt").write_text(lines)
    done = command("train", "disan", sayings, "--vectors", "vectors.txt", "--width", 4, cwd=tmp_path)
    assert (done.code, done.out) == (2, "") and told in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("net", "more", "told"),
    [
        ("disan", {"encoder": "cnn"}, "--encoder is an option of pooled"),
        ("pooled", {"layers": 2}, "--layers is an option of disan"),
        ("pooled", {"task": "tagging"}, "pooled has one answer for a text"),
        ("pooled", {"encoder": "cnn", "hidden": 6}, "--hidden 6: .* give a multiple of 4"),
        ("disan", {"keep": "often"}, "--keep takes `epoch` or a number"),
        ("disan", {"vectors": "nowhere.txt"}, "no such file"),
    ],
)
def test_options_that_do_not_fit(sayings: Path, net: str, more: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        trained(net, sayings, **more)


def test_pairs(tmp_path: Path) -> None:
    rows = [f"old {word}\tsaid {other}\t{int(word == other)}" for word in WORDS for other in WORDS[:4]]
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join(["premise\thypothesis\tlabel", *rows]) + "\n")
    for net in ("disan", "pooled"):
        models = trained(net, path, epochs=1, out=tmp_path / net).models
        assert models[0].module.config.texts == 2
        again = headscope.ablate(tmp_path / net / "models/seed-0", path, limit=8, heads=(0,))
        assert len(again.table("ablation"))
    one = write_texts(tmp_path / "single.tsv", 8)
    with pytest.raises(InputError, match=r"single\.tsv:1: .*second"):
        headscope.ablate(models[0], one)


def test_tagging_and_the_next_word(tmp_path: Path) -> None:
    tags = tmp_path / "phrases.iob"
    tags.write_text("the B-NP\nold I-NP\nship I-NP\nnever O\n\nsaid O\nthe B-NP\nname I-NP\n\n" * 8)
    result, models = trained("disan", tags, dev=tags)
    assert result.table("trained")["metric"].tolist() == ["F1"]
    assert models[0].stacks() == ["sees_earlier", "sees_later"]
    text = tmp_path / "plain.txt"
    text.write_text("the old keeper wrote the name of the ship .\n\n" * 24)
    result, models = trained("disan", text, dev=text, task="causal", hidden=16, epochs=20, rate=0.02)
    assert models[0].stacks() == ["sees_earlier"] and models[0].shape == "decoder"
    assert result.table("trained")["score"].iloc[0] > 0.8, "a sentence learned by heart"


def test_features_are_driven_apart(tmp_path: Path) -> None:
    """With the penalty, maps of features are less alike than without."""
    data = write_texts(tmp_path / "sayings.tsv", 60)
    asked = {"epochs": 12, "rate": 0.01}
    alike = [mean_likeness(trained("disan", data, apart=weight, **asked).models[0]) for weight in (0.0, 3.0)]
    assert alike[1] < alike[0] - 0.02


def mean_likeness(model: Any) -> float:
    map = headscope.maps(model, "never said the old keeper wrote", stack="sees_earlier").values[0]
    directions = map / (map**2).sum(-1, keepdims=True).clip(1e-9) ** 0.5
    cosines = (directions[:, None] * directions[None]).sum(-1)[..., 2:].mean(-1)
    heads = len(map)
    return float((cosines.sum() - heads) / (heads * (heads - 1)))


def test_adadelta_by_hand() -> None:
    """Zeiler 2012, algorithm 1, first step: - sqrt(eps) / sqrt((1 - rho) g^2 + eps) g, times the rate."""
    weight = torch.tensor([3.0], requires_grad=True)
    descent = Descent(0.5, "adadelta", "flat", decay=0.0, clip=None, rho=0.95, eps=1e-2)
    learner = Learner({"w": weight}, lambda batch, step: 2 * weight, descent)
    learner.learn(torch.zeros(1), Moment(0, 0, 1))
    step = 0.5 * 0.1 / (0.05 * 4 + 0.01) ** 0.5 * 2
    assert weight.item() == pytest.approx(3 - step, abs=1e-6)


def test_a_training_that_was_stopped_keeps_the_same_models(sayings: Path, tmp_path: Path) -> None:
    """In the middle of the second of two seeds: every checkpoint and model ends in the same bits."""
    counting = Stop()
    trained("disan", sayings, seeds=2, keep="epoch", out=tmp_path / "whole", progress=counting)
    again = {"seeds": 2, "keep": "epoch", "out": tmp_path / "stopped"}
    with pytest.raises(KeyboardInterrupt):
        trained("disan", sayings, **again, progress=Stop(counting.calls * 3 // 4))
    trained("disan", sayings, **again)
    names = sorted(path.relative_to(tmp_path / "whole") for path in tmp_path.glob("whole/*/**/*.safetensors"))
    assert len(names) == 2 * (3 + 1)
    for name in names:
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "stopped" / name).read_bytes(), name
