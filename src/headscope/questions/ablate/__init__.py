"""ablate: which heads matter for a task, tested over its examples, beside their importance."""
