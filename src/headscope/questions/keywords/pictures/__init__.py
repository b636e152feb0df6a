"""Pictures of keywords."""

from headscope.drawing.picture import pictures_of
from headscope.questions.keywords.pictures import (
    keyword_curve,
    keyword_heads,
    keyword_removal,
    keyword_text,
)

PICTURES = pictures_of(keyword_heads, keyword_curve, keyword_text, keyword_removal)
