"""Loading: a hub name, a folder, a GGUF file, a module in memory, or the embedded default."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers.utils import logging as transformers_logging

from headscope.attention import find_sites
from headscope.errors import HeadscopeError, ModelError, OptionError
from headscope.models.embedded import NAME, embedded_folder
from headscope.models.model import Model

DTYPES = {
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float64": torch.float64,
}


def load(
    model: Any = "default",
    tokenizer: Any = None,
    *,
    adapter: str | Path | None = None,
    device: str = "cpu",
    dtype: str = "float32",
    revision: str | None = None,
) -> Model:
    """Load a model and put it on the core.

    model: "default", a folder, a hub name, a .gguf file, a folder that holds a LoRA adapter, or a
    transformers module you already have (then give its tokenizer). Code from a hub is never run.
    """
    if isinstance(model, Model):
        return model
    if dtype not in DTYPES:
        raise OptionError(f"unknown dtype '{dtype}'; one of {', '.join(DTYPES)}")
    _check_device(device)
    if isinstance(model, torch.nn.Module):
        name = getattr(model, "name_or_path", "") or type(model).__name__
        return _finish(model, _tokenizer_for(model, tokenizer), name, "memory", None, [])
    with _quiet(), _explained(str(model)):
        name, place, options = _locate(str(model), revision)
        if adapter is None and _is_adapter(place):
            adapter, (_, place, options) = place, _locate(_base_of(place), None)
        module, notes = _load_module(place, options, DTYPES[dtype])
        if adapter is not None:
            _load_adapter(module, adapter)
        loaded_tokenizer = tokenizer or _load_tokenizer(place, options)
    return _finish(module.to(device).eval(), loaded_tokenizer, name, place, revision, notes)


def _finish(
    module: Any, tokenizer: Any, name: str, origin: str, revision: str | None, notes: list[str]
) -> Model:
    base = getattr(module, "base_model", module)
    try:
        sites = find_sites(base, counting_inputs(base, tokenizer))
    except HeadscopeError:
        raise
    except Exception as error:
        raise ModelError(f"{type(module).__name__} did not run on a few pieces of text: {error}") from error
    return Model(module, tokenizer, sites, name, origin, revision, notes)


def counting_inputs(module: Any, tokenizer: Any) -> dict[str, torch.Tensor]:
    """A few pieces to count the sites with; source and target differ in length."""
    device = next(module.parameters()).device
    size = min(len(tokenizer), 12) if tokenizer is not None else 12
    source = torch.arange(size - 7, size, device=device)[None].clamp_min(0)
    inputs = {"input_ids": source}
    if getattr(module.config, "is_encoder_decoder", False):
        inputs["decoder_input_ids"] = source[:, :4]
    return inputs


def _locate(model: str, revision: str | None) -> tuple[str, str, dict[str, Any]]:
    """Name to show, place to load from, and the options of `from_pretrained`."""
    options: dict[str, Any] = {"trust_remote_code": False}
    if model == "default":
        return NAME, str(embedded_folder()), {**options, "local_files_only": True}
    path = Path(model).expanduser()
    if path.is_file():
        if path.suffix != ".gguf":
            raise ModelError(f"{model} is a file; a model is a folder, a hub name or a .gguf file")
        local = {**options, "local_files_only": True, "gguf_file": path.name}
        return path.stem, str(path.parent), local
    if path.is_dir():
        if not (path / "config.json").exists() and not _is_adapter(str(path)):
            inside = ", ".join(sorted(item.name for item in path.iterdir())[:5]) or "nothing"
            raise ModelError(f"{model} is not a model: it has no config.json (it holds {inside})")
        return path.resolve().name, str(path), {**options, "local_files_only": True}
    if model.startswith((".", "/", "~")) or "\\" in model:
        raise ModelError(f"there is no folder {model}")
    return model, model, {**options, "revision": revision}


def _load_module(place: str, options: dict[str, Any], dtype: torch.dtype) -> tuple[Any, list[str]]:
    """The class that the checkpoint was saved from, so that its own loss can be computed."""
    config = transformers.AutoConfig.from_pretrained(place, **options)
    names = getattr(config, "architectures", None) or []
    classes: list[Any] = [getattr(transformers, name, None) for name in names]
    # A GGUF file does not name its class, but always holds a language model.
    unnamed = transformers.AutoModelForCausalLM if "gguf_file" in options else transformers.AutoModel
    chosen = next((cls for cls in classes if _is_model_class(cls)), unnamed)
    module, report = chosen.from_pretrained(place, dtype=dtype, output_loading_info=True, **options)
    missing = sorted(report.get("missing_keys", ()))
    if missing:
        text = f"the checkpoint lacks {len(missing)} weights, which are random: {', '.join(missing[:3])}"
        return module, [text]
    return module, []


def _is_model_class(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, transformers.PreTrainedModel)


def _load_tokenizer(place: str, options: dict[str, Any]) -> Any:
    """The tokenizer saved with a model; without its files one comes that knows special tokens alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(place, **options)
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise ModelError(
            f"{place} holds no tokenizer; save it there, or give one: load(model, tokenizer=...)"
        )
    return tokenizer


def _tokenizer_for(module: Any, tokenizer: Any) -> Any:
    if tokenizer is None:
        raise ModelError("give the tokenizer too: headscope.load(module, tokenizer=...)")
    if isinstance(tokenizer, str | Path):
        with _explained(str(tokenizer)):
            return _load_tokenizer(str(tokenizer), {"trust_remote_code": False})
    return tokenizer


def _is_adapter(place: str) -> bool:
    return (Path(place) / "adapter_config.json").exists()


def _base_of(adapter: str) -> str:
    base = json.loads((Path(adapter) / "adapter_config.json").read_text()).get("base_model_name_or_path")
    if not base:
        raise ModelError(
            f"{adapter} does not say which model it adapts; give that model and adapter={adapter!r}"
        )
    return str(base)


def _load_adapter(module: Any, adapter: str | Path) -> None:
    try:
        import peft  # noqa: F401 - only to word the error
    except ImportError:
        raise ModelError("adapters need peft; run pip install 'headscope[adapters]'") from None
    module.load_adapter(str(adapter))


def _check_device(device: str) -> None:
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        first = str(error).splitlines()[0]
        reason = (
            "no such kind of device; cpu, cuda and mps are usual" if "Expected one of" in first else first
        )
        raise OptionError(f"device '{device}' cannot be used here: {reason}") from None


@contextmanager
def _explained(model: str) -> Iterator[None]:
    """Turn a loading error into a sentence; damaged files raise errors of any kind."""
    try:
        yield
    except HeadscopeError:
        raise
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[0] if lines else type(error).__name__
        raise ModelError(f"cannot load the model '{model}': {reason}") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and warnings of the loading library; what matters is in the model's notes."""
    level, bars = transformers_logging.get_verbosity(), transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(level)
        if bars:
            transformers_logging.enable_progress_bar()
