"""Pictures of syntax."""

from headscope.drawing.picture import pictures_of
from headscope.questions.syntax.pictures import relation_examples, relation_grid, relations

PICTURES = pictures_of(relations, relation_grid, relation_examples)
