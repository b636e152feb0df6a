"""trust: whether attention, or another explanation, may be shown for what a model answers."""
