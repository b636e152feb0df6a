"""adversary: whether other attention gives the same answers, and what given attention is worth to a net."""
