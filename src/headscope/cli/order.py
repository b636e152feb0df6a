"""A hint for who gave the data before the model."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headscope.errors import HeadscopeError
from headscope.questions import Verb
from headscope.questions.groups import OfModel
from headscope.questions.options import Options, fields_of, placed


@contextmanager
def model_first(verb: Verb, options: Options) -> Iterator[None]:
    """Inside the `with`, a mistake is told with the right order of model and data, where that explains it."""
    try:
        yield
    except HeadscopeError as error:
        if not _swapped(options):
            raise
        *data, model = _given(options)
        words = shlex.join(["headscope", verb.name, model, *data])
        raise type(error)(f"{error.text}. MODEL comes first: {words}") from error


def _given(options: Options) -> list[Any]:
    """What was given by its place."""
    values = [getattr(options, field.name) for _, field in placed(fields_of(type(options)))]
    return [each for value in values for each in (value if isinstance(value, tuple) else [value])]


def _swapped(options: Options) -> bool:
    """Whether a model stands in the place of the data alone, or data that are there in the model's alone."""
    from headscope.text.lines import text_suffix
    from headscope.text.readers import READERS, hugging_face

    given = _given(options)
    if not isinstance(options, OfModel) or len(given) < 2:
        return False
    model, data = str(given[0]), str(given[-1])
    if _is_model(data) or _is_model(model):
        return _is_model(data) and not _is_model(model)
    is_data = Path(model).is_file() and text_suffix(Path(model)) in (*READERS, ".txt")
    return is_data and not data.startswith(hugging_face.PREFIX) and not Path(data).exists()


def _is_model(given: str) -> bool:
    """Whether a word is surely that of a model."""
    path = Path(given)
    return (
        given == OfModel.model
        or (path.suffix == ".gguf" and path.is_file())
        or (path / "config.json").is_file()
    )
