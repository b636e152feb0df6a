"""What a model is scored on."""
