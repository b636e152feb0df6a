"""What headscope promises about speed, memory, long inputs and model families, measured."""
