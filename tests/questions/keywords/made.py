"""Texts with keywords, written for these tests, and archives of them."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Mapping
from pathlib import Path

TOPICS = ("light house", "old ship", "paper boat", "night train", "stone bridge", "salt marsh")
VERBS = ("passed", "wrote of", "never saw", "kept", "left")
OTHERS = ("the keeper", "a letter", "some book", "his friend", "the road")


def texts(number: int, seed: int = 0) -> dict[str, tuple[str, list[str]]]:
    """Texts by name, each with its keywords; a keyword comes twice, and one key is not in the text."""
    draw = random.Random(seed)
    made = {}
    for place in range(number):
        topic, other = draw.sample(TOPICS, 2)
        sentences = [
            f"{draw.choice(OTHERS)} {draw.choice(VERBS)} {one} ".capitalize()
            + draw.choice(("here.", "again."))
            for one in (topic, draw.choice(OTHERS), other, topic)
        ]
        made[f"{place + 1}"] = (" ".join(sentences), [topic, other.split()[1].upper(), "weather"])
    return made


def write_table(path: Path, content: Mapping[str, tuple[str, list[str]]]) -> Path:
    """A table of texts and keywords."""
    rows = [f"{text},{';'.join(keys)}" for text, keys in content.values()]
    path.write_text("\n".join(["text,keywords", *rows]) + "\n")
    return path


def write_archive(
    path: Path, content: Mapping[str, tuple[str, list[str]]], more: Mapping[str, bytes] | None = None
) -> Path:
    """An archive of texts and key files; more: other members, or others in the place of these."""
    members = {f"Set/docsutf8/{name}.txt": text.encode() for name, (text, _) in content.items()}
    members |= {f"Set/keys/{name}.key": "\r\n".join(keys).encode() for name, (_, keys) in content.items()}
    members |= {"Set/language.txt": b"english", **(more or {})}
    with zipfile.ZipFile(path, "w") as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return path
