"""Which model each verb of a run was asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headscope.results.record import Entry


def models_of(entries: Mapping[str, Entry]) -> dict[str, str]:
    """The name of each verb's model; of models of one name, the place that each comes from.

    Verbs that were asked about several, as one that compares runs, have none.
    """
    asked = {verb: [_model(subject) for subject in entry.subjects] for verb, entry in entries.items()}
    places: dict[str, set[str]] = {}
    for name, origin in {model for models in asked.values() for model in models}:
        places.setdefault(name, set()).add(origin)
    alone = {verb: models[0] for verb, models in asked.items() if len(set(models)) == 1}
    return {verb: origin if len(places[name]) > 1 else name for verb, (name, origin) in alone.items()}


def _model(subject: Mapping[str, Any]) -> tuple[str, str]:
    """A model's name and where it comes from."""
    told = subject.get("model")
    name, origin = (told.get(key) for key in ("name", "origin")) if isinstance(told, dict) else (told, None)
    return str(name or ""), str(origin or name or "")
