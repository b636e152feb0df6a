"""A task head put on a model, ready to be trained: one answer per text, or one per piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import torch
import transformers

from headscope.errors import ModelError
from headscope.models.devices import device_here
from headscope.models.load import load, on_core
from headscope.models.model import Model
from headscope.models.places import (
    Place,
    explained,
    is_adapter,
    load_tokenizer,
    locate,
    quiet,
    save_tokenizer,
)
from headscope.models.pruning.folder import save_pruned
from headscope.models.pruning.rebuilding import starting_small
from headscope.models.pruning.removed import Removed
from headscope.models.unpacked import unpacked
from headscope.models.vectors import vectors_in
from headscope.text.batches import pad_id

Answers = Literal["texts", "pieces"]

_CLASSES: dict[Answers, tuple[str, Any]] = {
    "texts": ("classification", transformers.AutoModelForSequenceClassification),
    "pieces": ("tagging", transformers.AutoModelForTokenClassification),
}


class Headed(NamedTuple):
    """A model with a task head, and the names of the weights that were drawn at random."""

    model: Model
    new: list[str]


def with_head(
    model: Any,
    answers: Answers,
    labels: Sequence[str],
    *,
    device: str = "cpu",
    revision: str | None = None,
    seed: int = 0,
) -> Headed:
    """Load a model in float32 with an output for each label; a model in memory is copied, not changed.

    model: anything `load` takes but an adapter. A head that the checkpoint has already is kept if it has as
    many labels; else its weights, like all that the checkpoint lacks, are drawn from the seed.
    """
    here = device_here(device)
    with _placed(model, revision) as (place, tokenizer), quiet(), explained(place.name):
        if is_adapter(place.origin):
            raise ModelError(f"{place.name} is an adapter; merge it into its model first, then train that")
        tokenizer = tokenizer or load_tokenizer(place.origin, place.options)
        module, new = _read(place, answers, labels, seed)
    origin = model.origin if isinstance(model, Model) else place.origin
    notes = Removed.notes_on(module)
    headed = on_core(module.to(here).eval(), tokenizer, place.name, origin, revision, notes)
    if headed.shape == "decoder":
        headed.module.config.get_text_config().pad_token_id = _padding(headed)
    return Headed(headed, new)


@contextmanager
def _placed(model: Any, revision: str | None) -> Iterator[tuple[Place, Any]]:
    """Where the weights can be read, and the tokenizer if it is known already."""
    if not isinstance(model, Model | torch.nn.Module):
        yield unpacked(locate(str(model), revision)), None
        return
    loaded = load(model)
    if getattr(loaded.module, "_hf_peft_config_loaded", False):
        raise ModelError(f"{loaded.name} has an adapter; merge it into the model first, then train that")
    with TemporaryDirectory(prefix="headscope-") as folder:
        save_model(loaded, Path(folder))
        options = {"trust_remote_code": False, "local_files_only": True}
        yield Place(loaded.name, folder, options), loaded.tokenizer


def _padding(model: Model) -> int:
    """The piece that batches are padded with: a decoder answers at the last piece that is another one."""
    padding = pad_id(model.tokenizer)
    if padding is None:
        raise ModelError(
            f"the tokenizer of {model.name} has neither a padding nor an end token, so texts of different "
            "length cannot be trained on together; give it one (tokenizer.pad_token = ...) and save it"
        )
    return padding


def _read(place: Place, answers: Answers, labels: Sequence[str], seed: int) -> tuple[Any, list[str]]:
    """The module, and the weights that its checkpoint does not hold as they are wanted."""
    kind, cls = _CLASSES[answers]
    config = transformers.AutoConfig.from_pretrained(place.origin, **place.options)
    if type(config) not in cls._model_mapping:
        raise ModelError(f"transformers has no {kind} head for models of the type '{config.model_type}'")
    model_class = _class(place, config, cls._model_mapping[type(config)])
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: number for number, label in enumerate(labels)}
    config.problem_type = None
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        module, report = model_class.from_pretrained(
            place.origin,
            config=config,
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
            **place.options,
        )
    resized = sorted(name for name, *_ in report["mismatched_keys"])
    inside = [name for name in resized if name.startswith(f"{module.base_model_prefix}.")]
    if inside:
        raise ModelError(f"{inside[0]} has another shape than its configuration says; is the file whole?")
    return module, sorted({*report["missing_keys"], *resized})


def _class(place: Place, config: Any, wanted: Any) -> Any:
    """The class to load with; a pruned model keeps its class, since its parts are known by their names."""
    small = starting_small(wanted, place.origin)
    had = (config.architectures or [""])[0]
    if small is not wanted and had != wanted.__name__:
        raise ModelError(
            f"a pruned {had} cannot become a {wanted.__name__}; fine-tune the whole model, prune it then"
        )
    return small


@contextmanager
def frozen_embeddings(module: Any) -> Iterator[None]:
    """Keep the word vectors as they are while the module is trained; what stands beside them may learn."""
    weights = [weight for weight in vectors_in(module.get_input_embeddings()) if weight.requires_grad]
    for weight in weights:
        weight.requires_grad_(False)
    try:
        yield
    finally:
        for weight in weights:
            weight.requires_grad_(True)


def save_model(model: Model, folder: Path) -> None:
    """Write a model and its tokenizer into an empty folder; a pruned one as `save_pruned` does."""
    if Removed.notes_on(model.module):
        save_pruned(model, folder)
        return
    with quiet():
        model.module.save_pretrained(folder)
        save_tokenizer(model.tokenizer, folder)
