"""Which models the live page offers: those that were named, those of the run, or the embedded one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from headscope.results.run import Run

DEFAULT = "default"


@dataclass(frozen=True)
class Offer:
    """places: what to load, by the name to show. why: a sentence on it. revision: of hub models."""

    places: dict[str, str]
    why: str
    revision: str | None = None


def choose_models(named: Sequence[str], run: Run | None, revision: str | None = None) -> Offer:
    """The models to offer; those of a run only if they are on this machine."""
    if named:
        from headscope.questions.maps.offers import short_names

        return Offer(short_names(named), f"Models: {', '.join(named)}", revision)
    if run is None:
        return Offer({DEFAULT: DEFAULT}, "Model: the embedded default; name others with --model")
    asked = _models_of(run)
    here = [model for model in asked if _is_here(model["origin"], revision or model.get("revision"))]
    if not here:
        missing = ", ".join(model["origin"] for model in asked) or "none"
        why = f"the run's own is not on this machine ({missing}); name its place with --model"
        return Offer({DEFAULT: DEFAULT}, f"Model: the embedded default, since {why}")
    wanted = revision or here[0].get("revision")
    # As the report of the run calls them, also those that are not here.
    times = Counter(model["name"] for model in asked)
    places = {
        model["origin" if times[model["name"]] > 1 else "name"]: model["origin"]
        for model in here
        if revision or model.get("revision") == wanted
    }
    return Offer(places, f"Models of the run: {', '.join(places)}", wanted)


def _models_of(run: Run) -> list[dict[str, Any]]:
    """What the verbs of a run say of their models, each origin once."""
    models = [subject.get("model") for verb in run.verbs for subject in run.entry(verb).subjects]
    return list({model["origin"]: model for model in models if _is_named(model)}.values())


def _is_named(model: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(model, dict) and all(isinstance(model.get(key), str) for key in ("name", "origin"))


def _is_here(origin: str, revision: str | None) -> bool:
    """Whether a model can be loaded without a network: a folder, or a name in the hub's cache."""
    folder = Path(origin)
    if folder.is_dir():
        return any((folder / name).exists() for name in ("config.json", "adapter_config.json"))
    if folder.is_absolute():
        return False
    from huggingface_hub import try_to_load_from_cache

    try:
        return isinstance(try_to_load_from_cache(origin, "config.json", revision=revision), str)
    except ValueError:  # no name that a hub could have
        return False
