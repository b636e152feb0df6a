"""Documents: where one sentence decides, the net finds it; what it is told, and what is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headscope
from headscope.errors import InputError, OptionError
from headscope.models.fingerprint import fingerprint
from tests.stops import Stop
from tests.threads import one_thread  # noqa: F401

SMALL: dict[str, Any] = {
    "vectors": "random",
    "width": 8,
    "hidden": 8,
    "least": 1,
    "batch_size": 8,
    "rate": 0.02,
}
FILLER = ["the", "keeper", "of", "a", "lighthouse", "wrote", "it", "down", "and", "went", "to", "sleep"]


def write_documents(path: Path, count: int, joint: str = ". ", seed: int = 0) -> Path:
    """Documents of one to four sentences, one of which names what decides."""
    draw, lines = random.Random(seed), []
    for _ in range(count):
        label, several = draw.choice(("ship", "book")), draw.randrange(1, 5)
        sentences = [draw.choices(FILLER, k=5) for _ in range(several)]
        draw.choice(sentences)[draw.randrange(5)] = label
        text = joint.join(" ".join(words) for words in sentences)
        lines.append(json.dumps({"text": f"{text}.", "label": label}))
    path.write_text("\n".join([*lines, ""]))
    return path


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_documents(tmp_path_factory.mktemp("data") / "documents.jsonl", 120)


@pytest.fixture(scope="module")
def run(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "han"
    headscope.train("han", documents, epochs=10, out=path, plots=False, **SMALL)
    return path


def test_it_learns_which_sentence_decides(run: Path) -> None:
    result, model = headscope.open(run), headscope.load(run / "models/seed-0")
    assert result.table("trained")["score"].tolist() == [1.0]
    assert any(note.startswith("sentences end with a period") for note in result.notes("train"))
    text = "the keeper went down. it wrote a ship to sleep. of the lighthouse."
    words = headscope.maps(model, text, stack="pool")
    assert words.sizes["query"] == 3 and words["key"].values.tolist()[3] == "down"
    (row,) = headscope.maps(model, text, stack="document").values[0, 0]
    assert row.shape == (3,) and row.sum() == pytest.approx(1, abs=1e-6)
    told = headscope.explain(model, [text], by=("occlusion",), by_sentence=True).table("sentences")
    assert told.loc[told["share"].idxmax(), "says"] == "it wrote a ship to sleep."


def test_lines_are_sentences_where_texts_have_them(tmp_path: Path) -> None:
    lines = write_documents(tmp_path / "lines.jsonl", 24, joint=".\n")
    result, models = headscope.train("han", lines, epochs=1, **SMALL)
    assert "sentences are the lines of a text" in result.notes
    assert models[0].tokenizer.init_kwargs["sentences"] == "lines"
    marks = headscope.train("han", lines, epochs=1, sentences="marks", **SMALL).models[0]
    assert marks.tokenizer.init_kwargs["sentences"] == "marks"


@pytest.mark.parametrize("pooling", ["average", "max"])
def test_poolings_are_trained_and_read_again(documents: Path, tmp_path: Path, pooling: str) -> None:
    asked: dict[str, Any] = {"epochs": 1, "pooling": pooling, "limit": 24, "plots": False, **SMALL}
    own = headscope.train("han", documents, out=tmp_path / "run", **asked).models[0]
    again = headscope.train("han", documents, out=tmp_path / "run", **asked).models[0]
    assert own.heads() == [] and fingerprint(own.module) == fingerprint(again.module)
    with pytest.raises(headscope.errors.ModelError, match="attention"):
        headscope.load(tmp_path / "run/models/seed-0")


def test_a_training_that_was_stopped_ends_in_the_same_bits(documents: Path, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"epochs": 3, "limit": 40, "plots": False, **SMALL}
    counting = Stop()
    headscope.train("han", documents, out=tmp_path / "whole", progress=counting, **asked)
    with pytest.raises(KeyboardInterrupt):
        headscope.train(
            "han", documents, out=tmp_path / "stopped", progress=Stop(counting.calls // 2), **asked
        )
    headscope.train("han", documents, out=tmp_path / "stopped", **asked)
    files = [tmp_path / name / "models/seed-0/model.safetensors" for name in ("whole", "stopped")]
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("net", "more", "told"),
    [
        ("han", {"task": "pairs"}, "han reads the sentences of one text"),
        ("han", {"task": "tagging"}, "han has one answer for a text"),
        ("pooled", {"pooling": "max"}, "--pooling is an option of han"),
        ("disan", {"sentences": "lines"}, "--sentences is an option of han"),
    ],
)
def test_options_that_do_not_fit(documents: Path, net: str, more: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        headscope.train(net, documents, **more)


def test_a_document_without_a_word_is_left_out_and_told(tmp_path: Path) -> None:
    path = write_documents(tmp_path / "documents.jsonl", 12)
    path.write_text(path.read_text() + '{"text": " ", "label": "ship"}\n')
    result = headscope.train("han", path, epochs=1, **SMALL).result
    assert any("left out, as the text has no word" in note for note in result.notes)
    sizes = [note for note in result.notes if "train examples" in note]
    assert sizes == ["11 train examples, 1 dev examples"]


def test_how_many_words_are_known_is_told(tmp_path: Path) -> None:
    """All of 12 documents are read 5 times or more but the last one, whose 6 words are unknown."""
    path = tmp_path / "documents.jsonl"
    lines = [
        {"text": "a ship came home .", "label": "ship"},
        {"text": "a book was read .", "label": "book"},
    ] * 6
    lines.append({"text": "nobody slept well last night here", "label": "book"})
    path.write_text("\n".join(json.dumps(line) for line in lines))
    dev = tmp_path / "dev.jsonl"
    dev.write_text(json.dumps(lines[0]) + "\n")
    notes = headscope.train("han", path, dev=dev, epochs=1, **SMALL | {"least": 5}).result.notes
    told = "8 words are known, those that the training data have at least 5 times (--least), 90.9% of their"
    assert any(note.startswith(told) for note in notes), notes


def test_pairs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("premise\thypothesis\tlabel\na b\tc d\t0\nb a\td c\t1\n")
    with pytest.raises(InputError, match="han has one answer for a text"):
        headscope.train("han", path, **SMALL)


def test_trust_takes_sentences_away_where_sentences_are_weighed(run: Path, documents: Path) -> None:
    """Serrano and Smith 2019: the highest weight is that of a sentence; what is left is shared out."""
    model, answers = headscope.load(run / "models/seed-0"), 6
    asked: dict[str, Any] = {"by": ("gradient-input",), "limit": answers, "words": 2, "adversaries": 2}
    result = headscope.trust(model, documents, **asked)
    (row,) = result.table("single_weights").to_dict("records")
    texts = [json.loads(line)["text"] for line in documents.read_text().splitlines()[:answers]]
    largest = [float(headscope.maps(model, text, stack="document").max()) for text in texts]
    assert row["answers"] == answers and row["largest"] == pytest.approx(np.mean(largest), abs=1e-6)
    claims = result.table("claims").set_index("claim")["value"]
    assert 0 <= claims["is needed"] <= 1 and 0 <= claims["is unique"] <= np.log(2)
