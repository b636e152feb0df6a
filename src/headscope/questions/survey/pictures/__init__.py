"""Pictures of survey."""

from headscope.drawing.picture import pictures_of
from headscope.questions.survey.pictures import (
    divergences,
    entropy,
    examples,
    gradients,
    headmap,
    offsets,
    roles,
    shares,
)

PICTURES = pictures_of(examples, shares, gradients, entropy, headmap, roles, offsets, divergences)
