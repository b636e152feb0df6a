"""How often something is read, parsed or hashed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from headscope.models import fingerprint
from headscope.text import parsing, readers


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Documents that came from files or through a parser, files and models that were hashed, from now on."""
    found: Counter[str] = Counter()

    def counting(name: str, items: Iterator[Any]) -> Iterator[Any]:
        for item in items:
            found[name] += 1
            yield item

    def counted(name: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        return lambda *given, **options: counting(name, function(*given, **options))

    for suffix, reader in readers.READERS.items():
        monkeypatch.setitem(readers.READERS, suffix, counted("read", reader))

    load, digest, sha256 = parsing._load, readers.digest_file, fingerprint.sha256

    def loaded(name: str) -> Any:
        pipeline = load(name)
        pipe = counted("parsed", pipeline.pipe)
        return SimpleNamespace(meta=pipeline.meta, max_length=pipeline.max_length, pipe=pipe)

    def digested(path: Path) -> str:
        found["digested"] += 1
        return digest(path)

    def hashed(*given: bytes) -> Any:
        found["hashed"] += 1  # of a model its weights, its configuration and its tokenizer
        return sha256(*given)

    monkeypatch.setattr(parsing, "_load", loaded)
    monkeypatch.setattr(readers, "digest_file", digested)
    monkeypatch.setattr(fingerprint, "sha256", hashed)
    return found
