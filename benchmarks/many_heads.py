"""Surveys with all their defaults: of models with many heads, and of the embedded one from end to end.

Distances grow with the square of the heads. The models with many are random: what is timed does not depend
on their weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import torch
import transformers

import headscope
from benchmarks.corpus import Ready, documents, segments
from benchmarks.passes import forward
from benchmarks.rows import Row, at_most, told
from benchmarks.timing import Clock, interleaved, ratio, timed
from headscope.engine.shards import Shard
from headscope.engine.work import Plan, run_shard
from headscope.models import Model
from headscope.questions.survey.answer import Options, make_plan
from headscope.questions.survey.distances import Distances
from headscope.text import Document, Segment, read

_SMOLLM2 = {
    "vocab_size": 49152, "hidden_size": 576, "intermediate_size": 1536,
    "num_hidden_layers": 30, "num_attention_heads": 9, "num_key_value_heads": 3,
}  # fmt: skip
_THOUSAND = {
    "vocab_size": 32000, "hidden_size": 256, "intermediate_size": 512,
    "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 32,
}  # fmt: skip
_BATCH = 4


def many_heads(number: int, pieces: int, repeats: int, slack: float, clock: Clock) -> list[Row]:
    """270 heads beside a plain pass, and 1,152; both without tokenising and loading."""
    model = _shaped(_SMOLLM2)
    ready = segments(model, number, pieces)
    every, alone = (_plan(model, ready, pieces, distances) for distances in (True, False))
    jobs = {
        "forward": partial(forward, model, ready, _BATCH),
        "without": partial(_survey, alone),
        "with": partial(_survey, every),
    }
    times = interleaved(jobs, repeats, clock)
    alone_ratio, ratio_of_all = (ratio(times[name], times["forward"]) for name in ("without", "with"))
    about = f"{len(ready)} segments of {pieces} pieces"
    smollm2 = f"270 heads, the shape of SmolLM2-135M, {about}"
    return [
        told(f"{smollm2}: query rows that distances use", _rows(every)),
        told(f"{smollm2}: survey without distances / plain forward", alone_ratio, "x"),
        at_most(f"{smollm2}: survey with distances / plain forward", ratio_of_all, "x", 2.8, 2.8 * slack),
        *_thousand(ready, pieces, about, clock),
    ]


def _thousand(ready: Sequence[Segment], pieces: int, about: str, clock: Clock) -> list[Row]:
    """1,152 heads, with the map of heads and all that makes a result; that it ends is what is asked."""
    model = _shaped(_THOUSAND)
    texts = [document.text for document in documents(model, len(ready), pieces)]
    plain = timed(partial(forward, model, ready, _BATCH), clock)
    whole = timed(partial(headscope.survey, model, texts, pieces=pieces, batch_size=_BATCH), clock)
    of_pass = timed(partial(_survey, plan := _plan(model, ready, pieces, True)), clock)
    name = f"1,152 heads, 36 x 32, {about}"
    return [
        told(f"{name}: query rows that distances use", _rows(plan)),
        told(f"{name}: survey with distances / plain forward", of_pass / plain, "x"),
        told(f"{name}: the same with the map of heads and all tables", whole, "s"),
    ]


def _rows(plan: Plan) -> int:
    (distances,) = (one for one in plan.analyses if isinstance(one, Distances))
    return distances.rows or plan.pieces


def end_to_end(number: int, pieces: int, repeats: int, clock: Clock) -> list[Row]:
    """The embedded model, loading, hashing, cutting, examples and the run folder included.

    What a survey of one text takes hardly grows with the text, and is told by itself: it is computed by one
    thread, so that it weighs the more, the more threads share a pass.
    """
    model = headscope.load("default")
    texts = [document.text for document in documents(model, number, pieces)]
    plan, _ = make_plan(model, Options(model=model, text=texts, pieces=pieces, gradients=False))
    ready = list(plan.segments(read(texts)))
    jobs = {"forward": partial(forward, model, ready, plan.batch_size)}
    for name in ("without", "with"):
        jobs[name] = partial(_whole, texts, pieces, name == "with")
        jobs[f"{name}, one text"] = partial(_whole, texts[:1], pieces, name == "with")
    times = interleaved(jobs, repeats, clock)
    return [row for name in ("without", "with") for row in _of_whole(times, name, len(ready))]


def _of_whole(times: dict[str, list[float]], name: str, segments: int) -> list[Row]:
    plain, whole, one = (times[job] for job in ("forward", name, f"{name}, one text"))
    what = f"survey {name} distances, loading, hashing, examples and run folder included"
    return [
        told(f"{segments} segments, {what} / plain forward", ratio(whole, plain), "x"),
        told(f"{segments} segments, {what}", median(whole), "s"),
        told(f"one text, {what}", median(one), "s"),
    ]


def _whole(texts: Sequence[str], pieces: int, distances: bool) -> None:
    with TemporaryDirectory() as folder:
        headscope.survey(
            "default", texts, pieces=pieces, gradients=False, distances=distances,
            out=Path(folder, "run"), plots=False,
        )  # fmt: skip


def _shaped(sizes: dict[str, Any]) -> Model:
    """A random Llama of these sizes, with the pieces of the embedded model."""
    torch.manual_seed(0)
    module = transformers.LlamaModel(transformers.LlamaConfig(**sizes)).eval()
    return headscope.load(module, tokenizer=headscope.load("default").tokenizer)


def _plan(model: Model, ready: Sequence[Segment], pieces: int, distances: bool) -> Plan:
    """What a survey decides by itself, over segments that are cut already."""
    options = Options(
        model=model, text=[], pieces=pieces, batch_size=_BATCH, distances=distances, gradients=False
    )
    return replace(make_plan(model, options)[0], cutter=Ready(tuple(ready)))


def _survey(plan: Plan) -> None:
    run_shard(plan, Shard(0, [Document.from_text("all", "all")]))
