"""memory: how long a word is kept in mind."""
