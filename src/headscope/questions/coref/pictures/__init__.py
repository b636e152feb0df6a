"""Pictures of coref."""

from headscope.drawing.picture import pictures_of
from headscope.questions.coref.pictures import coref

PICTURES = pictures_of(coref)
