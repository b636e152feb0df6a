"""Fixtures of this folder."""

from tests.shapes import bart, bert, llama, t5, texts
from tests.threads import one_thread

__all__ = ["bart", "bert", "llama", "one_thread", "t5", "texts"]
