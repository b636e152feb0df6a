"""layers: at which layer a model's hidden states hold which structure."""
