"""train: a small net of our own, trained from nothing for a task, with checkpoints to follow it by."""
