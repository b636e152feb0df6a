"""Pictures of explain."""

from headscope.drawing.picture import pictures_of
from headscope.questions.explain.pictures import explainer_agreement, explanations

PICTURES = pictures_of(explanations, explainer_agreement)
