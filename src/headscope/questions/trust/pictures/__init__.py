"""Pictures of trust."""

from headscope.drawing.picture import pictures_of
from headscope.questions.trust.pictures import explaining_heads, faithfulness, trust_card

PICTURES = pictures_of(trust_card, faithfulness, explaining_heads)
