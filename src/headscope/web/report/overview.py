"""What a run was asked, in words that a newcomer reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headscope.questions import VERBS
from headscope.questions.options import fields_of
from headscope.results.record import Entry
from headscope.web.report_wire import Fact, VerbCard

_BESIDE = ("model", "data", "options", "headscope", "runs")
_MODEL = {"class": "model class", "dtype": "precision", "device": "device", "revision": "revision"}


def verb_card(verb: str, entry: Entry, added: Sequence[str] = ()) -> VerbCard:
    """One verb of a run; added: notes on what could not be shown."""
    identity = entry.asked["identity"]
    provenance = _mapping(entry.asked.get("provenance"))
    seconds = provenance.get("seconds")
    return VerbCard(
        verb,
        VERBS[verb].question if verb in VERBS else f"What did {verb} find?",
        _names(subject.get("model") for subject in entry.subjects),
        _names(subject.get("data") for subject in entry.subjects),
        entry.started,
        float(seconds) if isinstance(seconds, int | float) else None,
        entry.finished,
        [*_options(verb, identity), *_origins(identity), *_versions(provenance)],
        [*entry.notes, *added],
    )


def _options(verb: str, identity: Mapping[str, Any]) -> list[Fact]:
    """What was chosen, also what was switched off; what is off by itself says nothing."""
    options = _mapping(identity.get("options")) or {k: v for k, v in identity.items() if k not in _BESIDE}
    usual = {field.name: field.default for field in fields_of(VERBS[verb].options)} if verb in VERBS else {}
    told = {name: value for name, value in options.items() if value is not False or usual.get(name) is True}
    return [Fact(name.replace("_", " "), _written(value)) for name, value in told.items() if _written(value)]


def _origins(identity: Mapping[str, Any]) -> list[Fact]:
    """Where model and data come from, and how to tell whether they are the same."""
    model, data = _mapping(identity.get("model")), _mapping(identity.get("data"))
    facts = [(name, model.get(key)) for key, name in _MODEL.items()]
    facts += [("model from", model.get("origin")), ("weights", model.get("weights"))]
    facts += [("data from", data.get("source")), ("checksum", data.get("checksum"))]
    return [Fact(name, _written(value)) for name, value in facts if _written(value)]


def _versions(provenance: Mapping[str, Any]) -> list[Fact]:
    packages = _mapping(provenance.get("packages"))
    named = [("headscope", provenance.get("headscope"))]
    named += [(name, packages.get(name)) for name in ("torch", "transformers")]
    made = ", ".join(f"{name} {version}" for name, version in named if version)
    return [Fact("made with", made)] if made else []


def _written(value: Any) -> str:
    """A value of run.json for reading; files are told by their names, runs by those of model and data.

    >>> _written([0, 2]), _written(True), _written({"name": "a.txt", "checksum": "f00"}), _written(None)
    ('0, 2', 'yes', 'a.txt', '')
    >>> _written({"model": {"name": "bert"}, "data": {"name": "a.txt"}, "options": {"seed": 0}})
    'bert on a.txt'
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    if isinstance(value, Mapping):
        if "name" in value:
            return str(value["name"])
        if {"model", "data"} <= set(value):
            return f"{_written(value['model'])} on {_written(value['data'])}"
        return ", ".join(f"{name}: {_written(item)}" for name, item in value.items())
    return "" if value is None else str(value)


def _names(values: Iterable[Any]) -> str:
    """The different names among models or data, in their order."""
    return ", ".join(dict.fromkeys(name for name in map(_written, values) if name))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
