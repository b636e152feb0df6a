"""Pictures of memory."""

from headscope.drawing.picture import pictures_of
from headscope.questions.memory.pictures import drifting_states, read_words, retention, slow_points

PICTURES = pictures_of(retention, slow_points, drifting_states, read_words)
