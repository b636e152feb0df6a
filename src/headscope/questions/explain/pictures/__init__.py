"""Pictures of explain."""

from headscope.drawing.picture import pictures_of
from headscope.questions.explain.pictures import explainer_agreement, importance

PICTURES = pictures_of(importance, explainer_agreement)
