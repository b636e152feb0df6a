"""Which model each verb of a run was asked about."""

from __future__ import annotations

from typing import Any

from headscope.results.record import Entry
from headscope.web.report.models import models_of


def asked(**identity: Any) -> Entry:
    return Entry.begin({"identity": identity})


def model(name: str, origin: str | None = None) -> dict[str, Any]:
    return {"model": {"name": name, "origin": origin}}


def test_a_verb_is_about_its_model_by_name() -> None:
    entries = {
        "survey": asked(**model("bert", "/a/bert")),
        "ablate": asked(**model("tuned")),
        "made": asked(model="by hand"),
        "nothing": asked(),
    }
    assert models_of(entries) == {"survey": "bert", "ablate": "tuned", "made": "by hand", "nothing": ""}


def test_models_of_one_name_are_told_apart_by_where_they_come_from() -> None:
    entries = {"survey": asked(**model("model", "/a/model")), "ablate": asked(**model("model", "/b/model"))}
    assert models_of(entries) == {"survey": "/a/model", "ablate": "/b/model"}


def test_what_compares_two_models_is_about_none() -> None:
    runs = [model("bert", "/a/bert"), model("gpt", "/a/gpt")]
    assert models_of({"compare": asked(runs=runs)}) == {}
    assert models_of({"compare": asked(runs=[runs[0], runs[0]])}) == {"compare": "bert"}
