"""Checksums of corpora: which data a run has read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from headscope.text.documents import Document


def digest_file(path: Path) -> str:
    """SHA-256 of the bytes of a file, as `sha256sum` prints it."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest_folder(root: Path, paths: Sequence[Path]) -> str:
    """SHA-256 over the checksum and the name within ``root`` of each file, one line per file."""
    lines = (f"{digest_file(path)}  {path.relative_to(root).as_posix()}\n" for path in paths)
    return _digest(lines)


def digest_documents(documents: Iterable[Document]) -> str:
    """SHA-256 over id, text, words and target of each document, for corpora that are no file."""
    rows = ([document.id, document.text, document.words, document.target] for document in documents)
    return _digest(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)


def _digest(lines: Iterable[str]) -> str:
    total = hashlib.sha256()
    for line in lines:
        total.update(line.encode())
    return total.hexdigest()
