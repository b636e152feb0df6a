"""GGUF files are unpacked once: as floats, in the user's cache folder, by their checksum."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import torch
import transformers

from headscope.models.places import Place, load_tokenizer, save_tokenizer

LARGEST, TIMES_LARGER = 2**33, 8
"""Bytes of floats that are kept at most, a larger model is unpacked every time; and how much more room floats
take than what is packed, at most."""
GGUF, WEIGHTS = "gguf", ".safetensors"

CONTENTS = "contents.json"
"""What a folder of the cache holds: the checksum of each other file by its name, written last."""


def unpacked(place: Place) -> Place:
    """Where the floats of a GGUF file lie; the file itself where they cannot be kept. Other models stay."""
    if place.file is None:
        return place
    folder = _folder(place.file)
    if not _is_whole(folder, weights=True):
        _discard(folder)
        if not _keep(place, place.file.stat().st_size, folder):
            return place
    return _kept_in(folder, place)


def without_weights(place: Place) -> Place:
    """Where configuration and tokenizer of a GGUF file are read fastest: nothing is unpacked for them.

    Its checksum, for which all of it must be read, is made only if the cache has something to find by it.
    """
    if place.file is None or not any((cache_folder() / GGUF).glob("*")):
        return place
    folder = _folder(place.file)
    return _kept_in(folder, place) if _is_whole(folder, weights=False) else place


def cache_folder() -> Path:
    """HEADSCOPE_CACHE, or the folder `headscope` where programs of this user keep what can be made again."""
    own, common = os.environ.get("HEADSCOPE_CACHE"), os.environ.get("XDG_CACHE_HOME")
    return Path(own) if own else Path(common or "~/.cache").expanduser() / "headscope"


def as_floats(options: dict[str, Any]) -> dict[str, Any]:
    """Options of `from_pretrained` that unpack a GGUF file, whatever kernels for packed weights are there."""
    return {**options, "quantization_config": transformers.GgufConfig(dequantize=True)}


def unmarked(module: Any) -> Any:
    """A module that holds floats, without the mark of the packed file that transformers would not save."""
    module.hf_quantizer = None
    if hasattr(module.config, "quantization_config"):
        del module.config.quantization_config
    return module


def _keep(place: Place, size: int, folder: Path) -> bool:
    """Unpack a file of so many bytes into the cache, if it fits; two processes at once write the same."""
    if size > LARGEST / TIMES_LARGER:
        return False
    with suppress(OSError), _written(folder, TIMES_LARGER * size) as temporary:
        if temporary is None:
            return False
        module = transformers.AutoModelForCausalLM.from_pretrained(
            place.origin, dtype=torch.float32, **as_floats(place.options)
        )
        unmarked(module).save_pretrained(temporary)
        with suppress(Exception):  # a file may hold no tokenizer: who loads it says so
            save_tokenizer(load_tokenizer(place.origin, place.options), temporary)
        checksums = {file.name: _checksum(file) for file in sorted(temporary.iterdir())}
        (temporary / CONTENTS).write_text(json.dumps(checksums, indent=1))
    return _is_whole(folder, weights=True)


def _folder(file: Path) -> Path:
    return cache_folder() / GGUF / f"{_checksum(file)}-{transformers.__version__}"


def _discard(folder: Path) -> None:
    """Remove what is broken, if it can be; it is moved away first, so that what another process writes in its
    place meanwhile stays."""
    with suppress(OSError):
        away = Path(mkdtemp(prefix="broken-", dir=folder.parent))
        with suppress(OSError):
            folder.rename(away / folder.name)
        shutil.rmtree(away, ignore_errors=True)


def _kept_in(folder: Path, place: Place) -> Place:
    return Place(place.name, str(folder), {"trust_remote_code": False, "local_files_only": True})


def _is_whole(folder: Path, *, weights: bool) -> bool:
    """Whether a folder of the cache is as it was written; weights: whether they are looked at, too."""
    try:
        checksums: dict[str, str] = json.loads((folder / CONTENTS).read_text())
        return all(
            _checksum(folder / name) == checksum
            for name, checksum in checksums.items()
            if weights or not name.endswith(WEIGHTS)
        )
    except (OSError, ValueError, AttributeError):
        return False


@contextmanager
def _written(folder: Path, size: int) -> Iterator[Path | None]:
    """A folder that appears whole or not at all; None where so many bytes have no room."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(folder.parent).free < size:
        yield None
        return
    temporary = Path(mkdtemp(prefix="unpacking-", dir=folder.parent))
    try:
        yield temporary
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _checksum(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:32]
