"""headscope: what each attention head of a model does, whether it matters, and whether to trust it."""

__version__ = "0.1.0"
