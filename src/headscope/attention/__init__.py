"""The core: every model computes attention through one function that can be heard and edited."""

from headscope.attention.attach import Sites, attach, in_eval_mode
from headscope.attention.blocks import RowBlocks
from headscope.attention.counting import find_sites
from headscope.attention.edit import (
    Ablate,
    Edit,
    Erase,
    Freeze,
    Gate,
    OutputEdit,
    Permute,
    Replace,
    Scale,
    Uniform,
    WeightEdit,
)
from headscope.attention.function import attend
from headscope.attention.listen import Heard, Listener, Recorder, Rows
from headscope.attention.site import Site

__all__ = [
    "Ablate",
    "Edit",
    "Erase",
    "Freeze",
    "Gate",
    "Heard",
    "Listener",
    "OutputEdit",
    "Permute",
    "Recorder",
    "Replace",
    "RowBlocks",
    "Rows",
    "Scale",
    "Site",
    "Sites",
    "Uniform",
    "WeightEdit",
    "attach",
    "attend",
    "find_sites",
    "in_eval_mode",
]
