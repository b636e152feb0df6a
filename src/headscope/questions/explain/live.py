"""Typed texts explained for pages that look into models."""

from __future__ import annotations

from typing import Any

from headscope.questions.explain.typed import explain_text
from headscope.questions.maps.offers import Models
from headscope.results.look import Explanation


class Explaining:
    """The models of a page, asked what mattered; from several threads."""

    def __init__(self, models: Models) -> None:
        self._models = models

    def explanation(self, model: str, text: str, **options: Any) -> Explanation:
        """One text, see `typed.explain_text`; the model is loaded first if need be."""
        with self._models.running(model) as loaded:
            return explain_text(loaded, text, **options)
