"""Pictures of prune."""

from headscope.drawing.picture import pictures_of
from headscope.questions.prune.pictures import pruning, pruning_speed

PICTURES = pictures_of(pruning, pruning_speed)
