"""Models by name, loaded when first asked for, for pages that look into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from headscope.errors import OptionError, choose_from
from headscope.models import Model, load
from headscope.questions.maps.looking import look
from headscope.results.look import Look

_ONE_AT_A_TIME = Lock()
"""Edits change a module while it runs, and loading changes settings of the whole process."""


class Models:
    """Models to look into, from several threads.

    models: what to load (see `headscope.load`) by the name to show it under, or a list of folders and names.
    A model that cannot be loaded raises its error each time it is asked for; the others stay usable.
    """

    def __init__(self, models: Mapping[str, Any] | Sequence[str], **load_options: Any) -> None:
        self._places = dict(models) if isinstance(models, Mapping) else short_names(models)
        self._options = load_options
        self._loaded: dict[str, Model] = {}

    def names(self) -> list[str]:
        """The names of all models, the default first."""
        return list(self._places)

    def describe(self, model: str) -> tuple[str, int | None] | None:
        """Shape and longest input of a model that is loaded; None before that."""
        loaded = self._loaded.get(model)
        return None if loaded is None else (loaded.shape, loaded.longest)

    def look(self, model: str, text: str, **options: Any) -> Look:
        """Run a text, see `looking.look`; the model is loaded first if need be."""
        with self.running(model) as loaded:
            return look(loaded, text, **options)

    @contextmanager
    def running(self, model: str) -> Iterator[Model]:
        """A model that nobody else runs meanwhile, loaded first if need be."""
        if model not in self._places:
            raise OptionError(choose_from("model", model, self._places))
        with _ONE_AT_A_TIME:
            yield self._load(model)

    def _load(self, name: str) -> Model:
        if name not in self._loaded:
            place = self._places[name]
            loaded = load(place, **self._options)
            # Folders may end alike, so they are called as they are shown; the embedded model is better known
            # by its own name.
            self._loaded[name] = loaded if place == "default" else replace(loaded, name=name)
        return self._loaded[name]


def short_names(models: Sequence[str]) -> dict[str, str]:
    """Names to show: as given, but of paths only as many last folders as tell them apart.

    >>> list(short_names(["default", "/a/one/bert", "/a/two/bert", "/a/two/gpt", "org/bert"]))
    ['default', 'one/bert', 'two/bert', 'gpt', 'org/bert']
    """
    wanted = list(dict.fromkeys(models))
    plain = [model for model in wanted if not _is_path(model)]
    paths = {model: Path(model).expanduser().resolve().parts for model in wanted if _is_path(model)}

    def tail(model: str) -> str:
        parts = paths[model]
        for size in range(1, len(parts)):
            others = [other[-size:] for path, other in paths.items() if path != model]
            name = "/".join(parts[-size:])
            if parts[-size:] not in others and name not in plain:
                return name
        return model

    return {tail(model) if model in paths else model: model for model in wanted}


def _is_path(model: str) -> bool:
    return model != "default" and (model.startswith((".", "/", "~")) or Path(model).exists())
