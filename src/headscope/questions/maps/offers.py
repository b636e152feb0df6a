"""What other questions and the live page may use of maps: looks at a text, and models kept ready for them."""

from headscope.questions.maps.axes import axes_of, read_axis, written_axis
from headscope.questions.maps.files import open_maps, save_maps
from headscope.questions.maps.live import Models, short_names
from headscope.questions.maps.looking import look

__all__ = ["Models", "axes_of", "look", "open_maps", "read_axis", "save_maps", "short_names", "written_axis"]
