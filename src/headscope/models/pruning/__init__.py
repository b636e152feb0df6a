"""Taking heads out of a model for real: matrices, saved folders, loading them again."""
