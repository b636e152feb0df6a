"""Pictures of explain."""

from headscope.drawing.picture import pictures_of
from headscope.questions.explain.pictures import explainer_agreement, explanations, heads_that_made

PICTURES = pictures_of(explanations, explainer_agreement, heads_that_made)
