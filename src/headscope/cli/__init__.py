"""The shell around every question, and the commands that are no questions."""
