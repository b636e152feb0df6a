"""Typed texts explained for pages that look into models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import nn

from headscope.models import Model
from headscope.questions.explain.made import made_token
from headscope.questions.explain.typed import explain_text
from headscope.questions.maps.offers import Models
from headscope.results.look import Explanation, MadeToken

PIECES = 128
"""Of a longer text, the beginning is explained: who waits at a page waits seconds, not minutes."""


class Explaining:
    """The models of a page, asked what mattered; from several threads."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def explanation(
        self, model: str, text: str, *, go_on: Callable[[], None] | None = None, **options: Any
    ) -> Explanation:
        """The beginning of one text, see `typed.explain_text`; the model is loaded first if need be.

        go_on: called before each layer of each pass of the model; what it raises ends the work.
        """
        with self._models.running(model) as loaded, _before_layers(loaded, go_on):
            return explain_text(loaded, text, pieces=PIECES, **options)

    def made(
        self, model: str, text: str, *, go_on: Callable[[], None] | None = None, **options: Any
    ) -> MadeToken:
        """Which heads made a token, see `made.made_token`; the model is loaded first if need be."""
        with self._models.running(model) as loaded, _before_layers(loaded, go_on):
            return made_token(loaded, text, **options)


@contextmanager
def _before_layers(model: Model, go_on: Callable[[], None] | None) -> Iterator[None]:
    """Call something before each layer of a model, of which a pass over many texts takes seconds."""
    lists = [part for part in model.module.modules() if isinstance(part, nn.ModuleList)]
    parts = [model.module, *(layer for layers in lists for layer in layers)]
    hooks = [] if go_on is None else [part.register_forward_pre_hook(lambda *_: go_on()) for part in parts]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
