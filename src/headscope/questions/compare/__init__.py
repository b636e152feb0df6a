"""compare: paired differences between surveys of two or more models or checkpoints."""
