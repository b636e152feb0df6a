"""What the tables of show say about themselves."""

from __future__ import annotations

from headscope.results.declaration import HEAD, LEFT, SHARE, Column, Declaration

TABLES: dict[str, Declaration] = {
    "links": Declaration(
        "Strongest link of each token",
        ("head", "place"),
        {
            "head": HEAD["head"],
            "place": Column("place of the token, from 0"),
            "from": Column("token that looks; (2) is the second of those that are alike"),
            "to": Column("token it looks at most", words={"": "nothing"}),
            "weight": Column("weight", SHARE),
            "left": LEFT,
            "special": Column("whether one of the two is a special token"),
            "alone": Column("whether it sees one token alone, as the first of a causal model does"),
        },
    ),
    "importance": Declaration(
        "How much each token mattered for the answer",
        ("answer", "explainer", "place"),
        {
            "answer": Column("answer to the text, counted from 0"),
            "label": Column("what the model answers"),
            "explainer": Column("way to explain"),
            "place": Column("place of the token, from 0"),
            "token": Column("word, or with --pieces piece"),
            "side": Column("source, or target that a decoder has read"),
            "special": Column("whether it is a special token"),
            "by_model": Column("whether the model wrote it itself"),
            "importance": Column("importance, as the explainer gives it", signed=True),
            "share": Column("part of the importance of all that is not special, its sign left out", SHARE),
        },
    ),
    "output": Declaration(
        "What the model makes of the text",
        ("place",),
        {
            "place": Column("place in the list, from 0"),
            "label": Column("what is scored"),
            "before": Column("with all heads"),
            "after": Column("with heads switched off"),
        },
    ),
}
