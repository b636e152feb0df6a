"""Words that results use and rooms without torch must know: roles of heads."""

from __future__ import annotations

SYNTAX, COREFERENCE = "syntax", "coreference"
"""Roles for what heads know, which other questions than the survey find."""
