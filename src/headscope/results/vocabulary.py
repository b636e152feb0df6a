"""Words that results use and rooms without torch must know: roles of heads, verdicts, readings, trees."""

from __future__ import annotations

SYNTAX, COREFERENCE, KEYWORDS, RETRIEVAL = "syntax", "coreference", "keywords", "retrieval"
KNOWING_ROLES = (SYNTAX, COREFERENCE, KEYWORDS, RETRIEVAL)
"""Roles for what heads know, which other questions than the survey find."""

PREVIOUS_TOKEN, NEXT_TOKEN, SAME_TOKEN = "previous token", "next token", "same token"
FIRST_TOKEN, SEPARATOR, PUNCTUATION = "first-token sink", "separator", "punctuation"
LOCAL, BROAD, MIXED = "local", "broad", "mixed"
INDUCTION, DUPLICATE_TOKEN = "induction", "duplicate token"
STREAMING, COPYING, COPY_SUPPRESSION = "streaming", "copying", "copy suppression"
EARLY_SINK, FIRST_BY_LENGTH = "early sink", "first token by length"
PREVIOUS_IN_COPIES = "previous token in copies"
SURFACE_ROLES = (
    PREVIOUS_TOKEN, NEXT_TOKEN, SAME_TOKEN, FIRST_TOKEN, SEPARATOR, PUNCTUATION, LOCAL, BROAD, INDUCTION,
    DUPLICATE_TOKEN,
)  # fmt: skip
"""Roles for where heads look, in the order of the survey's rules."""

LAST_ROLES = (COPYING, COPY_SUPPRESSION, STREAMING, PREVIOUS_IN_COPIES, EARLY_SINK, FIRST_BY_LENGTH)
"""Roles of heads that have none of these, not even partly."""


def partly(role: str) -> str:
    """The role of a head that has it less clearly.

    >>> partly(LOCAL)
    'partly local'
    """
    return f"partly {role}"


def whole(role: str) -> str:
    """The role that a head has, clearly or not.

    >>> whole(partly(LOCAL)), whole(LOCAL)
    ('local', 'local')
    """
    return role.removeprefix(partly(""))


ROLES = (
    *KNOWING_ROLES, *SURFACE_ROLES,
    *(partly(role) for role in SURFACE_ROLES if role != BROAD), *LAST_ROLES, MIXED,
)  # fmt: skip
"""All roles: what heads know, where they look, where they do so partly (none is partly broad), what is told
of heads without any of these, none of it."""

WORSE, UNDECIDED, HARMLESS, BETTER = "worse", "undecided", "harmless", "better"
VERDICTS = (WORSE, UNDECIDED, HARMLESS, BETTER)
"""What removing heads is for a task, from bad to good."""

YES, NO, NOT_TESTED = "yes", "no", "not tested"
ANSWERS = (YES, UNDECIDED, NO, NOT_TESTED)
"""Whether a claim holds."""

DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT, HEAD_TO_DEPENDENT = "dep->head", "head<-dep", "head->dep"
READINGS = (DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT, HEAD_TO_DEPENDENT)
"""Which word's attention is read for a relation, and how: docs/syntax.md."""

TRUE_TREE = "true"
ARC_STANDARD, UNIFORM, MATCHED, SWAPPED = "arc_standard", "uniform", "matched", "swapped"
FALSE_TREES = (ARC_STANDARD, UNIFORM, MATCHED, SWAPPED)
"""Trees that attention is held against: those of the sentences, and false ones: docs/structure.md."""
