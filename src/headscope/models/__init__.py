"""Loading models and putting them on the core."""

from headscope.models.load import load
from headscope.models.model import Model
from headscope.models.sides import Side, Sides, sides_of

__all__ = ["Model", "Side", "Sides", "load", "sides_of"]
