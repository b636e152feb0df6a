"""Pictures of align."""

from headscope.drawing.picture import pictures_of
from headscope.questions.align.pictures import alignments, error_rates

PICTURES = pictures_of(alignments, error_rates)
