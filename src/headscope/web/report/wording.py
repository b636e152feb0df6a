"""How the page calls tables and columns about heads; what is not here is called as it is."""

from __future__ import annotations

GROUPS: dict[str, str] = {
    "heads": "overview",
    "shares": "attention to",
    "offsets": "attention at distance",
    "special": "attention to special tokens",
    "gradients": "gradient for attention to",
    "attachment": "head of any word found",
    "head_relations": "relation found",
    "coref_heads": "antecedent found",
    "probe_heads": "lost without the head",
    "ablation": "without the head",
    "importance": "importance",
    "pruning_orders": "place in the order of removal",
    "differences": "difference",
}
"""What the measures of a table have in common."""

LABELS: dict[str, str] = {
    "role_score": "score of the role",
    "entropy_edge": "entropy at the edge of the text",
    "strongest": "largest weight of a token",
    "effect": "change of the score",
    "loss_effect": "change of the loss",
    "worst": "worst that is not excluded",
    "p_adjusted": "p, for all heads",
    "loss_p": "p, of the loss",
    "loss_p_adjusted": "p, of the loss, for all heads",
    "loss_verdict": "verdict on the loss",
    "example": "gradient by example",
    "example_normalised": "gradient by example, by layer",
    "token": "gradient by token",
    "token_normalised": "gradient by token, by layer",
}

LEVELS: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("verdict", "loss_verdict"), ("worse", "undecided", "harmless", "better")
)
"""The order of a column's words where it means something."""

NUMBERED = ("cluster",)
"""Columns whose numbers are only names."""

WORDS: dict[str, str] = {"itself": "from themselves", "other": "from other tokens"}
"""Words of tables that need others around them."""

SHARES = ("share", "accuracy", "drop", "strongest", "confidence")
SHARE_TABLES = ("attachment", "coref_heads")
"""Columns, and tables all of whose columns, are parts of a whole: printed in percent."""


def label_of(column: str) -> str:
    """A column's name for reading.

    >>> label_of("role_score"), label_of("my_own")
    ('score of the role', 'my own')
    """
    return LABELS.get(column, column.replace("_", " "))


def group_of(verb: str, table: str) -> str:
    """What the measures of a table are listed under.

    >>> group_of("survey", "shares")
    'survey: attention to'
    """
    return f"{verb}: {GROUPS.get(table, table.replace('_', ' '))}"


def word_of(key: object) -> str:
    """A value of a key column for reading; numbers are distances, whose sign is a direction.

    >>> word_of(3), word_of(0), word_of("nsubj"), word_of("itself")
    ('+3', '0', 'nsubj', 'from themselves')
    """
    if isinstance(key, int) and key:
        return f"{key:+d}"
    return WORDS.get(str(key), str(key))


def percent(share: float) -> str:
    """A share for reading.

    >>> percent(0.434)
    '43 %'
    """
    return f"{100 * share:.0f} %"
