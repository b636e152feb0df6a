"""What the pages call `my.txt`, `reviews.csv`, `sayings.tsv`, `my-model` and so on, in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from PIL import Image
from transformers import AutoTokenizer, BertConfig, BertForMaskedLM

from benchmarks.planted_links import plant
from docs.desk import LINKS, PAIRS
from headscope.models.embedded import embedded_folder
from headscope.questions import asking
from headscope.questions.pictures import available
from headscope.results.folder import Plot
from headscope.results.result import Result
from tests.mentions import conll, mixed

TEXT = """The cat sat on the mat. It slept, and the dog barked.

A second text follows here. It is short, too.

Birds sing in the morning; nobody hears them. Then they fly away.

The keeper wrote a letter. Nobody answered it, so he wrote another.

Rain fell all night. The road was wet, and the bus came late.

She opened the old book. A leaf lay in it, brown and thin.
"""
ROWS = 'id,review\n1,"Good, but slow."\n2,I would not buy it again.\n'
EDGES = "".join(
    f'{{"text": "The {thing} fell", "targets": [{{"span1": [2, 3], "span2": [0, 2], "label": "{label}"}}]}}\n'
    for thing, label in (("dog", "who"), ("rain", "what"), ("cat", "who"), ("ship", "what"), ("bird", "who"))
)
KEYED = [
    (f"The {thing} passed the old {place}. Nobody saw the {thing} again.", (thing, place))
    for thing in ("night train", "paper boat", "salt cart")
    for place in ("stone bridge", "lighthouse", "marsh", "mill")
]
ABSTRACTS = "".join(f'{{"text": "{text}", "keywords": ["{keys[0]}", "{keys[1]}"]}}\n' for text, keys in KEYED)
PAPERS = "text,keywords\n" + "".join(f"Again: {text},{';'.join(keys)}\n" for text, keys in KEYED)
VECTORS = "the 1 0 0\ncat 0 1 0.5\nsaw 0.2 0 1\nbook 0 0.7 0.1\n"


SAYINGS = "text\tlabel\n" + "".join(
    f"{start} {thing} {end}\t{label}\n"
    for thing in ("the old ship", "a small bird", "this long night", "her new book")
    for start, end, label in (("I love", "very much.", "kind"), ("Nobody likes", "any more.", "unkind"))
)
SAID_OF = (
    ("I love {} very much.", "kind"), ("Nobody likes {} any more.", "unkind"),
    ("What a joy {} is!", "kind"), ("It is a shame about {}.", "unkind"),
)  # fmt: skip


def _said(*things: str) -> str:
    """A table of texts with labels."""
    rows = (f"{text.format(thing)}\t{label}\n" for thing in things for text, label in SAID_OF)
    return "text\tlabel\n" + "".join(rows)


MINE = _said(
    "the old ship", "a small bird", "this long night", "her new book", "the red house", "our garden",
    "his song", "the first snow", "that film", "the soup",
)  # fmt: skip
OTHERS = _said("the quiet lake", "a warm coat", "this train", "her letter", "the bridge", "their bread")
PHRASES = "".join(
    f"The DT B-NP\n{thing} NN I-NP\n{verb} VBD B-VP\n. . O\n\n"
    for thing in ("rain", "dog", "keeper")
    for verb in ("stopped", "slept")
)

GREETINGS = "german\tenglish\n" + "".join(
    f"{there} {thing} .\t{here} {other} .\n"
    for there, here in (("das ist", "that is"), ("hier liegt", "here lies"), ("ich sehe", "i see"))
    for thing, other in (("ein buch", "a book"), ("kein schiff", "no ship"), ("ein alter hut", "an old hat"))
)


def _row(place: int, word: str, head: int, relation: str) -> str:
    return f"{place}\t{word}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n"


def _sentence(number: int, subject: str, verb: str, thing: str) -> str:
    words = [("The", 2, "det"), (subject, 3, "nsubj"), (verb, 0, "root"), ("a", 5, "det"), (thing, 3, "obj")]
    rows = [_row(place, *word) for place, word in enumerate([*words, (".", 3, "punct")], start=1)]
    return f"# newdoc id = d{number}\n" + "".join(rows) + "\n"


_NAMES, _VERBS, _THINGS = ("cat", "keeper", "ship", "dog"), ("saw", "found", "took"), ("book", "bird", "mat")
CONLLU = "".join(
    _sentence(number, _NAMES[number % 4], _VERBS[number % 3], _THINGS[number // 2 % 3])
    for number in range(12)
)


@pytest.fixture(scope="session")
def my_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small random model with a masked-language-model head, with as many heads as the embedded one."""
    folder = tmp_path_factory.mktemp("models") / "my-model"
    tokenizer = AutoTokenizer.from_pretrained(embedded_folder())
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=24, num_hidden_layers=6, num_attention_heads=12,
        intermediate_size=24, max_position_embeddings=128,
    )  # fmt: skip
    BertForMaskedLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def my_translator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small encoder-decoder that looks from every first word to the second, and back."""
    return plant(tmp_path_factory.mktemp("models") / "my-translator")


def blank_files_of(result: Result) -> dict[str, Plot]:
    """The pictures of a run, blank: drawing takes most of a short run's time, and the battery does it."""

    def write(path: Path) -> None:
        Image.new("RGB", (2, 2), "white").save(path, "PNG")

    return {f"{name}.png": Plot("Blank", write) for name in available(result)}


@pytest.fixture
def desk(tmp_path: Path, my_model: Path, my_translator: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder a reader of the pages works in."""
    (tmp_path / "my.txt").write_text(TEXT, "utf-8")
    (tmp_path / "reviews.csv").write_text(ROWS, "utf-8")
    (tmp_path / "sayings.tsv").write_text(SAYINGS, "utf-8")
    (tmp_path / "mine.tsv").write_text(MINE, "utf-8")
    (tmp_path / "others.tsv").write_text(OTHERS, "utf-8")
    (tmp_path / "phrases.iob").write_text(PHRASES, "utf-8")
    (tmp_path / "greetings.tsv").write_text(GREETINGS, "utf-8")
    (tmp_path / "my.conll").write_text(conll(mixed()), "utf-8")
    (tmp_path / "my.conllu").write_text(CONLLU, "utf-8")
    (tmp_path / "my-vectors.txt").write_text(VECTORS, "utf-8")
    (tmp_path / "my-edges.jsonl").write_text(EDGES, "utf-8")
    (tmp_path / "my-abstracts.jsonl").write_text(ABSTRACTS, "utf-8")
    (tmp_path / "my-papers.csv").write_text(PAPERS, "utf-8")
    (tmp_path / "pairs.txt").write_text(PAIRS, "utf-8")
    (tmp_path / "pairs.gold").write_text(LINKS, "utf-8")
    (tmp_path / "my-model").symlink_to(my_model)
    (tmp_path / "my-translator").symlink_to(my_translator)
    monkeypatch.setattr(asking, "files_of", blank_files_of)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path
