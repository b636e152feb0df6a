"""Views of the same maps by BertViz and by headscope: bytes of HTML, and the time of making them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

import headscope
from benchmarks.corpus import segments
from benchmarks.peers import with_bertviz
from benchmarks.peers.environments import Beside
from benchmarks.peers.plain import eager
from benchmarks.peers.turns import in_turns, ours
from benchmarks.rows import Row, at_least, told
from benchmarks.timing import ratio

VIEWS = ("head_view", "model_view")
SMALLER = {256: 20.0}
"""How many times smaller a page must be, by tokens."""


def view_rows(folder: Path, sizes: Sequence[int], repeats: int) -> list[Row]:
    """Both views for texts of each size, through the 72 heads of the embedded model."""
    with Beside("bertviz", with_bertviz.__file__) as bertviz:
        title, rows = bertviz.titled, list[Row]()
        for size in sizes:
            maps, tokens = _looked_at(size)
            np.savez(folder / "maps.npz", maps=np.concatenate(maps), tokens=np.array(tokens))
            bertviz.ask("load", path=str(folder / "maps.npz"))
            for view in VIEWS:
                rows += _rows(bertviz, title, view, maps, tokens, repeats)
        return rows


def _looked_at(size: int) -> tuple[list[np.ndarray], list[str]]:
    """Layers of (1, head, query, key), and the tokens of a text of so many."""
    tokenizer = headscope.load("default").tokenizer
    ready = segments(headscope.load("default"), 100, size)
    text = next(segment for segment in ready if len(segment) == size)
    inputs = {"input_ids": torch.from_numpy(text.pieces)[None]}
    with torch.no_grad():
        found = eager()(**inputs, output_attentions=True).attentions
    return [layer.numpy() for layer in found], tokenizer.convert_ids_to_tokens(text.pieces.tolist())


def _rows(bertviz: Beside, title: str, view: str, maps: Any, tokens: list[str], repeats: int) -> list[Row]:
    make, sizes = getattr(headscope, view), dict[str, int]()

    def mine() -> None:
        sizes["ours"] = len(make(maps, tokens).html.encode())

    def theirs() -> float:
        answer = bertviz.ask("view", name=view)
        sizes["theirs"] = answer.told
        return answer.seconds

    times = in_turns({"ours": ours(mine), "theirs": theirs}, repeats)
    larger = sizes["theirs"] / sizes["ours"]
    what = f"{title}, {view} of {len(tokens)} tokens"
    smaller = SMALLER.get(len(tokens))
    name = f"{what}: its page / ours"
    return [
        told(f"{what}: its page", sizes["theirs"] / 1e6, "MB"),
        told(f"{what}: our page", sizes["ours"] / 1e6, "MB"),
        told(name, larger, "x") if smaller is None else at_least(name, larger, "x", smaller),
        told(f"{what}: its time / ours", ratio(times["theirs"], times["ours"]), "x"),
    ]
