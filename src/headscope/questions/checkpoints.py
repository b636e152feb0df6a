"""Earlier checkpoints of a model: found, checked against it, and loaded one at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xarray as xr

from headscope.errors import ModelError, OptionError, located
from headscope.models import Model, load
from headscope.models.places import DEFAULT
from headscope.questions.groups import OfCheckpoints
from headscope.questions.naming import distinct_names

CONFIG = "config.json"
_NUMBERS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class Checkpoint:
    """Where a checkpoint lies. series: what it is a checkpoint of, "" where there is one series alone."""

    series: str
    name: str
    place: Any
    loading: dict[str, Any]

    def load(self) -> Model:
        return load(self.place, **self.loading)

    def says_architecture(self) -> tuple[str, int | None]:
        """The file and the line that say it; the name alone of what is no folder."""
        config = Path(self.place) / CONFIG
        if not config.is_file():
            return self.name, None
        lines = config.read_text(encoding="utf-8").splitlines()
        told = (number for number, line in enumerate(lines, start=1) if '"model_type"' in line)
        return str(config), next(told, None)


@dataclass(frozen=True)
class Point:
    """What a checkpoint measured. series: its run; name: of the checkpoint."""

    series: str
    name: str
    dataset: xr.Dataset


def find_checkpoints(options: OfCheckpoints) -> list[Checkpoint]:
    """All checkpoints that were asked for, series after series, each in its order."""
    loading = options.loading()
    if options.revisions is not None:
        names = [name.strip() for name in options.revisions.split(",")]
        if options.checkpoints:
            raise OptionError("--checkpoints and --revisions name two series; give one of them")
        if not _is_hub_name(options.model):
            raise OptionError("--revisions are those of a hub model, and MODEL is none; give --checkpoints")
        if not all(names):
            raise OptionError(f"--revisions takes names parted by commas, not '{options.revisions}'")
        return [Checkpoint("", name, options.model, loading | {"revision": name}) for name in names]
    folders = [Path(folder) for folder in options.checkpoints]
    members = [_members(folder) for folder in folders]
    is_series = [found is not None for found in members]
    if any(is_series) and not all(is_series):
        lone = folders[is_series.index(False)]
        raise ModelError(
            f"{lone} is a checkpoint and other folders hold series of them; give either several "
            "checkpoints or several series"
        )
    names = distinct_names(folders)
    if not any(is_series):
        return [Checkpoint("", name, folder, loading) for name, folder in zip(names, folders, strict=True)]
    several = len(folders) > 1
    return [
        Checkpoint(name if several else "", member.name, member, loading)
        for name, found in zip(names, members, strict=True)
        for member in found or ()
    ]


def check_checkpoints(model: Model, checkpoints: Sequence[Checkpoint]) -> list[dict[str, str]]:
    """Load each once and refuse what is no earlier state of the model; what each is known by.

    Two checkpoints with the same weights are refused: some public series serve the final weights under the
    names of earlier ones, and a curve over them would be flat for no reason.
    """
    known: dict[str, Checkpoint] = {}
    facts = []
    for checkpoint in checkpoints:
        loaded = checkpoint.load()
        problem = _another_architecture(model, loaded)
        if problem is not None:
            raise ModelError(located(*checkpoint.says_architecture(), problem))
        prints = loaded.fingerprints
        if prints.tokenizer != model.fingerprints.tokenizer:
            raise ModelError(
                f"checkpoint {checkpoint.place} cuts texts into other pieces than {model.name}; a series "
                "has one tokenizer"
            )
        other = known.setdefault(prints.weights, checkpoint)
        if other is not checkpoint:
            raise ModelError(
                f"checkpoints {_called(other)} and {_called(checkpoint)} have the same weights; "
                "leave one out, or look whether the series was saved as it says"
            )
        facts.append({"series": checkpoint.series, "name": checkpoint.name, "weights": prints.weights})
    return facts


def _another_architecture(model: Model, loaded: Model) -> str | None:
    """Why it cannot be an earlier state of the model; None where it can. Task heads may differ."""
    end = "a series has one architecture"
    kinds = [f"{len(one.heads())} heads of {type(one.backbone).__name__}" for one in (loaded, model)]
    types = [getattr(one.backbone.config, "model_type", "") for one in (loaded, model)]
    if loaded.heads() != model.heads() or types[0] != types[1]:
        return f"a checkpoint with {kinds[0]}, but {model.name} has {kinds[1]}; {end}"
    own, others = _weights(loaded), _weights(model)
    name = next((name for name in {**others, **own} if own.get(name) != others.get(name)), None)
    if name is None:
        return None
    here, there = (str(found.get(name, "no shape")) for found in (own, others))
    return f"a checkpoint whose weight {name} has {here}, in {model.name} {there}; {end}"


def _weights(model: Model) -> dict[str, tuple[int, ...]]:
    """The shape of each weight by name, without what comes and goes with a task: a pooler, an adapter."""
    return {
        name.replace(".base_layer.", "."): tuple(weight.shape)
        for name, weight in model.backbone.named_parameters()
        if not name.startswith("pooler.") and ".lora_" not in name
    }


def _called(checkpoint: Checkpoint) -> str:
    return f"{checkpoint.series}/{checkpoint.name}" if checkpoint.series else checkpoint.name


def _is_hub_name(model: Any) -> bool:
    return isinstance(model, str) and model != DEFAULT and not Path(model).expanduser().exists()


def _members(folder: Path) -> list[Path] | None:
    """The checkpoints in a folder by the numbers in their names; None where it is one itself."""
    if not folder.is_dir():
        raise ModelError(f"there is no folder {folder}; --checkpoints takes folders of models")
    if (folder / CONFIG).exists():
        return None
    found = sorted((path.parent for path in folder.glob(f"*/{CONFIG}")), key=lambda path: _natural(path.name))
    if not found:
        raise ModelError(f"{folder} holds no checkpoint: neither it nor a folder in it has a {CONFIG}")
    return found


def _natural(name: str) -> list[tuple[int, Any]]:
    """So that epoch-2 comes before epoch-10."""
    return [(0, int(part)) if part.isdigit() else (1, part) for part in _NUMBERS.split(name) if part]


def steps(points: Sequence[Point]) -> list[int]:
    """The place of each point in its series, from 0."""
    seen: dict[str, int] = {}
    return [
        seen.update({point.series: seen.get(point.series, -1) + 1}) or seen[point.series] for point in points
    ]
