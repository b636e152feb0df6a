"""What other questions may use of trust: whose weights are meant, other models, and answers on trial."""

from headscope.questions.trust.answering import Answering
from headscope.questions.trust.case import scope_of
from headscope.questions.trust.others import other_models

__all__ = ["Answering", "other_models", "scope_of"]
