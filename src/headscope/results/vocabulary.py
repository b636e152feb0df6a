"""Words that results use and rooms without torch must know: roles of heads, verdicts, readings of trees."""

from __future__ import annotations

SYNTAX, COREFERENCE = "syntax", "coreference"
"""Roles for what heads know, which other questions than the survey find."""

WORSE, UNDECIDED, HARMLESS, BETTER = "worse", "undecided", "harmless", "better"
VERDICTS = (WORSE, UNDECIDED, HARMLESS, BETTER)
"""What removing heads is for a task, from bad to good."""

DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT, HEAD_TO_DEPENDENT = "dep->head", "head<-dep", "head->dep"
READINGS = (DEPENDENT_TO_HEAD, HEAD_FROM_DEPENDENT, HEAD_TO_DEPENDENT)
"""Which word's attention is read for a relation, and how: docs/syntax.md."""
