"""train tagger: what it learns from characters, what it keeps, what it refuses."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import torch

import headscope
from headscope.errors import InputError, OptionError
from tests.cli.conftest import command
from tests.cli.labelled import write_tags, write_texts
from tests.stops import Stop
from tests.threads import one_thread

__all__ = ["one_thread"]
SMALL: dict[str, Any] = {"hidden": 16, "heads": 2, "vectors": "random", "width": 8, "batch_size": 16}


def trained(data: Path, **more: Any) -> Any:
    return headscope.train("tagger", data, **SMALL | {"epochs": 2} | more)


def write_words(path: Path, seed: int) -> Path:
    """Words of drawn letters whose ending alone tells their tag."""
    draw = random.Random(seed)
    sentences = []
    for _ in range(60):
        tags = draw.choices(("VERB", "NOUN"), k=5)
        stems = ("".join(draw.choices("abcdefgh", k=3)) for _ in tags)
        words = (f"{stem}{'ing' if tag == 'VERB' else 'ity'}" for stem, tag in zip(stems, tags, strict=True))
        sentences.append("\n".join(f"{word} {tag}" for word, tag in zip(words, tags, strict=True)))
    path.write_text("\n\n".join(sentences) + "\n")
    return path


def test_words_that_it_never_saw_are_told_by_their_endings(tmp_path: Path) -> None:
    data, test = (write_words(tmp_path / f"{seed}.iob", seed) for seed in range(2))
    asked = {"test": test, "epochs": 12, "least": 3}
    scores = {
        size: trained(data, characters=size, **asked).result.table("seeds").set_index("data")["mean"]["test"]
        for size in (16, 0)
    }
    assert scores[16] > 0.95 and scores[0] < 0.7, "the vectors of unknown words are all the same"


def test_its_folder_answers_as_it_did(tmp_path: Path) -> None:
    result, models = trained(write_tags(tmp_path / "tags.iob", 40), layers=2, out=tmp_path / "run")
    assert result.table("trained")["metric"].tolist() == ["F1"]
    again = headscope.load(tmp_path / "run/models/seed-0")
    assert again.shape == "encoder" and len(again.heads()) == 4
    ids = again.tokenizer("The Keeper never unpacked 12 books", return_tensors="pt")
    with torch.no_grad():
        assert torch.equal(again.module(**ids).logits, models[0].module(**ids).logits)
    assert command("info", tmp_path / "run/models/seed-0").code == 0


def test_vectors_stay_and_characters_are_learned(tmp_path: Path) -> None:
    tags = write_tags(tmp_path / "tags.iob", 40)
    file = tmp_path / "vectors.txt"
    file.write_text(
        "unicorn 9 9 9\n" + "".join(f"{word} 0.5 1 -1\n" for word in ("the", "old", "ship", "book"))
    )
    asked = {"vectors": str(file), "width": None, "added": 1}
    tables = [
        trained(tags, **asked, **more).models[0].module.get_input_embeddings()
        for more in ({}, {"epochs": 1}, {"freeze_vectors": False})
    ]
    assert torch.equal(tables[0].weight, tables[1].weight) and not torch.equal(
        tables[0].weight, tables[2].weight
    )
    assert not torch.equal(tables[0].characters.weight, tables[1].characters.weight)
    assert tables[0].weight.requires_grad, "frozen only while it is trained"
    assert len(tables[0].weight) == 2 + 5 and tables[0].weight[-1].tolist() == [9, 9, 9]


def test_random_vectors_are_trained_unless_asked(tmp_path: Path) -> None:
    tags = write_tags(tmp_path / "tags.iob", 40)
    for more, told in (({}, "trained, too"), ({"freeze_vectors": True}, "not trained")):
        runs = [trained(tags, epochs=epochs, **more) for epochs in (1, 2)]
        tables = [run.models[0].module.get_input_embeddings().weight for run in runs]
        assert torch.equal(*tables) == bool(more)
        assert any(note.endswith(f"random at first, and {told}") for note in runs[0].result.notes)


def test_a_training_that_was_stopped_ends_in_the_same_model(tmp_path: Path) -> None:
    tags, counting = write_tags(tmp_path / "tags.iob", 40), Stop()
    trained(tags, out=tmp_path / "whole", progress=counting)
    with pytest.raises(KeyboardInterrupt):
        trained(tags, out=tmp_path / "stopped", progress=Stop(counting.calls * 3 // 4))
    trained(tags, out=tmp_path / "stopped")
    one, other = (tmp_path / run / "models/seed-0/model.safetensors" for run in ("whole", "stopped"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("net", "more", "told"),
    [
        ("disan", {"heads": 2}, "--heads is an option of tagger and translator, and disan is to be trained"),
        ("pooled", {"layers": 2}, "--layers is an option of disan, tagger and translator, and pooled"),
        ("tagger", {"encoder": "cnn"}, "--encoder is an option of pooled"),
        ("tagger", {"hidden": 18, "heads": 4}, "--hidden 18: .* give a multiple of 4"),
        ("tagger", {"task": "classification"}, "tagger has an answer for each word"),
    ],
)
def test_options_that_do_not_fit(tmp_path: Path, net: str, more: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        headscope.train(net, write_tags(tmp_path / "tags.iob", 8), **more)


def test_data_without_tags_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it wants words with tags, not classification"):
        trained(write_texts(tmp_path / "sayings.tsv", 20))
