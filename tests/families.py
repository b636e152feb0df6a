"""Tiny random models of every family the core is tested on, built from their configurations."""

from __future__ import annotations

from collections.abc import Callable

import torch
import transformers as tf
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from torch import nn
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

VOCABULARY = 50
_COMMON = {"vocab_size": VOCABULARY, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
_BERT = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 20,
    **_COMMON,
}
_LLAMA = {**_BERT, "num_key_value_heads": 2, "head_dim": 8}
_BART = {
    "d_model": 16, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 20, "decoder_ffn_dim": 20,
    "decoder_start_token_id": 1, **_COMMON,
}  # fmt: skip

FAMILIES: dict[str, Callable[[], nn.Module]] = {
    "bert": lambda: tf.BertModel(tf.BertConfig(**_BERT)),
    "roberta": lambda: tf.RobertaModel(tf.RobertaConfig(**_BERT)),
    "distilbert": lambda: tf.DistilBertModel(
        tf.DistilBertConfig(dim=16, n_layers=2, n_heads=4, hidden_dim=20, **_COMMON)
    ),
    "albert": lambda: tf.AlbertModel(tf.AlbertConfig(embedding_size=8, **_BERT)),
    "electra": lambda: tf.ElectraModel(tf.ElectraConfig(embedding_size=8, **_BERT)),
    "modernbert": lambda: tf.ModernBertModel(
        tf.ModernBertConfig(**_BERT, local_attention=4, cls_token_id=1, sep_token_id=2)
    ),
    "gpt2": lambda: tf.GPT2LMHeadModel(tf.GPT2Config(n_embd=16, n_layer=2, n_head=4, **_COMMON)),
    "llama": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**_LLAMA)),
    "qwen3": lambda: tf.Qwen3ForCausalLM(tf.Qwen3Config(**_LLAMA)),
    "gemma2": lambda: tf.Gemma2ForCausalLM(
        tf.Gemma2Config(**_LLAMA, sliding_window=4, attn_logit_softcapping=0.02, query_pre_attn_scalar=8)
    ),
    "gpt_neox": lambda: tf.GPTNeoXForCausalLM(tf.GPTNeoXConfig(**_BERT)),
    "opt": lambda: tf.OPTForCausalLM(
        tf.OPTConfig(
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=4,
            ffn_dim=20,
            word_embed_proj_dim=16,
            **_COMMON,
        )
    ),
    "t5": lambda: tf.T5ForConditionalGeneration(
        tf.T5Config(
            d_model=16, d_kv=4, num_layers=2, num_heads=4, d_ff=20, decoder_start_token_id=1, **_COMMON
        )
    ),
    "bart": lambda: tf.BartForConditionalGeneration(tf.BartConfig(**_BART)),
    "marian": lambda: tf.MarianMTModel(tf.MarianConfig(**_BART)),
    "deberta_v2": lambda: tf.DebertaV2Model(
        tf.DebertaV2Config(**_BERT, relative_attention=True, pos_att_type=["p2c", "c2p"])
    ),
    "mpnet": lambda: tf.MPNetModel(tf.MPNetConfig(**_BERT)),
}
ODD: dict[str, Callable[[], nn.Module]] = {
    # Half of what its output projection takes comes from a convolution, which sees padding.
    "convbert": lambda: tf.ConvBertModel(
        tf.ConvBertConfig(**_BERT, embedding_size=16, head_ratio=2, conv_kernel_size=3)
    ),
    # Exchanges its attention for another one on a text of up to 14 pieces.
    "big_bird": lambda: tf.BigBirdModel(
        tf.BigBirdConfig(**_BERT, attention_type="block_sparse", block_size=2, num_random_blocks=1)
    ),
    # Writes its number of buckets into its configuration.
    "reformer": lambda: tf.ReformerModel(
        tf.ReformerConfig(
            **_COMMON, hidden_size=16, num_attention_heads=4, attention_head_size=4, feed_forward_size=20,
            attn_layers=["lsh", "local"], axial_pos_embds=False, num_buckets=None, is_decoder=False,
            lsh_attn_chunk_length=4, local_attn_chunk_length=4, max_position_embeddings=64,
        )
    ),
    # Concatenates the embeddings of neighbours.
    "mobilebert": lambda: tf.MobileBertModel(
        tf.MobileBertConfig(**_BERT, embedding_size=16, true_hidden_size=16, intra_bottleneck_size=16)
    ),
    "bloom": lambda: tf.BloomForCausalLM(tf.BloomConfig(hidden_size=16, n_layer=2, n_head=4, **_COMMON)),
    # Hands queries before the batch to its output projection.
    "fsmt": lambda: tf.FSMTModel(tf.FSMTConfig(
        langs=["en", "de"], src_vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY, **_BART
    )),
    # Its output projection is no module.
    "xlnet": lambda: tf.XLNetModel(
        tf.XLNetConfig(d_model=16, n_layer=2, n_head=4, d_inner=20, **_COMMON)
    ),
    # Shows scores instead of weights.
    "squeezebert": lambda: tf.SqueezeBertModel(tf.SqueezeBertConfig(**_BERT, embedding_size=16)),
    # Attends to a sink beside the pieces.
    "gpt_oss": lambda: tf.GptOssForCausalLM(
        tf.GptOssConfig(**_LLAMA, num_local_experts=2, num_experts_per_tok=1, sliding_window=4)
    ),
    # Scales what a head hands on by a sink of its own.
    "granite_swa": lambda: tf.GraniteSWAForCausalLM(tf.GraniteSWAConfig(**_LLAMA)),
    # Attends in its encoder without the shared function.
    "longt5": lambda: tf.LongT5ForConditionalGeneration(
        tf.LongT5Config(
            d_model=16, d_kv=4, num_layers=2, num_heads=4, d_ff=20, local_radius=3,
            decoder_start_token_id=1, **_COMMON,
        )
    ),
    "pegasus_x": lambda: tf.PegasusXForConditionalGeneration(
        tf.PegasusXConfig(**_BART, block_size=4, num_global_tokens=2)
    ),
    # The same, and fills a text up to whole blocks, whose padding its encoder sees.
    "bigbird_pegasus": lambda: tf.BigBirdPegasusForConditionalGeneration(
        tf.BigBirdPegasusConfig(**_BART, attention_type="block_sparse", block_size=2, num_random_blocks=1)
    ),
    # Attends in some of its layers without the shared function.
    "minimax": lambda: tf.MiniMaxForCausalLM(
        tf.MiniMaxConfig(
            **{**_LLAMA, "num_hidden_layers": 3}, num_local_experts=2, num_experts_per_tok=1, block_size=4,
            layer_types=["linear_attention", "full_attention", "linear_attention"],
        )
    ),
}  # fmt: skip
"""Families that have each their own way, of which something must be said or refused."""

BYPASSING = {"deberta_v2", "mpnet"}
SEQUENCE_TO_SEQUENCE = {"t5", "bart", "marian", "fsmt", "longt5", "pegasus_x", "bigbird_pegasus"}

TYPICAL = ("bert", "albert", "modernbert", "gpt2", "llama", "gpt_neox", "t5", "bart", "mpnet")
"""One of each way to hold the heads of a layer, for what takes long; the others are like one of these."""


def build(family: str, seed: int = 0) -> nn.Module:
    """A tiny model with weights large enough that its attention is far from uniform."""
    torch.manual_seed(seed)
    model = (FAMILIES | ODD)[family]().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.normal_(std=0.4)
            else:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def small_tokenizer() -> PreTrainedTokenizerBase:
    """Words w3 to w49 between [CLS] and [SEP]: as many pieces as the models know."""
    specials = ["[PAD]", "[CLS]", "[SEP]"]
    names = [*specials, *(f"w{number}" for number in range(len(specials), VOCABULARY))]
    tokenizer = Tokenizer(models.WordLevel({name: id for id, name in enumerate(names)}, unk_token="w3"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip


def inputs_for(family: str, batch: int = 3, length: int = 9, seed: int = 0) -> dict[str, torch.Tensor]:
    """Random pieces, right-padded; the decoder of a sequence-to-sequence model gets other lengths."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(3, VOCABULARY, (batch, length), generator=generator)
    mask = torch.ones_like(ids)
    for row in range(1, batch):
        mask[row, length - row :] = 0
    inputs = {"input_ids": ids.where(mask.bool(), torch.zeros_like(ids)), "attention_mask": mask}
    if family in SEQUENCE_TO_SEQUENCE:
        inputs["decoder_input_ids"] = torch.randint(3, VOCABULARY, (batch, length - 3), generator=generator)
    return inputs
