"""Pictures of train."""

from headscope.drawing.picture import pictures_of
from headscope.questions.train.pictures import learning

PICTURES = pictures_of(learning)
