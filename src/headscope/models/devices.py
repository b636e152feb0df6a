"""Where a model computes."""

from __future__ import annotations

import torch

from headscope.errors import OptionError

AUTO = "auto"
"""A GPU where there is one, else the CPU."""


def device_here(device: str, member: str = "") -> str:
    """The device on this machine; one that it does not have is refused.

    member: the name of one of several processes that share the machine's GPUs. Each takes its own, by the
    number that its name ends in.

    >>> device_here("cpu", "node-3")
    'cpu'
    """
    if device == AUTO:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    count, digits = torch.cuda.device_count(), member.rpartition("-")[2]
    if device == "cuda" and count > 1 and digits.isdecimal():
        device = f"cuda:{int(digits) % count}"
    _check(device)
    return device


def _check(device: str) -> None:
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        if "Expected one of" in reason:
            reason = "no such kind of device; auto, cpu, cuda and mps are usual"
        raise OptionError(f"device '{device}' cannot be used here: {reason}") from None
