"""Where a model lies and how it is read from there: safely, quietly, and with errors that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import transformers
from transformers.utils import logging as transformers_logging

from headscope.errors import HeadscopeError, ModelError
from headscope.models.embedded import NAME, embedded_folder
from headscope.models.hub import ask_hub

DEFAULT = "default"
"""What the embedded model is called."""


class Place(NamedTuple):
    """The name to show, where to load from, and the options of `from_pretrained`."""

    name: str
    origin: str
    options: dict[str, Any]

    @property
    def file(self) -> Path | None:
        """The GGUF file that holds it, if one does."""
        name = self.options.get("gguf_file")
        return None if name is None else Path(self.origin) / name


def locate(model: str, revision: str | None) -> Place:
    """Find a model by what the user calls it; code from a hub is never run, a folder never leads to a hub."""
    options: dict[str, Any] = {"trust_remote_code": False}
    if model == DEFAULT:
        return Place(NAME, str(embedded_folder()), {**options, "local_files_only": True})
    path = Path(model).expanduser()
    if path.is_file():
        if path.suffix != ".gguf":
            raise ModelError(f"{model} is a file; a model is a folder, a hub name or a .gguf file")
        local = {**options, "local_files_only": True, "gguf_file": path.name}
        return Place(path.stem, str(path.parent), local)
    if path.is_dir():
        if not (path / "config.json").exists() and not is_adapter(str(path)):
            raise ModelError(f"{model} is not a model: it has no config.json ({_held(path)})")
        return Place(path.resolve().name, str(path), {**options, "local_files_only": True})
    if model.startswith((".", "/", "~")) or "\\" in model:
        raise ModelError(f"there is no folder {model}")
    try:
        ask_hub(model, revision)
    except ModelError as error:
        raise ModelError(error.text + _beside(path)) from error
    return Place(model, model, {**options, "revision": revision})


def _held(folder: Path) -> str:
    """What a folder holds in the place of a model: perhaps one further down, as runs do."""
    inside = ", ".join(sorted(item.name for item in folder.iterdir())[:5]) or "nothing"
    below = _models_in(folder)
    return f"it holds {inside}" + (f"; {below[0]} is one" if below else "")


def _beside(path: Path) -> str:
    """A model near where one was looked for, if there is any: runs keep theirs under other names."""
    near = _models_in(path.parent) if len(path.parts) > 1 else []
    return f"; {near[0]} is a model" if near else ""


def _models_in(folder: Path) -> list[Path]:
    return [file.parent for file in sorted([*folder.glob("*/config.json"), *folder.glob("*/*/config.json")])]


def load_tokenizer(place: str, options: dict[str, Any]) -> Any:
    """The tokenizer saved with a model; without its files one comes that knows special tokens alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(place, **options)
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise ModelError(
            f"{place} holds no tokenizer; save it there", in_python="or give one: load(model, tokenizer=...)"
        )
    return tokenizer


def save_tokenizer(tokenizer: Any, folder: Path) -> None:
    """Write a tokenizer into a folder; how it last cut and padded texts is no part of it."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        backend.no_truncation()
        backend.no_padding()
    tokenizer.save_pretrained(folder)


def is_adapter(place: str) -> bool:
    """Whether a folder holds a LoRA adapter instead of a model."""
    return (Path(place) / "adapter_config.json").exists()


@contextmanager
def explained(model: str) -> Iterator[None]:
    """Turn a loading error into a sentence; damaged files raise errors of any kind."""
    try:
        yield
    except HeadscopeError:
        raise
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[0] if lines else type(error).__name__
        raise ModelError(f"cannot load the model '{model}': {reason}") from error


@contextmanager
def quiet() -> Iterator[None]:
    """No progress bars and warnings of the loading library; what matters is in the model's notes."""
    level, bars = transformers_logging.get_verbosity(), transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(level)
        if bars:
            transformers_logging.enable_progress_bar()
