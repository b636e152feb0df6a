"""Pictures of layers."""

from headscope.drawing.picture import pictures_of
from headscope.questions.layers.pictures import layer_cases, layer_tasks

PICTURES = pictures_of(layer_tasks, layer_cases)
