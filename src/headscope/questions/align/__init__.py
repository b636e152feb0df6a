"""align: how well cross-attention links words of a target to those of its source, beside simple aligners."""
