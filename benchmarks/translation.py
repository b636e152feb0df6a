"""Attention between sequences: GRUs with and without it and a small transformer, German to English."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import headscope
from benchmarks.data import ROOT, path
from benchmarks.rows import Row, show, told
from benchmarks.timing import computing_with, counted, seconds_of
from headscope.text.readers.parallel import spelled

FOLDER = "08_multi30k_parallel"
SETS = {"train": "train", "dev": "val", "test": "test_2016_flickr", "other": "test_2017_mscoco"}
BUILT = ROOT / "build" / "translation"
"""Where the complete run is kept, so that a stopped one goes on."""

GRU: dict[str, Any] = {"batch_size": 64, "plots": False}
TRANSFORMER: dict[str, Any] = {"batch_size": 64, "plots": False}


def files() -> dict[str, str]:
    """The four sets, each as two files of lines."""
    return {
        name: spelled(*(path(f"{FOLDER}/{file}.{language}.gz") for language in ("de", "en")))
        for name, file in SETS.items()
    }


def trained(place: Path, net: str, **options: Any) -> Any:
    """A net trained in a folder, or read from there, with the processor time of all its pieces."""
    place.mkdir(parents=True, exist_ok=True)
    data = files()
    with counted(place, "train"):
        return headscope.train(
            net, data["train"], dev=data["dev"], test=data["test"], out=place / "run", **options
        )


if __name__ == "__main__":
    which = sys.argv[1]
    with computing_with(1):
        if which == "translator":
            print(
                trained(BUILT / "translator", "translator", **TRANSFORMER).result.table("trained").to_string()
            )
        else:
            print(
                trained(BUILT / which, "seq2seq", attention=which, **GRU).result.table("trained").to_string()
            )
