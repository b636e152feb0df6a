"""Trained readers of attention: features on disk, small probes over them, and how well they do."""
