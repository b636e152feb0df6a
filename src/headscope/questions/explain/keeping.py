"""Explained texts as records: as shards hand them on and a run's store keeps them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import xarray as xr
from safetensors.numpy import load, save

from headscope.questions.explain.tables import Parted, Text
from headscope.results.explanations import restored, stored
from headscope.results.plain import plain

AXES = {"importance": ("way", "answer", "piece"), "seen": ("answer", "piece")}


def to_record(text: Text) -> bytes:
    """Arrays, and plain values beside them."""
    kept = stored(text.explanation)
    said = {**kept.attrs, "notes": text.explanation.notes, "removed": text.removed, "becomes": text.becomes}
    arrays = {name: np.ascontiguousarray(kept[name].values) for name in AXES}
    numbers = {"passes": text.passes, "saturated": text.saturated}
    parted = text.sentences
    if parted is not None:
        said["sentences"], numbers["sentences"] = parted.texts, np.ascontiguousarray(parted.numbers)
    words = {"said": np.frombuffer(json.dumps(plain(said)).encode(), np.uint8)}
    record: bytes = save({**arrays, **numbers, **words})
    return record


def from_record(record: bytes) -> Text:
    """The text that `to_record` was given, bit for bit."""
    arrays = load(record)
    said = json.loads(arrays["said"].tobytes())
    kept = xr.Dataset({name: (axes, arrays[name]) for name, axes in AXES.items()}, attrs=said)
    explanation = replace(restored(kept), notes=said["notes"])
    parted = Parted(arrays["sentences"], said["sentences"]) if "sentences" in arrays else None
    return Text(explanation, arrays["passes"], arrays["saturated"], said["removed"], said["becomes"], parted)
