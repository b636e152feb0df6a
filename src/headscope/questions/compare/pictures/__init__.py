"""Pictures of compare."""

from headscope.drawing.picture import pictures_of
from headscope.questions.compare.pictures import comparison, curves

PICTURES = pictures_of(comparison, curves)
