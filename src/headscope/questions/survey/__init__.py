"""survey: what every head does on the surface, over a corpus, in one pass."""
