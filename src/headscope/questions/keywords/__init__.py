"""keywords: which heads find the keywords of a text."""
