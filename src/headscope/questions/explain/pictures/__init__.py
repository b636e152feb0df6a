"""Pictures of explain."""

from headscope.drawing.picture import pictures_of
from headscope.questions.explain.pictures import documents, explainer_agreement, explanations, heads_that_made

PICTURES = pictures_of(documents, explanations, explainer_agreement, heads_that_made)
