"""explain: how much each piece of a text mattered for an answer, by several ways beside each other."""
