"""Pictures of show."""

from headscope.drawing.picture import pictures_of
from headscope.questions.show.pictures import lines, matrix, words

PICTURES = pictures_of(lines, matrix, words)
