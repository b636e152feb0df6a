"""A survey of sampled rows is the survey of exactly those rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from headscope import survey
from headscope.attention import Recorder, RowBlocks
from headscope.engine.running import run
from headscope.models import Model, sides_of
from headscope.questions.survey.answer import Options, make_plan
from headscope.text import Document, Segment, batches, read

TEXT = "Every ship passed by the old lighthouse at night, and every night he wrote its name in a small book."


def test_entropy_is_the_mean_over_the_sampled_rows(bert: Model) -> None:
    options = {"pieces": 32, "rows": 4, "seed": 3, "gradients": False, "distances": False}
    found = survey(bert, [TEXT], **options).arrays["heads"]
    plan, _ = make_plan(bert, Options(text=[TEXT], **options))
    per_segment = []
    for segment in plan.cut(Document.from_text("#0", TEXT)):
        assert isinstance(segment, Segment)
        recorder = Recorder()
        batch = next(iter(batches([segment], bert.tokenizer, 1)))
        with torch.no_grad(), bert.attached([recorder]) as module:
            module(**sides_of(bert, batch).inputs)
        maps = np.concatenate([recorder.maps[site][0][0].double().numpy() for site in plan.setting.sites()])
        rows = RowBlocks(rows=4, seed=3).sample(len(segment))
        assert rows is not None
        assert len(rows) == 4
        chosen = maps[:, rows.numpy()]
        per_segment.append(-(chosen * np.log(chosen)).sum(-1).mean(-1))
    # One batch holds all segments only if there is one: the sample is drawn for a batch's length.
    assert len(per_segment) == 1
    np.testing.assert_allclose(found["entropy"].values, per_segment[0], rtol=1e-4)


def test_even_attention_is_that_of_whole_maps_however_many_blocks_are_heard(bert: Model) -> None:
    plan, _ = make_plan(bert, Options(text=[TEXT], pieces=32, gradients=False, distances=False))
    corpus = read([TEXT])
    one_row_each = replace(plan, blocks=RowBlocks(budget=1))
    (whole,), (blocks,) = (way.arrays(run(way, corpus, "survey")) for way in (plan, one_row_each))
    for name in ("share", "share_uniform", "entropy_uniform"):
        np.testing.assert_allclose(blocks[name].values, whole[name].values, rtol=1e-4, atol=1e-6)
