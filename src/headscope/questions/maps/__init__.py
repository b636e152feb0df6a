"""maps: the raw maps of one text as a labelled array."""
