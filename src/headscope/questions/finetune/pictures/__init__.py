"""Pictures of finetune."""

from headscope.drawing.picture import pictures_of
from headscope.questions.finetune.pictures import training

PICTURES = pictures_of(training)
