"""show: a few heads on one text, ready to be drawn."""
