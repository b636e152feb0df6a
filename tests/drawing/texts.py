"""Texts that are hard to draw."""

from __future__ import annotations

ODD = ["$x_1$", "<script>", "中文", "שלום", "🙂", "x" * 200, "\n", "_a_", "a\x00b", "\u202e", "&amp;", "$"]
