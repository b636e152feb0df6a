"""attention: the raw maps of one text as a labelled array."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
import xarray as xr
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from headscope.attention import Recorder
from headscope.attention.words import to_words
from headscope.errors import InputError, OptionError, choose_from
from headscope.heads import Stack, check_numbers
from headscope.jobs.axes import Axis, read_axis, written_axis
from headscope.models import Model, load, sides_of
from headscope.models.forecast import check_memory, forecast
from headscope.results.files import write_bytes
from headscope.text import Document, Segment, batches, cut

AXES = ("layer", "head", "query", "key")


def attention(
    model: Any,
    text: str,
    *,
    target: str | None = None,
    stack: Stack | None = None,
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    words: bool = False,
    generate: int = 0,
) -> xr.DataArray:
    """Maps of one text: (layer, head, query, key), labelled with the pieces, or with words if `words`.

    A text longer than the model takes is refused. With `generate`, a decoder or encoder-decoder continues
    by that many pieces, greedily, and the maps of all steps are joined. stack: encoder, decoder or cross;
    by default the first the model has.

    >>> maps = attention("default", "Heads look.", layers=[0], words=True)
    >>> maps.dims, [str(word) for word in maps["key"].values]
    (('layer', 'head', 'query', 'key'), ['[CLS]', 'Heads', 'look', '.', '[SEP]'])
    """
    if generate < 0:
        raise OptionError(f"--generate must be at least 0, not {generate}")
    loaded = load(model)
    if target is not None and (generate or loaded.shape != "encoder-decoder"):
        why = "the model writes its own" if generate else f"{loaded.name} is no encoder-decoder"
        raise OptionError(f"--target cannot be used here: {why}")
    chosen_stack = _stack(loaded, stack)
    sites = loaded.sites_of(chosen_stack)
    kept_layers = check_numbers(layers, len(sites), "layer")
    kept_heads = check_numbers(heads, max(site.heads for site in sites), "head")
    segment = _segment(loaded, text, target)
    recorder = Recorder(kept_layers, kept_heads)
    query, key = _run(loaded, segment, target, recorder, generate)[chosen_stack]
    maps = np.stack([_join(recorder.maps[site]) for site in sites if site.layer in kept_layers])
    if words:
        maps = to_words(torch.from_numpy(maps), query.words, key.words).numpy()
    labels = [axis.names if words else axis.pieces for axis in (query, key)]
    array = xr.DataArray(
        maps, dims=AXES, name="attention",
        coords={"layer": kept_layers, "head": kept_heads, "query": labels[0], "key": labels[1]},
    )  # fmt: skip
    array.attrs = {"model": loaded.name, "stack": chosen_stack, "unit": "word" if words else "piece"}
    return array


def save_maps(maps: xr.DataArray, path: str | Path) -> None:
    """Write maps as safetensors; labels and attributes are in its metadata, as JSON."""
    if Path(path).is_dir():
        raise OptionError(
            f"{path} is a folder; name the file to write, such as {Path(path) / 'maps.safetensors'}"
        )
    told = {name: [_plain(value) for value in maps[name].values] for name in AXES}
    metadata = {"headscope": json.dumps({"labels": told, "attributes": dict(maps.attrs)}, ensure_ascii=False)}
    write_bytes(Path(path), save({"attention": np.ascontiguousarray(maps.values)}, metadata))


def open_maps(path: str | Path) -> xr.DataArray:
    """Read maps that `save_maps` wrote."""
    try:
        with safe_open(str(path), "np") as file:
            told = json.loads((file.metadata() or {})["headscope"])
            values = file.get_tensor("attention")
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise InputError(f"{path}: not a file of attention maps ({error})") from error
    return xr.DataArray(values, dims=AXES, coords=told["labels"], name="attention", attrs=told["attributes"])


def strongest_links(maps: xr.DataArray) -> pd.DataFrame:
    """Each head's largest weight between inner tokens; the first and last, often special, are left out."""
    inner = maps.isel(query=slice(1, -1), key=slice(1, -1)) if min(maps.shape[2:]) > 2 else maps
    flat = inner.values.reshape(*inner.shape[:2], -1)
    best = flat.argmax(-1)
    query, key = np.unravel_index(best, inner.shape[2:])
    layer, head = np.meshgrid(maps["layer"].values, maps["head"].values, indexing="ij")
    return pd.DataFrame(
        {
            "head": [f"L{one}H{two}" for one, two in zip(layer.ravel(), head.ravel(), strict=True)],
            "from": inner["query"].values[query.ravel()],
            "to": inner["key"].values[key.ravel()],
            "weight": flat.max(-1).ravel(),
        }
    )


def _stack(model: Model, stack: Stack | None) -> Stack:
    if stack is None:
        return model.stacks()[0]
    if stack not in model.stacks():
        raise OptionError(choose_from("stack", stack, model.stacks()))
    return stack


def _segment(model: Model, text: str, target: str | None) -> Segment:
    """The text as one segment."""
    limit = model.longest or 10**9
    segments = list(cut(Document.from_text("text", text, target), model.tokenizer, limit, pair=False))
    if not segments:
        raise InputError("the text is empty")
    if len(segments) > 1:
        raise OptionError(f"the text is longer than the {limit} pieces that the model takes")
    needed = forecast(model, len(segments[0]), 1, distances=True, gradients=False, blockwise=False)
    check_memory(needed, {"pieces": len(segments[0])})
    return segments[0]


def _run(
    model: Model, segment: Segment, target: str | None, recorder: Recorder, generate: int
) -> dict[str, tuple[Axis, Axis]]:
    """Run the text; the query and key axis of each stack."""
    batch = next(iter(batches([segment], model.tokenizer, 1, model.device)))
    sides = sides_of(model, batch)
    if generate:
        written = _generate(model, sides.inputs, recorder, generate)
    else:
        with torch.no_grad(), model.attached([recorder]) as module:
            module(**sides.inputs)
        written = sides.target.ids[0] if sides.target else segment.pieces
    read, write = read_axis(model, segment), written_axis(model, segment, target, written)
    return {"encoder": (read, read), "decoder": (write, write), "cross": (write, read)}


def _generate(model: Model, inputs: dict[str, torch.Tensor], recorder: Recorder, count: int) -> np.ndarray:
    """Continue greedily; the last new piece was never read, so it is no query."""
    if model.shape == "encoder":
        raise OptionError(f"{model.name} is an encoder; it does not generate")
    read = inputs["input_ids"].shape[1] if model.shape == "decoder" else 0
    if model.longest is not None and read + count > model.longest:
        room = max(0, model.longest - read)
        raise OptionError(
            f"--generate {count}: the model takes {model.longest} pieces, so there is room for {room} more"
        )
    given = {name: value for name, value in inputs.items() if name != "decoder_input_ids"}
    with torch.no_grad(), model.attached([recorder], whole=True) as module:
        made = module.generate(
            **given, max_new_tokens=count, do_sample=False, num_beams=1,
            pad_token_id=model.tokenizer.pad_token_id or model.tokenizer.eos_token_id,
        )  # fmt: skip
    pieces: np.ndarray = made[0, :-1].cpu().numpy()
    return pieces


def _join(steps: list[torch.Tensor]) -> np.ndarray:
    """Maps (1, head, query, key) of one or several steps as one (head, query, key); later keys are 0."""
    keys = max(step.shape[-1] for step in steps)
    padded = [torch.nn.functional.pad(step[0].float(), (0, keys - step.shape[-1])) for step in steps]
    return torch.cat(padded, dim=1).numpy()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
