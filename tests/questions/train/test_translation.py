"""train seq2seq and translator: parallel text in, a model out that writes, is heard and is scored by BLEU."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import headscope
from headscope.attention import Recorder
from headscope.errors import InputError, ModelError, OptionError
from headscope.models.sides import shifted_right
from headscope.questions.train.written import Written, bleu_table, own_bleu, sacrebleu_of
from tests.cli.conftest import command
from tests.stops import Stop
from tests.threads import one_thread

__all__ = ["one_thread"]
LETTERS = "abcdefgh"
SMALL: dict[str, Any] = {"hidden": 16, "epochs": 1, "batch_size": 16, "dropout": 0.0}
GRU: dict[str, Any] = {**SMALL, "width": 8, "least": 1}
TRANSFORMER: dict[str, Any] = {**SMALL, "layers": 1, "heads": 2, "subwords": 40}


def reversed_letters(count: int, seed: int, longest: int = 5) -> list[tuple[str, str]]:
    """Letters, and the same ones from behind."""
    draw = random.Random(seed)
    texts = [draw.choices(LETTERS, k=draw.randint(3, longest)) for _ in range(count)]
    return [(" ".join(text), " ".join(reversed(text))) for text in texts]


def write_table(path: Path, rows: list[tuple[str, str]]) -> Path:
    path.write_text("forwards\tbackwards\n" + "".join(f"{source}\t{target}\n" for source, target in rows))
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, and the same as two files of lines, one of them compressed."""
    folder = tmp_path_factory.mktemp("parallel")
    rows = reversed_letters(40, 0)
    write_table(folder / "pairs.tsv", rows)
    (folder / "lines.x").write_text("".join(f"{source}\n" for source, _ in rows))
    with gzip.open(folder / "lines.y.gz", "wt") as stream:
        stream.write("".join(f"{target}\n" for _, target in rows))
    return folder


@pytest.fixture(scope="module")
def run(data: Path) -> Path:
    headscope.train("seq2seq", data / "pairs.tsv", **GRU, out=data / "run", plots=False)
    return data / "run/models/seed-0"


def test_files_and_table_are_the_same(data: Path, run: Path) -> None:
    files: dict[str, Any] = {"source": data / "lines.x", "target": str(data / "lines.y.gz")}
    result, models = headscope.train("seq2seq", **files, **GRU)
    assert result.table("trained")["metric"].tolist() == ["BLEU"]
    again = headscope.load(run)
    ids = again.tokenizer(["a b c"], return_tensors="pt")
    with torch.no_grad():
        logits = [
            each.module(**ids, decoder_input_ids=ids["input_ids"]).logits for each in (again, models[0])
        ]
    assert torch.allclose(logits[0], logits[1], atol=1e-6)
    notes = " ".join(result.notes)
    assert "11 words of both languages" in notes and "written greedily" in notes


def test_a_training_that_was_stopped_ends_in_the_same_bits(data: Path, tmp_path: Path) -> None:
    nets: dict[Any, dict[str, Any]] = {"seq2seq": GRU, "translator": TRANSFORMER}
    for net, sizes in nets.items():
        asked: dict[str, Any] = {**sizes, "epochs": 2, "dropout": 0.2, "plots": False}
        counting, whole, stopped = Stop(), tmp_path / f"{net}-whole", tmp_path / f"{net}-stopped"
        headscope.train(net, data / "pairs.tsv", **asked, out=whole, progress=counting)
        with pytest.raises(KeyboardInterrupt):
            again = Stop(counting.calls * 2 // 3)
            headscope.train(net, data / "pairs.tsv", **asked, out=stopped, progress=again)
        headscope.train(net, data / "pairs.tsv", **asked, out=stopped)
        (weights,) = whole.glob("models/**/*.safetensors")
        assert weights.read_bytes() == (stopped / weights.relative_to(whole)).read_bytes(), net


def aligned(model: Any, rows: list[tuple[str, str]]) -> np.ndarray:
    """How far behind the letter that is written the weight is highest, (text, step); all of one length."""
    sources, targets = (model.tokenizer(list(side), return_tensors="pt") for side in zip(*rows, strict=True))
    recorder, steps = Recorder(), targets["input_ids"].shape[1] - 1
    with torch.no_grad(), model.attached([recorder]) as module:
        module(**sources, decoder_input_ids=shifted_right(targets["input_ids"], model.module.config))
    ((weights,),) = recorder.maps.values()
    return (weights[:, 0, :steps].argmax(-1) - torch.arange(steps - 1, -1, -1)).numpy()


def test_reversal_is_aligned_from_behind(tmp_path: Path) -> None:
    """The task with a known answer: what is written at a step stands at one place of the source."""
    data = write_table(tmp_path / "pairs.tsv", reversed_letters(500, 0))
    test = [row for row in reversed_letters(120, 1) if len(row[0]) == 9]
    held = write_table(tmp_path / "test.tsv", test)
    asked = {**GRU, "hidden": 32, "width": 16, "epochs": 6, "rate": 0.02, "batch_size": 32}
    result, models = headscope.train("seq2seq", data, dev=held, **asked, values="embeddings")
    assert result.table("trained")["score"].item() > 0.9
    assert (aligned(models[0], test) == 0).mean() > 0.95


def test_a_small_transformer_has_three_kinds_of_heads_and_is_ablated_by_bleu(data: Path) -> None:
    _, models = headscope.train("translator", data / "pairs.tsv", **TRANSFORMER, family="bart")
    model = models[0]
    assert model.stacks() == ["encoder", "decoder", "cross"] and len(model.heads()) == 6
    asked: dict[str, Any] = {"metric": "bleu", "limit": 4, "train": data / "pairs.tsv", "train_limit": 4}
    ablated = headscope.ablate(model, data / "pairs.tsv", gradients=False, **asked)
    assert {*ablated.table("ablation_layers")["stack"]} == {"encoder", "decoder", "cross"}
    assert (
        len(ablated.table("ablation")) == 6 and ablated.table("ablation_summary")["metric"].eq("BLEU").all()
    )


@pytest.mark.parametrize("verb", ["ablate", "explain", "trust"])
def test_other_verbs_take_the_net(data: Path, run: Path, verb: str) -> None:
    more = {
        "ablate": ("--metric", "bleu", "--limit", 4),
        "explain": ("--limit", 1, "--by", "attention,erasure"),
        "trust": ("--limit", 1),
    }[verb]
    done = command(verb, run, data / "pairs.tsv", *more, "--no-plots", "--quiet", cwd=data)
    assert done.code == 0, done.err


def test_what_has_no_attention_is_trained_and_refused_by_all_others(data: Path) -> None:
    out = data / "none"
    result, models = headscope.train("seq2seq", data / "pairs.tsv", **GRU, attention="none", out=out)
    assert len(result.table("bleu")) and models[0].stacks() == []
    with pytest.raises(ModelError, match="has no attention"):
        headscope.load(out / "models/seed-0")


def test_bleu_by_quarters_of_length_is_that_of_sacrebleu() -> None:
    pytest.importorskip("sacrebleu")
    draw = random.Random(2)
    made = []
    for number in range(40):
        wanted = draw.choices(LETTERS, k=4 + number % 7)
        written = [letter if draw.random() < 0.8 else "a" for letter in wanted][: draw.randint(4, 12)]
        made.append(Written(str(number), "", wanted, written, len(wanted)))
    table = bleu_table({"test": made})
    scores = table.pivot(index="quarter", columns="scorer", values="bleu")
    assert len(scores) == 5 and np.allclose(scores["headscope"], scores["sacrebleu"], atol=1e-9)
    assert table["tokenisation"].str.startswith("none").all()
    all_of_it = table[(table["quarter"] == "all") & (table["scorer"] == "headscope")]
    assert all_of_it["bleu"].item() == own_bleu(made) and all_of_it["examples"].item() == 40


def test_none_of_equally_long_sources_are_the_longest() -> None:
    made = [Written(str(number), "", list("abcd"), list("abcd"), 4) for number in range(8)]
    assert set(bleu_table({"test": made})["quarter"]) == {"all"}
    assert len(set(bleu_table({"test": [*made, made[0]._replace(words=5)]})["quarter"])) == 5


def test_sacrebleu_does_not_speak_of_words_that_are_parted_on_purpose(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pytest.importorskip("sacrebleu")
    line = ["a", "b", "c", "."]
    assert sacrebleu_of([Written("", "", line, line, 4)] * 200) == pytest.approx(1)
    assert not caplog.records


@pytest.mark.parametrize("name", ["pairs.txt", "pairs", "pairs.txt.gz"])
def test_plain_text_has_no_translations(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(b"a ||| b\n") if name.endswith("gz") else b"a ||| b\n")
    with pytest.raises(InputError, match=r"is plain text.*give a table.*--source .*--target FILE"):
        headscope.train("translator", tmp_path / name)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (("a\nb\n", "c\n"), r"x has 2 lines, but .*y has 1 line"),
        (("a\n", "c\nd\n"), r"x has 1 line.*, but .*y has 2 lines"),
        (("a\n\n", "c\nd\n"), r"x:2: the source is empty"),
        (("a\nb\n", "c\n \n"), r"y:2: the target is empty"),
    ],
)
def test_lines_without_a_translation(tmp_path: Path, files: tuple[str, str], told: str) -> None:
    for name, text in zip("xy", files, strict=True):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=told):
        headscope.train("seq2seq", source=tmp_path / "x", target=str(tmp_path / "y"), **GRU)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"net": "seq2seq"}, "there is nothing to train on"),
        ({"net": "seq2seq", "source": "x"}, "give the file of its translations"),
        ({"net": "seq2seq", "data": "a", "source": "x", "target": "y"}, "two ways to give the same"),
        ({"net": "seq2seq", "data": "a", "task": "tagging"}, "seq2seq writes a text"),
        ({"net": "seq2seq", "data": "a", "attention": "tanh"}, "--attention of seq2seq"),
        ({"net": "seq2seq", "data": "a", "hidden": 5}, "give an even number"),
        ({"net": "translator", "data": "a", "hidden": 10}, "give a multiple of 4"),
        ({"net": "translator", "data": "a", "values": "embeddings"}, "--values is an option of seq2seq"),
        ({"net": "disan", "data": "a", "source": "x"}, "--source is an option of seq2seq and translator"),
        ({"net": "disan", "data": "a", "task": "translation"}, "disan writes no text"),
    ],
)
def test_options_that_do_not_fit(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        headscope.train(**asked)
