"""Which heads made a token, as an analysis beside the explanations of the same texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
import xarray as xr
from safetensors.numpy import load, save

from headscope.analyses.analysis import Setting, Tallies, names_of_heads
from headscope.attention import Listener
from headscope.explainers.attribution import Attribution, attribute
from headscope.heads import Named
from headscope.models import Model, Sides
from headscope.questions.explain.examples import Asking
from headscope.questions.explain.options import Options
from headscope.tallies import Records, Tally
from headscope.text import Segment, piece_label

ARRAYS = ("heads", "biases", "rest", "embedding", "bias", "logit", "loss", "removed")


class Made(NamedTuple):
    """One text: the pieces that were made, their places, and their parts as `Attribution` names them."""

    text: str
    labels: list[str]
    places: np.ndarray
    parts: dict[str, np.ndarray]


class MadeBy:
    """The analysis."""

    name = "made_by"

    def __init__(self, kind: str, options: Options) -> None:
        self.kind, self.options = kind, options

    def work(self, setting: Setting) -> MadeByWork:
        return MadeByWork(setting, self)

    def texts(self, tallies: Mapping[str, Tally]) -> list[Made]:
        """All texts, in the order of shards."""
        records = tallies["made_by"]
        assert isinstance(records, Records)
        return [from_record(record) for record in records.result()]

    def arrays(self, tallies: Mapping[str, Tally], setting: Setting) -> xr.Dataset:
        """What heads did for the first token of the first text, (head,) each."""
        return heads_array(setting.model, self.texts(tallies)[0])


class MadeByWork:
    """Takes each text by itself."""

    def __init__(self, setting: Setting, analysis: MadeBy) -> None:
        self.asking = Asking(setting.model, analysis.kind, analysis.options)
        self.records = Records()
        self.tallies: Tallies = {"made_by": self.records}

    def listeners(self) -> Sequence[Listener]:
        return []

    def begin(self, sides: Sides) -> None:
        self.segments = sides.segments

    def end(self, documents: Sequence[str]) -> None:
        self.records.add(to_record(self._made(segment)) for segment in self.segments)

    def _made(self, segment: Segment) -> Made:
        model, sides = self.asking.model, self.asking.sides(segment)
        if self.asking.options.every:
            inputs, pieces = sides.inputs, torch.as_tensor(segment.pieces)
            places, entries = torch.arange(len(pieces) - 1), pieces[1:]
        else:
            asked = self.asking.example(segment, sides).asked
            inputs, places, entries = asked.inputs, asked.places.cpu(), asked.entries.cpu()
        return made_in(model, segment.document, inputs, places, entries)


def made_in(
    model: Model,
    text: str,
    inputs: dict[str, torch.Tensor],
    places: torch.Tensor,
    entries: torch.Tensor,
    off: Sequence[Named] = (),
    removal: bool = True,
) -> Made:
    """Who made entries (answer,), each from what stands up to its place (answer,); see `attribute`."""
    parts = attribute(model, inputs, places, entries, off, removal)
    labels = [piece_label(model.tokenizer, piece) for piece in entries.tolist()]
    return Made(text, labels, places.numpy() + 1, _arrays(parts))


def _arrays(parts: Attribution) -> dict[str, np.ndarray]:
    return {name: np.ascontiguousarray(getattr(parts, name).cpu().numpy()) for name in ARRAYS}


def to_record(made: Made) -> bytes:
    """Arrays, and plain values beside them."""
    said = json.dumps({"text": made.text, "labels": made.labels}).encode()
    record: bytes = save({**made.parts, "places": made.places, "said": np.frombuffer(said, np.uint8)})
    return record


def from_record(record: bytes) -> Made:
    """What `to_record` was given, bit for bit."""
    arrays = load(record)
    said = json.loads(arrays["said"].tobytes())
    parts = {name: arrays[name] for name in ARRAYS}
    return Made(said["text"], said["labels"], arrays["places"], parts)


def heads_array(model: Model, made: Made) -> xr.Dataset:
    """What heads did for the tokens of a text, over `token` and `head`."""
    names = names_of_heads(model, model.heads())
    data = {
        "direct": (("token", "head"), made.parts["heads"]),
        "removed": (("token", "head"), made.parts["removed"]),
    }
    labels = {name: ("head", values) for name, values in names.items()}
    return xr.Dataset(data, coords={**labels, "label": ("token", made.labels)}, attrs={"text": made.text})


def made_by_table(model: Model, texts: Sequence[Made]) -> pd.DataFrame:
    """A row for each token and head."""
    heads = names_of_heads(model, model.heads())["head"]
    frames = []
    for made in texts:
        tokens, size = len(made.labels), len(heads)
        frame = pd.DataFrame({"text": made.text, "place": np.repeat(made.places, size)})
        frame["token"] = np.repeat(np.array(made.labels, object), size)
        frame["head"] = heads * tokens
        frame["direct"], frame["removed"] = made.parts["heads"].ravel(), made.parts["removed"].ravel()
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def parts_table(texts: Sequence[Made]) -> pd.DataFrame:
    """A row for each token: what its logit is made of."""
    frames = []
    for made in texts:
        parts = made.parts
        sums = {name: parts[name].sum(1) for name in ("heads", "biases", "rest")}
        whole = sum(sums.values()) + parts["embedding"] + parts["bias"]
        columns = {
            "text": made.text, "place": made.places, "token": made.labels, "loss": parts["loss"],
            "logit": parts["logit"], "heads": sums["heads"], "attention_biases": sums["biases"],
            "rest": sums["rest"], "embedding": parts["embedding"], "bias": parts["bias"],
            "off": whole - parts["logit"],
        }  # fmt: skip
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)
