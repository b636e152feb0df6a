"""One file for each claim that people make when they show an explanation."""
