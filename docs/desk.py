"""The folder that runs of our pictures are made in: texts of the demo, free corpora, what is made here."""

from __future__ import annotations

import json
import random
from importlib.resources import files
from pathlib import Path

from benchmarks.data import place
from benchmarks.planted_links import plant
from benchmarks.smollm2 import gguf

CORPORA = {
    "ewt-dev.conllu": "01_ud_english_ewt/en_ewt-ud-dev.conllu",
    "ewt-test.conllu": "01_ud_english_ewt/en_ewt-ud-test.conllu",
    "gum-dev.conllu.xz": "02_gum_coref/ud/en_gum-ud-dev.conllu.xz",
    "inspec.zip": "06_keyphrase/Inspec.zip",
}
"""What the desk calls files below $HEADSCOPE_DATA."""

_COLOURS = {"noir": "black", "blanc": "white", "gris": "grey", "brun": "brown", "vert": "green"}
_BEASTS = {"chat": "cat", "chien": "dog", "cheval": "horse", "cygne": "swan", "rat": "rat", "renard": "fox"}
_KINDS = [(colour, beast) for beast in _BEASTS for colour in _COLOURS]
_NAMED = [[_KINDS[(7 * line + 11 * place) % 30] for place in range(2 + line % 2)] for line in range(24)]
PAIRS = "".join(
    " ".join(f"{beast} {colour}" for colour, beast in named)
    + " ||| "
    + " ".join(f"{_COLOURS[colour]} {_BEASTS[beast]}" for colour, beast in named)
    + "\n"
    for named in _NAMED
)
"""Beasts and their colours, whose order French and English exchange."""
LINKS = "1-2 2-1 3-4 4-3\n1-2 2-1 3-4 4-3 5-6 6p5\n" * 12
"""The gold links of `PAIRS`."""

FILLER = ["the", "keeper", "of", "a", "lighthouse", "wrote", "it", "down", "and", "went", "to", "sleep"]
DECIDING = ("ship", "book")
READ = (
    "The keeper went down to sleep. It wrote a ship to the lighthouse. And it went to sleep.",
    "The keeper wrote it down. A book went to the keeper and it went to sleep.",
)


def documents(count: int = 120) -> str:
    """Documents of one to four sentences, one of which names what decides, as JSON lines."""
    drawn, lines = random.Random(0), []
    for _ in range(count):
        label = drawn.choice(DECIDING)
        sentences = [drawn.choices(FILLER, k=5) for _ in range(drawn.randrange(1, 5))]
        drawn.choice(sentences)[drawn.randrange(5)] = label
        text = ". ".join(" ".join(words) for words in sentences)
        lines.append(json.dumps({"text": f"{text}.", "label": label}))
    return "\n".join([*lines, ""])


def lay(desk: Path) -> None:
    """Put everything there is into the folder; a corpus that is not here is left out."""
    desk.mkdir(parents=True, exist_ok=True)
    texts = Path(str(files("headscope.demo")))
    for text in (*texts.glob("*.txt"), *texts.glob("*.tsv"), *texts.glob("*.conllu")):
        _link(desk / text.name, text)
    for name, corpus in CORPORA.items():
        if (found := place(corpus)) is not None:
            _link(desk / name, found)
    _link(desk / "SmolLM2-135M.gguf", gguf())
    (desk / "pairs.txt").write_text(PAIRS, "utf-8")
    (desk / "pairs.gold").write_text(LINKS, "utf-8")
    (desk / "documents.jsonl").write_text(documents(), "utf-8")
    (desk / "documents.txt").write_text("\n\n".join(READ) + "\n", "utf-8")
    if not (desk / "planted").exists():
        plant(desk / "planted")


def _link(link: Path, target: Path) -> None:
    link.unlink(missing_ok=True)
    link.symlink_to(target.resolve())
