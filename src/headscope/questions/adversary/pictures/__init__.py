"""Pictures of adversary."""

from headscope.drawing.picture import pictures_of
from headscope.questions.adversary.pictures import adversary_curve, frozen_maps

PICTURES = pictures_of(adversary_curve, frozen_maps)
