"""The constants behind docs/cluster.md: how a survey's time grows, and how large a shard's state is."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

import torch
import transformers
from safetensors.numpy import save

import headscope
from benchmarks.corpus import Ready
from benchmarks.passes import forward
from benchmarks.rows import Row, show, told
from benchmarks.timing import timed
from headscope.analyses.analysis import Analysis, Setting
from headscope.engine.shards import Shard
from headscope.engine.states import to_state
from headscope.engine.work import Done, Plan, run_shard
from headscope.models import Model
from headscope.models.embedded import embedded_folder
from headscope.questions.survey.distances import Distances
from headscope.questions.survey.surface import Surface
from headscope.text import Document, Segment, cut

SMALL = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
WORK: dict[str, list[Analysis]] = {
    "survey without distances": [Surface()],
    "survey": [Surface(), Distances()],
}
BATCH = 16


def run(tokens: int = 8192) -> list[Row]:
    """Random BERTs of many shapes over so many tokens each, one thread."""
    torch.set_num_threads(1)
    rows = []
    for length in (64, 128, 256, 512):
        rows += measured(f"6 layers of 12 heads, width 384, length {length}", SMALL, length, tokens)
    for layers in (1, 2, 4):
        shape = {**SMALL, "num_hidden_layers": layers}
        rows += measured(f"{layers} layers of 12 heads, width 384, length 128", shape, 128, tokens)
    for heads in (6, 24):
        shape = {**SMALL, "num_attention_heads": heads}
        rows += measured(f"6 layers of {heads} heads, width 384, length 128", shape, 128, tokens)
    for length in (128, 512):
        rows += measured(
            f"BERT-base (12 layers of 12 heads, width 768), length {length}", BASE, length, tokens // 2
        )
    return show("Sizing", rows)


def measured(name: str, shape: dict[str, int], length: int, tokens: int) -> list[Row]:
    """Seconds for 1,000 tokens, and bytes of a shard's state."""
    model = random_bert(shape)
    ready = full_segments(model, length, tokens // length)
    heard = sum(len(segment) for segment in ready) / 1000
    some = ready[: max(2, len(ready) // 8)]
    forward(model, some, BATCH)
    rows = [
        told(
            f"{name}: forward pass alone, 1,000 tokens",
            best(lambda: forward(model, ready, BATCH)) / heard,
            "s",
        )
    ]
    for work, analyses in WORK.items():
        spent(model, some, analyses)
        seconds = best(partial(spent, model, ready, analyses)) / heard
        rows.append(told(f"{name}: {work}, 1,000 tokens", seconds, "s"))
    arrays, _ = to_state(spent(model, some, WORK["survey"]))
    return [*rows, told(f"{name}: state of a shard of a survey", len(save(arrays)) / 1000, "kB")]


def best(job: Callable[[], object]) -> float:
    """Seconds of one core, the fewer of two turns; other processes of the machine do not count."""
    return min(timed(job, process_time) for _ in range(2))


def random_bert(shape: dict[str, int]) -> Model:
    """With the embedded model's tokenizer."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(embedded_folder())
    torch.manual_seed(0)
    config = transformers.BertConfig(**shape, vocab_size=len(tokenizer), max_position_embeddings=512)
    return headscope.load(transformers.BertModel(config).eval(), tokenizer)


def full_segments(model: Model, length: int, count: int) -> list[Segment]:
    """Nearly full segments, each of a document of its own: a state holds sums by blocks of documents."""
    text = " ".join(["the old ship sailed out again and nobody saw it"] * (length // 9))
    made = (Document.from_text(f"text {number}", text) for number in range(count))
    return [next(cut(document, model.tokenizer, length, pair=True)) for document in made]


def spent(model: Model, ready: Sequence[Segment], analyses: list[Analysis]) -> Done:
    """A shard of segments that are cut already."""
    plan = Plan(Setting(model), analyses, 512, BATCH, Ready(tuple(ready)))
    return run_shard(plan, Shard(0, [Document.from_text("all", "all")]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=8192)
    run(parser.parse_args().tokens)
