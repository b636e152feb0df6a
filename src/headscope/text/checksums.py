"""Checksums of corpora: which data a run has read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

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
    """SHA-256 over all that a document holds, for corpora that are no file."""
    return _digest(json.dumps(_row(document), ensure_ascii=True) + "\n" for document in documents)


def digest_derived(checksum: str, maker: str) -> str:
    """SHA-256 of what ``maker`` makes of the source with a checksum."""
    return _digest([f"{checksum}  {maker}\n"])


def _row(document: Document) -> list[Any]:
    row: list[Any] = [document.id, document.text, document.words, document.target]
    if (tree := document.dependencies) is not None:
        row += [tree.heads.tolist(), tree.relations, tree.sentences.tolist(), tree.tags, tree.upos]
        row += [tree.feats] if tree.feats else []
    if (layer := document.coreference) is not None:
        row += [[astuple(mention) for mention in layer.mentions], layer.sentences.tolist(), layer.tags]
    if (edges := document.edges) is not None:
        row += [edges.edges, edges.sentences.tolist()]
    for links in document.links:
        row += [links.source.tolist(), links.target.tolist(), links.sure.tolist()]
    labels = {name: getattr(document, name) for name in ("label", "second", "tags", "split", "keywords")}
    return row + [item for item in labels.items() if item[1] is not None]


def _digest(lines: Iterable[str]) -> str:
    total = hashlib.sha256()
    for line in lines:
        total.update(line.encode())
    return total.hexdigest()
