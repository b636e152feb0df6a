"""Pictures of ablate."""

from headscope.drawing.picture import pictures_of
from headscope.questions.ablate.pictures import ablation, ablation_agreement, ablation_layers, importance

PICTURES = pictures_of(ablation, ablation_layers, ablation_agreement, importance)
