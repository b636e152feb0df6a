"""Pictures of sentences."""

from headscope.drawing.picture import pictures_of
from headscope.questions.sentences.pictures import sentence_erasure, sentence_layers

PICTURES = pictures_of(sentence_layers, sentence_erasure)
