"""Statistics of the heads of a decoder over a text: TransformerLens, inseq and headscope."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, processors

import headscope
from benchmarks.corpus import segments
from benchmarks.peak import alone
from benchmarks.peers import with_inseq, with_lens
from benchmarks.peers.environments import Beside, peak_beside
from benchmarks.peers.plain import BATCH, MIB, ROUNDING, causal_difference, peak_of_survey
from benchmarks.peers.turns import Seconds, in_turns, ours
from benchmarks.rows import Row, at_most, told
from benchmarks.speed import survey
from benchmarks.timing import ratio
from headscope.models import Model
from headscope.questions.survey.surface import Surface

LENS, INSEQ = "transformer-lens", "inseq"
SCRIPTS = {LENS: with_lens.__file__, INSEQ: with_inseq.__file__}
WAYS = ("by and by", "together")
"""Maps are forgotten after a batch or a text, or put together before any is looked at."""

SPREAD = 0.1
"""Of random weights: enough that heads look at different things."""


def saved(folder: Path, pieces: int) -> Path:
    """A random GPT-2 with 72 heads and with the pieces of the embedded model, without special tokens."""
    known = Tokenizer.from_str(headscope.load("default").tokenizer.backend_tokenizer.to_str())
    known.post_processor = processors.Sequence([])
    known.no_padding()
    known.no_truncation()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=known, unk_token="[UNK]", pad_token="[PAD]", bos_token="[CLS]", eos_token="[SEP]"
    )
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_positions=pieces, n_embd=384, n_layer=6, n_head=12,
        initializer_range=SPREAD, bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    torch.manual_seed(0)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def decoder_rows(folder: Path, number: int, pieces: int, repeats: int) -> list[Row]:
    """All comparisons over segments of the same length; loading is in none of them."""
    place = saved(folder / "decoder", pieces)
    model = headscope.load(place)
    ready = [one for one in segments(model, number + number // 2, pieces) if len(one) == pieces][:number]
    texts = [" ".join(segment.words) for segment in ready]
    files = folder / "pieces.npy", folder / "texts.json"
    np.save(files[0], np.stack([segment.pieces for segment in ready]))
    files[1].write_text(json.dumps(texts), "utf-8")
    given = {LENS: {"pieces": str(files[0]), "batch": BATCH}, INSEQ: {"texts": str(files[1])}}
    found: dict[str, np.ndarray] = {}

    def theirs(other: Beside) -> float:
        answer = other.ask("heads", **given[other.name], together=False)
        found[other.name] = np.array(answer.told)
        return answer.seconds

    whole = partial(headscope.survey, model, texts, distances=False, gradients=False, made=0)
    survey(model, ready[:1], [Surface()])
    with Beside(LENS, SCRIPTS[LENS]) as lens, Beside(INSEQ, SCRIPTS[INSEQ]) as inseq:
        titles = {other.name: other.titled for other in (lens, inseq)}
        for other in (lens, inseq):
            other.ask("load", folder=str(place))
        jobs: dict[str, Seconds] = {"ours": ours(survey, model, ready, [Surface()]), "whole": ours(whole)}
        jobs |= {other.name: partial(theirs, other) for other in (lens, inseq)}
        times = in_turns(jobs, repeats)
        weights = _largest_difference(model, inseq, texts[0])
    what = f"{len(ready)} segments of {pieces} pieces, 72 heads of a random GPT-2"
    mine = alone(peak_of_survey, str(place), number, pieces)
    return [
        told(f"{what}: ours, per segment", 1000 * median(times["ours"]) / len(ready), "ms"),
        told("headscope.survey with tokens and tables / ours", ratio(times["whole"], times["ours"]), "x"),
        *(
            told(f"{title}, statistics of heads: its time / ours", ratio(times[name], times["ours"]), "x")
            for name, title in titles.items()
        ),
        told("statistics of heads: peak memory of ours", mine / MIB, "MiB"),
        *(
            told(f"{title}, {way}: peak memory", _peak(name, place, given[name], way) / MIB, "MiB")
            for name, title in titles.items() for way in WAYS
        ),
        at_most(
            f"{titles[LENS]}: largest difference of a statistic",
            causal_difference(model, ready, found[LENS]), "", ROUNDING,
        ),
        at_most(f"{titles[INSEQ]}: largest difference of a weight, one text", weights, "", ROUNDING),
    ]  # fmt: skip


def _peak(name: str, place: Path, given: dict[str, Any], way: str) -> int:
    """In a fresh process that has loaded the model."""
    work = {**given, "together": way == WAYS[1]}
    return alone(peak_beside, name, SCRIPTS[name], {"folder": str(place)}, work)


def _largest_difference(model: Model, inseq: Beside, text: str) -> float:
    """Between the rows of one head that inseq gives and those of headscope's own map."""
    first, rows = inseq.ask("rows", text=text, layer=3, head=5).told
    maps = headscope.maps(model, text, layers=3, heads=5)
    mine = maps.values.reshape(maps.shape[-2:])[first : first + len(rows)]
    return float(np.abs(np.array(rows) - mine).max())
