"""prune: how many heads a task can spare, in which order, and a model that is really without them."""
