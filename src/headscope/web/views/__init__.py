"""Views of one text, in notebooks and as files."""
