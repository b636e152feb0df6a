"""Pictures of structure."""

from headscope.drawing.picture import pictures_of
from headscope.questions.structure.pictures import (
    structure_curves,
    structure_lowest,
    structure_maps,
    structure_strip,
)

PICTURES = pictures_of(structure_curves, structure_lowest, structure_maps, structure_strip)
