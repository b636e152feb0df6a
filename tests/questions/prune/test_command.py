"""prune through the command line: curves, the smaller model, how it goes on, what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import headscope
from headscope.attention import Ablate
from headscope.heads import Head
from headscope.questions.prune.answer import Question
from headscope.questions.prune.gates import Gates
from headscope.questions.prune.options import Options
from tests.cli.conftest import command
from tests.cli.labelled import (
    save_model,
    write_tags,
    write_texts,
    write_translations,
)

SMALL = ("--steps", "4", "--random", "3", "--gate-steps", "4", "--batch-size", "8")
ORDERS = ["importance", "importance, recomputed", "single-head effect", "gates", "reversed", "random"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prune")
    save_model(folder / "classifier")
    save_model(folder / "tagger", tags=True)
    write_texts(folder / "test.tsv", 30)
    write_texts(folder / "train.tsv", 30, seed=1)
    write_tags(folder / "test.iob", 20)
    write_tags(folder / "train.iob", 20, seed=1)
    return folder


def arguments(place: Path, out: Path, *more: object) -> tuple[object, ...]:
    return ("prune", place / "classifier", place / "test.tsv", "--train", place / "train.tsv", *SMALL,
            "--out", out, *more)  # fmt: skip


@pytest.fixture(scope="module")
def finished(place: Path) -> Path:
    """A finished run; not to be changed."""
    path = place / "run"
    done = command(*arguments(place, path))
    assert done.code == 0, done.err
    (place / "printed").write_text(done.out)
    return path


def test_what_is_printed_and_written(finished: Path, place: Path) -> None:
    printed = (place / "printed").read_text()
    for part in ("by the number of heads removed", "Area under", "The smaller model", "per second"):
        assert part in printed
    run = headscope.open(finished)
    curves = run.table("pruning")
    assert list(dict.fromkeys(curves["order"])) == ORDERS
    assert sorted(curves["removed"].unique()) == [0, 2, 4, 6, 8]
    assert curves.groupby("order")["run"].nunique().to_dict() == {**dict.fromkeys(ORDERS, 1), "random": 3}
    ends = curves[curves["removed"].isin([0, 8])].groupby("removed")["score"].nunique()
    assert ends.tolist() == [1, 1], "all orders begin and end at the same model"
    assert {"pruned_model", "speed", "speed_curve", "pruning_areas", "pruning_orders"} <= set(run.tables)
    speed = run.table("speed")
    assert list(speed["batch_size"]) == [1, 4, 16, 64]
    for which in ("before", "after"):
        assert np.allclose(speed[which] * speed[f"seconds_{which}"], speed["batch_size"])
        assert (speed[f"seconds_{which}_low"] <= speed[f"seconds_{which}_high"]).all()
    for name in ("pruning", "pruning_speed"):
        assert (finished / "plots" / f"{name}.png").stat().st_size > 1000


def test_the_smaller_model_is_the_masked_one(finished: Path, place: Path) -> None:
    run = headscope.open(finished)
    order = run.table("pruning_orders").query("order == 'importance'").sort_values("place")
    first = [Head("encoder", row.layer, row.index) for row in order.itertuples(index=False)][:4]
    whole, small = headscope.load(place / "classifier"), headscope.load(finished / "model")
    assert len(small.heads()) == 4
    inputs = whole.tokenizer(["the old keeper never said", "a ship"], padding=True, return_tensors="pt")
    removed = set(first)
    left = {head.layer for head in set(whole.heads()) - removed}
    assert left == {0, 1}, "this order leaves a head in each layer"
    with torch.no_grad():
        with whole.attached(edits=[Ablate(removed)], whole=True) as module:
            masked = module(**inputs).logits
        assert torch.allclose(small.module(**inputs).logits, masked, atol=1e-5)
    sizes = run.table("pruned_model").set_index("what")
    assert sizes["after"]["heads"] == 4
    saved = 4 * (3 * (16 * 4 + 4) + 16 * 4)  # rows and biases of three matrices, columns of the fourth
    assert sizes["before"]["parameters"] - sizes["after"]["parameters"] == saved
    assert sizes["after"]["largest difference of a loss to the masked model"] < 1e-5


def test_a_run_stopped_while_gates_are_learned_goes_on_there(
    finished: Path, place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At the third of four steps, each of which is kept."""
    again, draw, drawn = arguments(place, tmp_path / "run", "--no-plots", "--quiet"), Gates.draw, []

    def stopping(self: Gates, noise: torch.Tensor) -> None:
        drawn.append(noise)
        if len(drawn) == 3:
            raise KeyboardInterrupt
        draw(self, noise)

    monkeypatch.setattr(Gates, "draw", stopping)
    assert [command(*again).code for _ in range(2)] == [130, 0]
    assert len(drawn) == 5 and torch.equal(drawn[2], drawn[3]), "the third step again, and none before"
    for name in ("pruning", "pruning_areas", "pruning_orders"):
        tables = [headscope.open(run).table(name) for run in (finished, tmp_path / "run")]
        pd.testing.assert_frame_equal(*tables, check_exact=True)


def test_another_task_beside(finished: Path, place: Path, tmp_path: Path) -> None:
    files = (place / "tagger", place / "test.iob", "--train", place / "train.iob")
    options = ("--beside", finished, "--remove", "0", "--out", tmp_path / "run")
    done = command("prune", *files, *SMALL, *options)
    assert done.code == 0, done.err
    curves = headscope.open(tmp_path / "run").table("pruning")
    assert list(curves["task"].unique()) == ["tagging: test.iob", "classification: test.tsv"]
    assert not (tmp_path / "run" / "model").exists()
    assert (tmp_path / "run" / "plots" / "pruning.png").exists()


def test_an_earlier_run_of_the_same_task_beside(finished: Path, place: Path) -> None:
    data = {"data": place / "test.tsv", "train": place / "train.tsv", "beside": finished}
    result = headscope.prune(place / "classifier", **data, steps=2, random=0, gate_steps=0, remove=0)
    areas = result.table("pruning_areas").set_index(["task", "order"])["area"]
    before = headscope.open(finished).table("pruning_areas").set_index("order")["area"]
    assert areas["classification: test.tsv (run)", "reversed"] == before["reversed"]
    assert "gates" not in areas["classification: test.tsv"].index


def test_less_than_a_head_leaves_the_model_as_it_is(place: Path, tmp_path: Path) -> None:
    data = {"data": place / "test.tsv", "train": place / "train.tsv", "out": tmp_path / "run"}
    result = headscope.prune(
        place / "classifier", **data, steps=1, random=0, gate_steps=0, remove=0.01, plots=False
    )
    assert any("not made smaller: 0 of 8 heads" in note for note in result.notes)
    assert "pruned_model" not in result.tables and not (tmp_path / "run" / "model").exists()


def test_one_stack_of_an_encoder_decoder(models: Path, tmp_path: Path) -> None:
    data, out = write_translations(tmp_path / "pairs.tsv", 6), tmp_path / "run"
    options = ("--stack", "cross", "--target", "target", "--pieces", "24", "--no-speed", "--no-plots")
    done = command("prune", models / "t5", data, "--train", data, *SMALL, *options, "--out", out)
    assert done.code == 0, done.err
    orders = headscope.open(out).table("pruning_orders")
    assert set(orders["stack"]) == {"cross"} and orders["place"].max() == 7
    small = headscope.load(out / "model")
    counts = {stack: sum(site.heads for site in small.sites_of(stack)) for stack in small.stacks()}
    assert counts == {"encoder": 8, "decoder": 8, "cross": 4}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--remove", "1.2"), "--remove must be at least 0 and below 1, not 1.2"),
        (("--order", "alphabet"), "unknown --order 'alphabet'"),
        (("--score", "loudness"), "unknown --score 'loudness'"),
        (("--stack", "cross"), "no chosen head in its cross"),
        (("--beside", "nowhere"), "nowhere"),
        (("--order", "gates", "--gate-steps", "0"), "--gate-steps"),
        (("--penalty", "-1"), "--penalty must be at least 0, not -1"),
    ],
)
def test_refusals(more: tuple[str, ...], message: str, place: Path, tmp_path: Path) -> None:
    done = command(*arguments(place, tmp_path / "run", *more))
    assert done.code == 2 and message in done.err
    assert not (tmp_path / "run").exists()


def test_training_data_is_needed(place: Path) -> None:
    done = command("prune", place / "classifier", place / "test.tsv")
    assert done.code == 2 and "prune needs --train: " in done.err


def test_the_area_of_an_order_is_that_of_its_curve(finished: Path) -> None:
    run = headscope.open(finished)
    curve = run.table("pruning").query("order == 'gates'")
    area = run.table("pruning_areas").set_index("order")["area"]["gates"]
    middle = (curve["score"].to_numpy()[1:] + curve["score"].to_numpy()[:-1]) / 2
    assert area == pytest.approx(float(np.sum(middle * 0.25)))


def test_a_quick_answer_draws_fewer_orders_and_learns_no_gates(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headscope.questions.prune.options.QUICK_ORDERS", 2)
    monkeypatch.setattr("headscope.questions.prune.options.QUICK_EXAMPLES", 12)
    data = {"data": place / "test.tsv", "train": place / "train.tsv", "steps": 4, "random": 3, "remove": 0}
    result = headscope.prune(place / "classifier", **data, gate_steps=4, quick=True)
    orders = result.table("pruning_areas")
    assert "gates" not in orders["order"].tolist() and "reversed" in orders["order"].tolist()
    said = " ".join(result.notes)
    assert "--quick: " in said and "(at most 12 examples)" in said and "of 2 random orders" in said
    kept = Options(model="", **data, gate_steps=4, quick=True, order="gates")
    assert (kept.lessons, kept.at_random, kept.scored, kept.decided_on) == (4, 2, 12, 12)


def test_the_plan_is_told_in_orders_steps_and_examples(place: Path) -> None:
    """8 heads; 30 examples of each file; 5 orders and 3 random ones, over 4 steps, on each."""
    options = Options(
        model=str(place / "classifier"), data=place / "test.tsv", train=place / "train.tsv", steps=4, random=3
    )
    heads, again, gates, curves = Question.of(options).steps
    assert (heads.what, heads.passes) == ("8 heads on 30 examples", 3 + 8 / 2)
    assert (again.what, again.words) == ("importance 3 times again", 3 * heads.words)
    assert gates.what == "gates in 300 batches"
    assert curves.what == "5 orders x 4 steps + 3 random orders on 30 examples"
    assert curves.passes == 4 * (5 + 3)
