"""A tiny causal model of two layers that is trained on repeated tokens, surveyed at its checkpoints."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
import torch
import transformers

import headscope
from benchmarks.data import DEMO, path
from benchmarks.figure3 import tokenizer
from benchmarks.rows import Row, at_least, told
from benchmarks.timing import computing_with
from headscope.results.result import Result
from headscope.results.vocabulary import INDUCTION, PREVIOUS_TOKEN
from headscope.text.repeats import plain_pieces

TITLE = "Induction, learned"
SAYS = (
    "A Llama of two layers with four heads each, 64 wide, trained here from nothing on random tokens that "
    "are repeated, of copies of 8 to 24 tokens, and surveyed at its checkpoints (`headscope survey "
    "--checkpoints`): since when some head looks at the previous token, and at what followed the same token "
    "before. One thread, in seconds on the processor."
)
DATA = (DEMO,)
REDUCED: dict[str, Any] = {"steps": 20, "every": 10, "judged": False}
BATCH, RATE = 32, 2e-3


def run(steps: int = 800, every: int = 20, judged: bool = True) -> list[Row]:
    """Train, save, survey."""
    with computing_with(1), TemporaryDirectory() as place:
        began = process_time()
        loss = train(Path(place), steps, every)
        seconds = process_time() - began
        folders = sorted(Path(place).glob("step-*"), key=lambda folder: int(folder.name.split("-")[1]))
        texts = path(DEMO).read_text("utf-8").split("\n\n")[:8]
        last = headscope.load(str(folders[-1]))
        result = headscope.survey(
            last, texts, checkpoints=folders, pieces=64, distances=False, gradients=False
        )
    rows = [
        told("steps of training", steps),
        told("training", seconds, "CPU s"),
        told("loss of the last step", loss, "nats"),
    ]
    return [*rows, *onsets_of(result, judged)]


def onsets_of(result: Result, judged: bool) -> list[Row]:
    """Since when heads do both, on made text, and in which order."""
    heads, table = result.table("heads"), result.table("onsets").set_index("role")
    score = 100 * float(heads["induction"].max())
    rows = [
        at_least(
            "the last checkpoint: best head's attention to what followed the same token", score, "%", 50.0
        )
        if judged
        else told("the last checkpoint: best head's attention to what followed the same token", score, "%"),
        told(
            "its best head's attention to the previous token, inside copies",
            100 * float(heads["previous_in_copies"].max()),
            "%",
        ),
    ]
    for role in (PREVIOUS_TOKEN, INDUCTION):
        where = table["checkpoint"].get(role, "") or "none"
        rows.append(told(f"checkpoint from which on some head has the role {role}", where))
    steps = [float(table["step"].get(role, np.nan)) for role in (PREVIOUS_TOKEN, INDUCTION)]
    order = "yes" if steps[0] < steps[1] else "no" if steps[0] >= steps[1] else "not both"
    rows.append(told("the previous token comes before induction", order))
    series = result.table("series").groupby("checkpoint", sort=False)[["previous_token", "induction"]].max()
    rows += [
        told(
            f"{name}: most attention to the previous token / to what followed the same one",
            f"{100 * row.previous_token:.0f} % / {100 * row.induction:.0f} %",
        )
        for name, row in series.iterrows()
    ]
    return rows


def train(place: Path, steps: int, every: int) -> float:
    """Train on copies of several lengths; a checkpoint before the first step, and every so many."""
    pieces = tokenizer()
    pieces.model_input_names = ["input_ids", "attention_mask"]
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(pieces), hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=128, max_position_embeddings=128,
    )  # fmt: skip
    module = transformers.LlamaForCausalLM(config)
    plain, random = plain_pieces(pieces), np.random.default_rng(0)
    descent = torch.optim.AdamW(module.parameters(), lr=RATE, weight_decay=0.01)
    loss = torch.tensor(float("nan"))
    for step in range(steps + 1):
        if step % every == 0:
            module.save_pretrained(place / f"step-{step}")
            pieces.save_pretrained(place / f"step-{step}")
        size = int(random.integers(8, 25))
        once = np.stack([random.choice(plain, size, replace=False) for _ in range(BATCH)])
        opening = np.full((BATCH, 1), pieces.cls_token_id)
        ids = torch.as_tensor(np.concatenate([opening, once, once], 1))
        logits = module(input_ids=ids).logits[:, size + 1 : -1]  # what can be known: the second copy
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, size + 2 :].flatten())
        descent.zero_grad()
        loss.backward()
        descent.step()
    return float(loss.detach())
