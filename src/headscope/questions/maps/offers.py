"""What other questions and the live page may use of maps: looks at a text, and models kept ready for them."""

from headscope.questions.maps.axes import axes_of, read_axis, written_axis
from headscope.questions.maps.files import apart, open_maps, save_maps
from headscope.questions.maps.hiding import hidden_tokens, hiding_notes, marked
from headscope.questions.maps.inputs import Window, prepare, start_of_written
from headscope.questions.maps.live import Models, short_names
from headscope.questions.maps.looking import cut_window, look

__all__ = [
    "Models",
    "Window",
    "apart",
    "axes_of",
    "cut_window",
    "hidden_tokens",
    "hiding_notes",
    "look",
    "marked",
    "open_maps",
    "prepare",
    "read_axis",
    "save_maps",
    "short_names",
    "start_of_written",
    "written_axis",
]
