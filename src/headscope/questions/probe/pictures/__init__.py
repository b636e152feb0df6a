"""Pictures of probe."""

from headscope.drawing.picture import pictures_of
from headscope.questions.probe.pictures import probe_heads, probes

PICTURES = pictures_of(probes, probe_heads)
