"""What the tables of explain say about themselves."""

from __future__ import annotations

from headscope.results.declaration import SHARE, Column, Declaration

TEXT = Column("text")
ANSWER = Column("answer to the text, counted from 0")
MADE = {
    "text": TEXT,
    "place": Column("place of the token in the text, from 0"),
    "token": Column("token that is made"),
}

TABLES: dict[str, Declaration] = {
    "importance": Declaration(
        "How much each token mattered",
        ("text", "answer", "explainer", "place"),
        {
            "text": TEXT,
            "answer": ANSWER,
            "explainer": Column("way to explain"),
            "place": Column("place of the token, from 0"),
            "token": Column("piece, or with --words word"),
            "side": Column("source, or target that a decoder has read"),
            "special": Column("whether it is a special token"),
            "by_model": Column("whether the model wrote it itself"),
            "sentence": Column("with --by-sentence: its sentence, from 0; -1 for none"),
            "importance": Column("importance, as the explainer gives it", signed=True),
            "share": Column("part of the importance of all that is not special, its sign left out", SHARE),
        },
    ),
    "sentences": Declaration(
        "How much each sentence mattered",
        ("text", "answer", "explainer", "sentence"),
        {
            "text": TEXT,
            "answer": ANSWER,
            "explainer": Column("way to explain"),
            "sentence": Column("number of the sentence, from 0; -1 for tokens of none"),
            "says": Column("the sentence"),
            "tokens": Column("tokens of it"),
            "importance": Column("sum of the importance of its tokens", signed=True),
            "share": Column("part of the importance of all sentences, its sign left out", SHARE),
        },
    ),
    "answers": Declaration(
        "What is explained",
        ("text", "answer"),
        {
            "text": TEXT,
            "answer": ANSWER,
            "label": Column("what the model answers, or was asked for"),
            "probability": Column("probability of it", SHARE),
            "tokens": Column("tokens that are not special"),
            "saturated": Column(
                "part of the pieces whose flow is all that the lowest layer lets through, for any answer",
                SHARE,
            ),
            "removed": Column(
                "how many words --flip found without which the answer is another, if there are such"
            ),
            "without": Column("these words, each in quotes"),
            "becomes": Column("the answer without them"),
        },
    ),
    "made_by": Declaration(
        "Which heads made a token",
        ("text", "place", "head"),
        {
            **MADE,
            "head": Column("head"),
            "direct": Column("what the head adds to its logit directly", "logits"),
            "removed": Column("what its loss is more without the head", "nats"),
        },
    ),
    "logits": Declaration(
        "What the logit of a token is made of",
        ("text", "place"),
        {
            **MADE,
            "loss": Column("loss of the token", "nats"),
            "logit": Column("its logit", "logits"),
            "heads": Column("from all heads", "logits"),
            "attention_biases": Column("from biases of output projections", "logits"),
            "rest": Column("from what else layers add", "logits"),
            "embedding": Column("from the embedding", "logits"),
            "bias": Column("from biases of the last norm and the unembedding", "logits"),
            "off": Column("what the parts are off the logit together: rounding", "logits"),
        },
    ),
    "agreement": Declaration(
        "How far explainers agree",
        ("explainer", "other"),
        {
            "explainer": Column("way to explain"),
            "other": Column("another way"),
            "tau": Column("Kendall's tau-b of their rankings, mean over answers"),
            "top": Column("part of the most important tokens that both name", SHARE),
            "answers": Column("answers that both rank"),
        },
    ),
    "explainers": Declaration(
        "What each way to explain is and costs",
        ("explainer",),
        {
            "explainer": Column("way to explain"),
            "what": Column("what it is"),
            "source": Column("who described it"),
            "needs": Column("what it needs: maps of one pass, gradients, or runs over changed texts"),
            "forward": Column(
                "forward passes of a text for an answer; those that answers to a text share are divided"
            ),
            "backward": Column("backward passes for an answer"),
            "signed": Column("whether a token can speak against the answer"),
        },
    ),
}
