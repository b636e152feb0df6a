"""What other questions and the live page may use of explain: one typed text, explained."""

from headscope.questions.explain.live import Explaining
from headscope.questions.explain.typed import explain_text, token_table

__all__ = ["Explaining", "explain_text", "token_table"]
