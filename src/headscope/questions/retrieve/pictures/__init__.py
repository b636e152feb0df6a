"""Pictures of retrieve."""

from headscope.drawing.picture import pictures_of
from headscope.questions.retrieve.pictures import needles, retrieval_heads

PICTURES = pictures_of(needles, retrieval_heads)
